"""What a person's browser does while an app is installed."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urljoin, urlsplit

import aiohttp

from tests.fakes.slack.model import Member, ScenarioError

if TYPE_CHECKING:
    from tests.fakes.slack.server import Slack

AUTHORIZE = re.compile(r'href="(https?://[^"]*/oauth/v2/authorize\?[^"]*)"')
REDIRECT_PATH = "/slack/oauth_redirect"


async def install(
    slack: Slack, user: Member, url: str, *, org: bool = False, deny: bool = False
) -> tuple[int, str]:
    """From the app's install page over Slack's consent to the app's redirect page: its status and text.

    Cookies are carried by hand: they are marked as secure, and everything here is plain HTTP.
    """
    async with aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as session:
        async with session.get(url, allow_redirects=False) as page:
            text = await page.text()
            authorize = page.headers.get("Location") or authorize_link(text)
            cookie = page.headers.get("Set-Cookie", "").split(";")[0]
        query = dict(parse_qsl(urlsplit(authorize).query, keep_blank_values=True))
        back = slack.consent(query, user.team, org=org, user=user.id, deny=deny)
        target = urljoin(urljoin(url, REDIRECT_PATH), back)
        headers = {"Cookie": cookie} if cookie else {}
        async with session.get(target, headers=headers, allow_redirects=False) as page:
            return page.status, await page.text()


def authorize_link(text: str) -> str:
    """The address of Slack's consent page in an install page. Raises ScenarioError where there is none."""
    found = AUTHORIZE.search(text)
    if found is None:
        raise ScenarioError("the install page has no link to Slack")
    return html.unescape(found[1])
