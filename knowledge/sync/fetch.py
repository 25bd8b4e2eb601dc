"""One published file from a server or a folder, whole or not at all."""

from __future__ import annotations

import base64
import hashlib
import http.client
import time
import urllib.error
import urllib.request
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Protocol
from urllib.parse import unquote, urlsplit

from knowledge.errors import SyncError
from knowledge.sync.plan import Plan

AGENT = "Smallprint (reads published result summaries)"
_BLOCK = 1 << 16


@dataclass(frozen=True, slots=True)
class Validators:
    """What a server said of the copy that we have, to ask only for a newer one."""

    etag: str | None = None
    modified: str | None = None


@dataclass(frozen=True, slots=True)
class Fetched:
    """A whole file with what is needed to ask for it again."""

    content: bytes
    validators: Validators = Validators()

    @property
    def sha256(self) -> str:
        """Checksum of the content."""
        return hashlib.sha256(self.content).hexdigest()


@dataclass(frozen=True, slots=True)
class Unchanged:
    """The server still has what we have."""


@dataclass(frozen=True, slots=True)
class Absent:
    """Nothing stands at that address."""


Got = Fetched | Unchanged | Absent


class Fetcher(Protocol):
    """Gets what stands at an address."""

    def __call__(self, address: str, known: Validators) -> Got:
        """The file, or that it is unchanged or absent. Raises SyncError with one line for all else."""
        ...


def fetcher(base: str, plan: Plan, proxy: str | None = None) -> Fetcher:
    """What gets files below `base`: a server's address (https, or http where it says so) or a folder.

    proxy: the way to servers, as "http://host:port" (default: as the environment says).
    Raises SyncError for a base that is neither.
    """
    scheme = urlsplit(base).scheme.lower() if "://" in base else ""
    if scheme in ("http", "https"):
        if "@" in urlsplit(base).netloc:
            raise SyncError("the address of the published rounds may hold no user name or password")
        return Server(plan, secure=scheme == "https", proxy=proxy)
    if scheme not in ("", "file"):
        raise SyncError(f"{base}: not an https address and no folder")
    if "{round}" not in base and not _local(base).is_dir():
        raise SyncError(f"{base}: no such folder")
    return Folder(plan)


def _local(address: str) -> Path:
    """The path that an address without a server names."""
    return Path(unquote(urlsplit(address).path) if address.startswith("file:") else address).expanduser()


@dataclass(frozen=True, slots=True)
class Folder:
    """Files below a folder of this machine."""

    plan: Plan

    def __call__(self, address: str, known: Validators) -> Got:
        """The file; `known` is not needed, as reading it costs nothing."""
        path = _local(address)
        try:
            if not path.is_file():
                return Absent()
            if path.stat().st_size > self.plan.most_bytes:
                raise SyncError(f"{address}: larger than {self.plan.most_bytes:,} bytes")
            return Fetched(path.read_bytes())
        except OSError as error:
            raise SyncError(f"{address}: cannot be read ({error.strerror or error})") from None


