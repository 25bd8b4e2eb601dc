"""A server of published rounds on this machine: over real sockets, with all that can go wrong.

    with publisher() as published:
        published.put("v7.0", csv_text)
        sync(path, base=published.base)

`requests` lists what was asked, with the answer's status.
"""

from __future__ import annotations

import csv
import hashlib
import io
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

ROUNDS = Path(__file__).parent / "published"
Lines = list[dict[str, str]]


@dataclass(frozen=True)
class Answer:
    """What stands at an address, and how it is sent.

    cut: only so many bytes are sent. length: whether the header states the whole length. etag: whether
    it carries an entity tag. headers: more of them. wait: half of the body is sent, the rest when it is set.
    drip: seconds between one byte and the next.
    """

    content: bytes = b""
    status: int = 200
    kind: str | None = "text/plain; charset=utf-8"
    cut: int | None = None
    length: bool = True
    etag: bool = True
    headers: dict[str, str] = field(default_factory=dict)
    wait: threading.Event | None = None
    drip: float = 0.0

    @property
    def tag(self) -> str:
        """The entity tag of the content."""
        return f'"{hashlib.sha256(self.content).hexdigest()[:32]}"'


@dataclass(frozen=True)
class Request:
    """One request that came in: its path, its headers in lower case, the status that was answered."""

    path: str
    headers: dict[str, str]
    status: int


@dataclass
class Publisher:
    """The server's address and what it serves, by path."""

    base: str
    answers: dict[str, Answer] = field(default_factory=dict)
    requests: list[Request] = field(default_factory=list)

    def put(self, name: str, content: str | bytes, file: str = "summary.csv", **how: object) -> None:
        """Publish a round's summary; `how` as the fields of Answer."""
        raw = content.encode() if isinstance(content, str) else content
        self.answers[f"/{path_of(name, file)}"] = replace(Answer(raw), **how)  # type: ignore[arg-type]

    def asked(self, name: str) -> list[Request]:
        """The requests for a round that something stands for."""
        return [one for one in self.requests if f"_{name}/" in one.path and one.path in self.answers]


def path_of(name: str, file: str) -> str:
    """Where a round's file stands below the base, as MLCommons' repositories have it."""
    return f"inference_results_{name}/main/{file}"


def published(name: str = "v7.0", change: Callable[[Lines], Lines | None] | None = None) -> str:
    """The small summary of a round, after a change to its lines (dicts by column)."""
    reader = csv.DictReader(io.StringIO((ROUNDS / f"{name}.csv").read_text("utf-8"), newline=""))
    lines = list(reader)
    if change is not None:
        lines = change(lines) or lines
    out = io.StringIO(newline="")
    writer = csv.DictWriter(out, list(lines[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(lines)
    return out.getvalue()


class _Handler(BaseHTTPRequestHandler):
    """Answers one connection from what is published."""

    protocol_version = "HTTP/1.1"
    published: Publisher

    def do_GET(self) -> None:
        answer = self.published.answers.get(self.path, Answer(b"not here", status=404))
        headers = {name.lower(): value for name, value in self.headers.items()}
        if answer.status == 200 and answer.etag and headers.get("if-none-match") == answer.tag:
            answer = Answer(status=304)
        self.published.requests.append(Request(self.path, headers, answer.status))
        self.send_head(answer)
        if answer.status != 304:
            with suppress(ConnectionError):  # whoever asked may have heard enough
                self.send_body(answer)

    def send_head(self, answer: Answer) -> None:
        self.send_response(answer.status)
        if answer.kind:
            self.send_header("Content-Type", answer.kind)
        if answer.etag and answer.status == 200:
            self.send_header("ETag", answer.tag)
        if answer.length:
            self.send_header("Content-Length", str(len(answer.content)))
        if not answer.length or answer.cut is not None:
            self.close_connection = True
        for name, value in answer.headers.items():
            self.send_header(name, value)
        self.end_headers()

    def send_body(self, answer: Answer) -> None:
        sent = answer.content[: answer.cut]
        if answer.wait is not None:
            self.wfile.write(sent[: len(sent) // 2])
            answer.wait.wait(10)
            sent = sent[len(sent) // 2 :]
        step = 1 if answer.drip else len(sent) or 1
        for place in range(0, len(sent), step):
            self.wfile.write(sent[place : place + step])
            time.sleep(answer.drip)

    def log_message(self, format: str, *args: object) -> None:
        """Nothing is printed."""


@contextmanager
def publisher() -> Iterator[Publisher]:
    """A running server on a free port of the loopback address."""
    handler = type("Handler", (_Handler,), {})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    handler.published = served = Publisher(f"http://127.0.0.1:{server.server_address[1]}")
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield served
    finally:
        server.shutdown()
        server.server_close()
        thread.join(5)
