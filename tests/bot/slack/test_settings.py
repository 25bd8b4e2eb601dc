"""What a deployment sets for Slack: what does not fit is named in a line, and no secret is ever shown."""

from __future__ import annotations

import pytest

from bot.errors import UserError
from bot.slack.checks import skew
from bot.slack.port import refusal
from bot.slack.settings import SlackSettings, slack_settings

BOT, APP = {"SMALLPRINT_SLACK_BOT_TOKEN": "xoxb-1"}, {"SMALLPRINT_SLACK_APP_TOKEN": "xapp-1"}
OAUTH = {"SMALLPRINT_SLACK_CLIENT_ID": "1.2", "SMALLPRINT_SLACK_CLIENT_SECRET": "s"}
SIGNED = {"SMALLPRINT_SLACK_SIGNING_SECRET": "s"}


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, []),
        ({**BOT, **APP}, []),
        ({**OAUTH, **SIGNED}, []),
        (BOT, ["SMALLPRINT_SLACK_APP_TOKEN (Socket Mode) or"]),
        ({**BOT, **APP, **OAUTH}, ["are both set"]),
        ({"SMALLPRINT_SLACK_CLIENT_ID": "1.2", **SIGNED}, ["SMALLPRINT_SLACK_CLIENT_SECRET is missing"]),
        ({"SMALLPRINT_SLACK_BOT_TOKEN": "oops", **APP}, ["no bot token"]),
        ({**BOT, "SMALLPRINT_SLACK_APP_TOKEN": "xoxb-1"}, ["no app-level token"]),
    ],
)
def test_settings_that_do_not_fit_are_named(given: dict[str, str], said: list[str]) -> None:
    found = SlackSettings(**given).faults()  # type: ignore[arg-type]
    assert len(found) == len(said)
    assert all(part in line for part, line in zip(said, found, strict=True))


@pytest.mark.parametrize(
    ("url", "fine"),
    [
        ("https://slack.com/api/", True),
        ("https://proxy.example/slack", True),
        ("http://127.0.0.1:9/api/", True),
        ("http://[::1]:9/api/", True),
        ("http://localhost:9/api/", True),
        ("http://slack.com/api/", False),
        ("http://10.0.0.1/api/", False),
        ("ftp://slack.com/", False),
        ("http://127.0.0.1.evil.example/", False),
    ],
)
def test_tokens_go_to_https_or_to_this_machine_only(
    url: str, fine: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SMALLPRINT_SLACK_API", url)
    if fine:
        assert slack_settings().api.endswith("/")
    else:
        with pytest.raises(UserError, match=r"SMALLPRINT_SLACK_API: .*https"):
            slack_settings()


def test_secrets_are_never_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SMALLPRINT_SLACK_BOT_TOKEN", "xoxb-very-secret")
    monkeypatch.setenv("SMALLPRINT_SLACK_ADMINS", "U1, U2,")
    found = slack_settings()
    assert "very-secret" not in repr(found)
    assert found.people == {"U1", "U2"}
    assert found.authorize_url == "https://slack.com/oauth/v2/authorize"


@pytest.mark.parametrize("name", SlackSettings.model_fields)
def test_every_setting_says_what_it_is(name: str) -> None:
    field = SlackSettings.model_fields[name]
    assert str(field.validation_alias).startswith("SMALLPRINT_SLACK_")
    assert len(field.description or "") > 20


def test_a_clock_that_is_off_is_told() -> None:
    assert skew("") == skew("nonsense") == []
    (line,) = skew("Wed, 01 Jan 2020 00:00:00 GMT")
    assert "the clock is +" in line


class Answer(dict[str, object]):
    """An answer of the Web API, as slack_sdk's error holds it."""

    def __init__(self, status: int, headers: dict[str, str] | None = None, **body: object) -> None:
        super().__init__(body)
        self.status_code, self.headers, self.data = status, headers or {}, body or "upstream failure"


@pytest.mark.parametrize(
    ("answer", "kind", "reason", "after"),
    [
        (Answer(429, {"Retry-After": "7"}, error="ratelimited"), "NotNowError", "ratelimited", 7.0),
        (Answer(429, {}, error="ratelimited"), "NotNowError", "ratelimited", 1.0),
        (Answer(503), "NotNowError", "503", 5.0),
        (Answer(200, error="internal_error"), "NotNowError", "internal_error", 5.0),
        (Answer(200, error="not_in_channel"), "RefusedError", "not_in_channel", None),
        (Answer(200, error="is_archived"), "RefusedError", "is_archived", None),
    ],
)
def test_slack_s_refusals_are_sorted(answer: Answer, kind: str, reason: str, after: float | None) -> None:
    from slack_sdk.errors import SlackApiError

    found = refusal(SlackApiError("x", answer))
    assert type(found).__name__ == kind
    assert found.reason == reason
    assert getattr(found, "after", None) == after
    assert getattr(found, "sure", False) == (answer.status_code == 429)