@dataclass(frozen=True, slots=True)
class Server:
    """Files of an HTTP server. secure: only https is spoken, also where a redirect leads."""

    plan: Plan
    secure: bool = True
    proxy: str | None = None

    def __call__(self, address: str, known: Validators) -> Got:
        """The file, if it is there and not what we know."""
        headers = {"User-Agent": AGENT, "Accept-Encoding": "identity"}
        if known.etag:
            headers["If-None-Match"] = known.etag
        if known.modified:
            headers["If-Modified-Since"] = known.modified
        end = time.monotonic() + self.plan.seconds
        ways = [urllib.request.ProxyHandler({"http": self.proxy, "https": self.proxy})] if self.proxy else []
        opener = urllib.request.build_opener(_Redirects(self.secure), *ways)
        request = urllib.request.Request(address, headers=headers)
        try:
            with opener.open(request, timeout=self.plan.silence) as response:
                return self._read(address, response, end)
        except urllib.error.HTTPError as error:
            with error:
                if error.code == 304:
                    return Unchanged()
                if error.code in (404, 410):
                    return Absent()
                raise SyncError(f"{address}: the server answers {error.code} {error.reason}") from None
        except TimeoutError:
            raise SyncError(f"{address}: no answer for {self.plan.silence:.0f} s") from None
        except (OSError, http.client.HTTPException) as error:
            raise SyncError(f"{address}: {_reason(error)}") from None

    def _read(self, address: str, response: http.client.HTTPResponse, end: float) -> Fetched:
        """The body, checked against all that the server said of it."""
        headers = response.headers
        kind = headers.get_content_type() if headers.get("Content-Type") else ""
        if kind and kind not in self.plan.types:
            raise SyncError(f"{address}: the server sends {kind}, not JSON or CSV")
        if headers.get("Content-Encoding", "identity") != "identity":
            raise SyncError(f"{address}: the server sends it packed ({headers['Content-Encoding']})")
        content = self._body(address, response, end)
        expected = headers.get("Content-Length")
        if expected is not None and expected.isdecimal() and int(expected) != len(content):
            raise SyncError(f"{address}: cut off after {len(content):,} of {int(expected):,} bytes")
        if (fault := _digest_fault(headers, content)) is not None:
            raise SyncError(f"{address}: {fault}")
        return Fetched(content, Validators(headers.get("ETag"), headers.get("Last-Modified")))

    def _body(self, address: str, response: http.client.HTTPResponse, end: float) -> bytes:
        blocks: list[bytes] = []
        size = 0
        # What has arrived, not a full block: a server that drips must not hold us beyond the time limit.
        while block := response.read1(_BLOCK):
            blocks.append(block)
            size += len(block)
            if size > self.plan.most_bytes:
                raise SyncError(f"{address}: larger than {self.plan.most_bytes:,} bytes")
            if time.monotonic() > end:
                raise SyncError(f"{address}: not finished after {self.plan.seconds:.0f} s")
        return b"".join(blocks)


class _Redirects(urllib.request.HTTPRedirectHandler):
    """Follows a few redirects, and from https to https only."""

    max_redirections = 5

    def __init__(self, secure: bool) -> None:
        self.secure = secure

    def redirect_request(
        self,
        req: urllib.request.Request,
        fp: IO[bytes],
        code: int,
        msg: str,
        headers: http.client.HTTPMessage,
        newurl: str,
    ) -> urllib.request.Request | None:
        scheme = urlsplit(newurl).scheme.lower()
        if scheme != "https" and (self.secure or scheme != "http"):
            raise SyncError(f"{req.full_url}: redirects to {scheme or 'nowhere'}, which is not followed")
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _digest_fault(headers: http.client.HTTPMessage, content: bytes) -> str | None:
    """What is wrong with the checksum that the server states (RFC 9530, RFC 3230, RFC 1864), if it does."""
    stated = [
        part.strip()
        for name in ("Content-Digest", "Repr-Digest", "Digest")
        for part in headers.get(name, "").split(",")
    ]
    for algorithm, name in (("sha-256", "sha256"), ("sha-512", "sha512")):
        ours = base64.b64encode(hashlib.new(name, content).digest()).decode()
        for part in stated:
            said, _, value = part.partition("=")
            if said.lower() == algorithm and value.strip(":") != ours:
                return f"its {algorithm} checksum is not the one that the server states"
    md5 = base64.b64encode(hashlib.md5(content, usedforsecurity=False).digest()).decode()
    if headers.get("Content-MD5", md5).strip() != md5:
        return "its MD5 checksum is not the one that the server states"
    return None


def _reason(error: OSError | http.client.HTTPException) -> str:
    """Why a server gave no answer, as part of a sentence."""
    if isinstance(error, http.client.IncompleteRead):
        return f"cut off after {len(error.partial):,} bytes"
    cause = error.reason if isinstance(error, urllib.error.URLError) else error
    if isinstance(cause, TimeoutError):
        return "no answer in time"
    if isinstance(cause, OSError) and cause.strerror:
        return f"cannot be reached ({cause.strerror})"
    return f"cannot be reached ({' '.join(str(cause).split())[:120] or type(cause).__name__})"
