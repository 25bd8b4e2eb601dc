"""The keys with which stored text is sealed: tokens, the fields of claims, the work that waits.

A key is a Fernet key (AES-128-CBC and HMAC-SHA256, 32 bytes as URL-safe base64). The first of the
list seals, all of them open, so a key is changed without a pause: put the new one first, run
`smallprint keys rotate`, then drop the old one.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import hmac
import os
import tempfile
from collections.abc import Iterable
from pathlib import Path

from cryptography.fernet import Fernet, InvalidToken, MultiFernet

from bot.errors import UserError

KEYS = "SMALLPRINT_KEYS"
KEYS_FILE = "SMALLPRINT_KEYS_FILE"
SEALED = "gAAAA"  # how every sealed text begins: version 0x80 of the Fernet specification, then the time


class KeysError(UserError):
    """A key that is missing, is none, or opens nothing of what is stored; never the key itself."""


class Keys:
    """One or more keys, the newest first. Raises KeysError where there is none, or one is no key."""

    def __init__(self, keys: Iterable[str]) -> None:
        given = [key.strip() for key in keys if key.strip()]
        if not given:
            raise KeysError(f"no key: set {KEYS} or {KEYS_FILE} (`smallprint keys new` prints one)")
        try:
            self._fernet = MultiFernet([Fernet(key) for key in given])
        except ValueError:
            raise KeysError(
                f"{KEYS} holds something that is no key (`smallprint keys new` prints one)"
            ) from None
        self._secrets = [_hashing(key) for key in given]

    @staticmethod
    def new() -> str:
        """A new key."""
        return Fernet.generate_key().decode()

    @classmethod
    def parse(cls, text: str) -> Keys:
        """Keys separated by commas or white space; a line that starts with # is a remark."""
        lines = (line for line in text.splitlines() if not line.lstrip().startswith("#"))
        return cls(" ".join(lines).replace(",", " ").split())

    @classmethod
    def read(cls, path: Path) -> Keys:
        """The keys of a file. Raises KeysError."""
        try:
            return cls.parse(path.read_text("utf-8"))
        except (OSError, UnicodeDecodeError) as error:
            reason = error.strerror if isinstance(error, OSError) else "not a text file"
            raise KeysError(f"key file {path}: {reason}") from None

    @classmethod
    def beside(cls, path: Path) -> Keys:
        """The keys of a file that is made with a new key, readable by its owner only, where there is none."""
        if not path.exists():
            try:
                _create(path, cls.new())
            except OSError as error:
                raise KeysError(f"key file {path}: {error.strerror}") from None
        return cls.read(path)

    def seal(self, text: str) -> str:
        """Text that only the keys open, as ASCII."""
        return self._fernet.encrypt(text.encode()).decode()

    def open(self, sealed: str) -> str:
        """The text of `seal`. Raises KeysError where no key opens it."""
        try:
            return self._fernet.decrypt(sealed.encode()).decode()
        except (InvalidToken, UnicodeDecodeError):
            raise KeysError("none of the keys opens what is stored; was a key dropped too early?") from None

    def rotate(self, sealed: str) -> str:
        """The same text sealed with the first key; its time stays. Raises KeysError."""
        try:
            return self._fernet.rotate(sealed.encode()).decode()
        except InvalidToken:
            raise KeysError("none of the keys opens what is stored; was a key dropped too early?") from None

    def digest(self, text: str) -> str:
        """A keyed hash under the first key, 64 hexadecimal digits: equal texts are found, none is guessed."""
        return self.digests(text)[0]

    def digests(self, text: str) -> tuple[str, ...]:
        """The keyed hashes of a text under every key, so that what an older key hashed is found too."""
        return tuple(hmac.new(secret, text.encode(), hashlib.sha256).hexdigest() for secret in self._secrets)


def _hashing(key: str) -> bytes:
    # A key of its own for hashing, so that neither use tells anything about the other.
    return hmac.new(base64.urlsafe_b64decode(key), b"smallprint digest", hashlib.sha256).digest()


def _create(path: Path, key: str) -> None:
    """Write a key file at once as a whole: of two processes that start together one makes it, both use it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile("w", dir=path.parent, prefix=f".{path.name}-") as file:
        # A temporary file is its owner's only (0600); a hard link has the same rights.
        file.write(f"{key}\n")
        file.flush()
        os.fsync(file.fileno())
        with contextlib.suppress(FileExistsError):
            os.link(file.name, path)
