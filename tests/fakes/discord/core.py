"""What all parts of the fake share: refusals, failures on purpose, the journal, rate limits."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from aiohttp import web

from tests.fakes.discord import checks, limits

Json = dict[str, Any]
Files = dict[str, tuple[str, bytes]]  # by the name of the form's part: file name and content


class RefusalError(Exception):
    """A refused call: Discord's JSON error code. offence: whether no app should ever do this."""

    def __init__(self, status: int, code: int, message: str, *, offence: bool = False, **more: Any) -> None:
        super().__init__(f"{code} {message}")
        self.status, self.code, self.offence = status, code, offence
        self.body = {"code": code, "message": message, **more}


def invalid(faults: list[checks.Fault]) -> RefusalError:
    """50035 with every fault at its path."""
    error = RefusalError(400, 50035, "Invalid Form Body", offence=True, errors=checks.tree(faults))
    error.args = (f"50035 {'; '.join(f'{path}: {reason}' for path, reason in faults)}",)
    return error


def answer(body: object, status: int = 200, **headers: str) -> web.Response:
    """JSON whose content type is just `application/json`, as Discord's is."""
    found = {"Content-Type": "application/json", "Via": "1.1 google", **headers}
    return web.Response(body=json.dumps(body).encode(), status=status, headers=found)


def limited(after: float, scope: str = "user") -> web.Response:
    """A 429: `after` seconds in body and header."""
    everywhere = scope == "global"
    body = {"message": "You are being rate limited.", "retry_after": after, "global": everywhere}
    headers = {"Retry-After": str(after), "X-RateLimit-Scope": scope}
    if everywhere:
        headers["X-RateLimit-Global"] = "true"
    return answer(body, 429, **headers)


async def body_of(request: web.Request) -> tuple[Json, Files]:
    """A body and the files of its form by the names of their parts; told by the content type."""
    if request.headers.get("Content-Type") == "application/json":
        try:
            found = await request.json()
        except ValueError:
            raise RefusalError(400, 50109, "The request body contains invalid JSON.", offence=True) from None
        return found, {}
    if request.content_type != "multipart/form-data":
        raise invalid([("", f'Expected "Content-Type" header to be JSON, not {request.content_type}')])
    form = await request.post()
    files = {
        name: (part.filename, part.file.read())
        for name, part in form.items()
        if isinstance(part, web.FileField)
    }
    if sum(len(data) for _, data in files.values()) > limits.UPLOAD:
        raise RefusalError(413, 40005, "Request entity too large", offence=True)
    return json.loads(str(form.get("payload_json") or "{}")), files


@dataclass
class Failure:
    """What goes wrong on purpose with the next `times` calls whose path (below /api/v10) holds `path`.

    One of: status (an HTML error page, or with `code` one of Discord's JSON errors), retry_after (a 429),
    lose ("request": never carried out, "answer": carried out but never answered). delay: seconds before.
    """

    method: str
    path: str
    status: int | None = None
    code: int | None = None
    retry_after: float | None = None
    lose: str | None = None
    delay: float = 0.0
    scope: str = "user"
    times: int = 1

    def meets(self, method: str, path: str) -> bool:
        """Whether it is this call's turn; counts it."""
        if self.times < 1 or self.method not in (method, "*") or self.path not in path:
            return False
        self.times -= 1
        return True

    def answer(self) -> web.Response | None:
        """The answer in place of the real one, None where the call is carried out."""
        if self.retry_after is not None:
            return limited(self.retry_after, self.scope)
        if self.status is None:
            return None
        if self.code is not None:
            return answer({"code": self.code, "message": "failed on purpose"}, self.status)
        page = f"<html><title>{self.status}</title></html>"
        return web.Response(status=self.status, text=page, content_type="text/html")


class Journal:
    """Everything that happens, as notes and as lines of JSON in a file."""

    def __init__(self, path: Path | None) -> None:
        self.notes: list[Json] = []
        self._file = path.open("a", encoding="utf-8") if path else None

    def note(self, what: str, **more: Any) -> None:
        """One line."""
        line = {"what": what, "at": time.time(), **more}
        self.notes.append(line)
        if self._file is not None:
            self._file.write(json.dumps(line) + "\n")
            self._file.flush()

    def close(self) -> None:
        """Write no more."""
        if self._file is not None:
            self._file.close()


@dataclass
class Bucket:
    """A rate limit: `most` calls in any `seconds`."""

    most: int
    seconds: float
    taken: list[float] = field(default_factory=list)

    def take(self) -> float:
        """Take one. Returns 0, or the seconds until there is one again."""
        now = time.monotonic()
        self.taken = [at for at in self.taken if now - at < self.seconds]
        if len(self.taken) >= self.most:
            return round(self.taken[0] + self.seconds - now, 3)
        self.taken.append(now)
        return 0.0

    def headers(self, name: str) -> dict[str, str]:
        """What a call is told of it."""
        left = self.most - len(self.taken)
        after = max(0.0, self.taken[0] + self.seconds - time.monotonic()) if self.taken else 0.0
        return {
            "X-RateLimit-Bucket": name,
            "X-RateLimit-Limit": str(self.most),
            "X-RateLimit-Remaining": str(left),
            "X-RateLimit-Reset": f"{time.time() + after:.3f}",
            "X-RateLimit-Reset-After": f"{after:.3f}",
        }
