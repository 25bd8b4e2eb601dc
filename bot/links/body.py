"""The body of an answer, unpacked as it comes and never more than allowed."""

from __future__ import annotations

import zlib
from collections.abc import Iterator

from aiohttp import ClientResponse

from bot.links.policy import FetchError

ACCEPTED = "gzip, deflate"
_STEP = 64 * 1024  # bytes that are unpacked at once: a bomb of 1000:1 is seen before it fills the memory


async def body(response: ClientResponse, most: int) -> bytes:
    """All bytes of a page, unpacked. Raises FetchError: "too_large", "encoding"."""
    given = response.headers.get("Content-Length", "")
    if given.isascii() and given.isdigit() and int(given) > most:
        raise FetchError("too_large")
    unpack = _unpacker(response.headers.get("Content-Encoding", "identity").strip().lower())
    parts: list[bytes] = []
    size = 0
    async for chunk in response.content.iter_chunked(_STEP):
        for part in unpack.feed(chunk):
            size += len(part)
            if size > most:
                raise FetchError("too_large")
            parts.append(part)
    if not unpack.complete:
        raise FetchError("encoding")
    return b"".join(parts)


class _Plain:
    complete = True

    def feed(self, chunk: bytes) -> Iterator[bytes]:
        yield chunk


class _Zipped:
    def __init__(self, bits: int) -> None:
        self._bits = bits
        self._stream = zlib.decompressobj(bits)
        self._begun = False

    @property
    def complete(self) -> bool:
        return self._stream.eof or not self._begun

    def feed(self, chunk: bytes) -> Iterator[bytes]:
        rest = chunk
        while rest and not self._stream.eof:
            try:
                part = self._stream.decompress(rest, _STEP)
            except zlib.error:
                if self._begun or self._bits != zlib.MAX_WBITS:
                    raise FetchError("encoding") from None
                # "deflate" without the header that the standard asks for, as many servers send it
                self._bits, self._stream = -zlib.MAX_WBITS, zlib.decompressobj(-zlib.MAX_WBITS)
                self._begun = True
                continue
            self._begun = True
            yield part
            rest = self._stream.unconsumed_tail


def _unpacker(encoding: str) -> _Plain | _Zipped:
    if encoding in ("", "identity"):
        return _Plain()
    if encoding in ("gzip", "x-gzip"):
        return _Zipped(zlib.MAX_WBITS | 16)
    if encoding == "deflate":
        return _Zipped(zlib.MAX_WBITS)
    raise FetchError("encoding")
