"""HTTP mode: signed requests to the app's own server."""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
import time
from typing import Any
from urllib.parse import urlencode

import aiohttp

from tests.fakes.slack import limits
from tests.fakes.slack.core import Core
from tests.fakes.slack.delivery import Delivery, NotAckedError


def signature(secret: str, timestamp: int, body: str) -> str:
    """Slack's v0 signature (docs.slack.dev/authentication/verifying-requests-from-slack)."""
    digest = hmac.new(secret.encode(), f"v0:{timestamp}:{body}".encode(), hashlib.sha256).hexdigest()
    return f"v0={digest}"


class SignedHttp:
    """A `Transport` that posts to one or more replicas of the app in turn, as a load balancer does."""

    def __init__(self, core: Core, urls: list[str]) -> None:
        self.core = core
        self.urls = urls
        self._turn = 0
        self._session = aiohttp.ClientSession()

    def encode(self, delivery: Delivery) -> tuple[str, str]:
        """The body of a delivery and its content type."""
        form = "application/x-www-form-urlencoded"
        if delivery.kind == "events_api":
            return json.dumps(delivery.payload), "application/json"
        if delivery.kind == "slash_commands":
            return urlencode(delivery.payload), form
        return urlencode({"payload": json.dumps(delivery.payload)}), form

    def headers(self, body: str, kind: str, *, secret: str | None = None, age: float = 0.0) -> dict[str, str]:
        """The headers of a request that was signed `age` seconds ago."""
        timestamp = int(time.time() - age)
        return {
            "Content-Type": kind,
            "X-Slack-Request-Timestamp": str(timestamp),
            "X-Slack-Signature": signature(secret or self.core.signing_secret, timestamp, body),
            "User-Agent": "Slackbot 1.0 (+https://api.slack.com/robots)",
        }

    async def post(self, body: str, headers: dict[str, str]) -> tuple[int, dict[str, str], str]:
        """One request: status, headers (lower case) and body of the answer. Raises NotAckedError."""
        url = self.urls[self._turn % len(self.urls)]
        self._turn += 1
        try:
            async with self._session.post(
                url,
                data=body.encode(),
                headers=headers,
                max_redirects=limits.REDIRECTS,
                timeout=aiohttp.ClientTimeout(total=self.core.options.ack),
            ) as answer:
                found = {key.lower(): value for key, value in answer.headers.items()}
                return answer.status, found, await answer.text()
        except TimeoutError:
            raise NotAckedError("http_timeout") from None
        except aiohttp.TooManyRedirects:
            raise NotAckedError("too_many_redirects") from None
        except aiohttp.ClientError:
            raise NotAckedError("connection_failed") from None

    async def send(self, delivery: Delivery) -> Any:
        """Post it and wait for a 2xx answer."""
        body, kind = self.encode(delivery)
        headers = self.headers(body, kind)
        if delivery.attempts > 1:
            headers |= {
                "X-Slack-Retry-Num": str(delivery.attempts - 1),
                "X-Slack-Retry-Reason": delivery.reason,
            }
        status, answered, text = await self.post(body, headers)
        if not 200 <= status < 300:
            raise NotAckedError("http_error", final=answered.get("x-slack-no-retry") == "1")
        if delivery.kind == "events_api" or not text:
            return None
        if answered.get("content-type", "").startswith("application/json"):
            return json.loads(text)
        return {"text": text}

    async def challenge(self) -> bool:
        """What Slack does when a request URL is entered: url_verification. Whether the app answered it."""
        value = secrets.token_hex(12)
        request = {"token": self.core.verification_token, "challenge": value, "type": "url_verification"}
        body = json.dumps(request)
        status, _, text = await self.post(body, self.headers(body, "application/json"))
        return status == 200 and value in text

    async def forged(self, delivery: Delivery, *, secret: str | None = None, age: float = 0.0) -> int:
        """Post a delivery signed with another secret, or long ago. Returns the status of the answer."""
        body, kind = self.encode(delivery)
        status, _, _ = await self.post(body, self.headers(body, kind, secret=secret, age=age))
        return status

    async def close(self) -> None:
        """Close the connections."""
        await self._session.close()
