"""`smallprint mcp`: the SDK's own client asks a real server process; it answers as the command line."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import shlex
import subprocess
import sys
from typing import Any

import pytest
from mcp import Client, StdioServerParameters

from bot.cli import main
from bot.commands.mcp import LONGEST
from tests.conftest import ROOT

MAIN = "from bot.cli import main; main()"
CLAIM = "In MLPerf® Inference v6.1, GB300 leads MI355X by 48 % per GPU on GPT-OSS-120B offline."

CALLS: dict[str, tuple[dict[str, Any], str]] = {
    "ask": ({"text": CLAIM}, f"ask --json '{CLAIM}'"),
    "fair": ({"text": CLAIM}, f"fair '{CLAIM}'"),
    "rank": (
        {"model": "GPT-OSS 120B", "scenario": "offline", "round": "v6.1", "limit": 3},
        "rank --json --model gpt-oss-120b --scenario offline --round v6.1 --limit 3",
    ),
    "compare": (
        {"first": "GB300", "second": "MI355X", "model": "gpt-oss-120b", "round": "v6.1"},
        "compare --json GB300 MI355X --model gpt-oss-120b --round v6.1",
    ),
    "deltas": (
        {"since": "v6.0", "submitter": "AMD", "model": "gpt-oss-120b"},
        "deltas --json --since v6.0 --submitter AMD --model gpt-oss-120b",
    ),
    "rows": ({"words": ["v6.1", "GB300", "72"], "limit": 2}, "rows --json v6.1 GB300 72 --limit 2"),
}
WRONG: dict[str, dict[str, Any]] = {
    "choose one of": {"model": "gpt-oss-120b", "scenario": "sideways"},
    "no stored row": {"model": "no such model", "scenario": "offline"},
    "at least 1": {"model": "gpt-oss-120b", "scenario": "offline", "limit": 0},
}


@pytest.fixture(scope="module")
def talk() -> dict[str, Any]:
    """One conversation with the server: its tools, the answers to CALLS and to wrong questions."""
    environment = {name: value for name, value in os.environ.items() if name.startswith("SMALLPRINT_")}
    process = StdioServerParameters(
        command=sys.executable, args=["-c", MAIN, "mcp"], env=environment, cwd=ROOT
    )

    async def asked() -> dict[str, Any]:
        async with Client(process, read_timeout_seconds=60) as client:
            tools = (await client.list_tools()).tools
            answers = {name: await client.call_tool(name, given) for name, (given, _) in CALLS.items()}
            wrong = {line: await client.call_tool("rank", given) for line, given in WRONG.items()}
            wrong["characters"] = await client.call_tool("ask", {"text": "x" * (LONGEST + 1)})
            return {"tools": tools, "answers": answers, "wrong": wrong}

    return asyncio.run(asked())


def test_the_tools_only_read_and_say_what_they_do(talk: dict[str, Any]) -> None:
    assert {tool.name for tool in talk["tools"]} == set(CALLS)
    for tool in talk["tools"]:
        assert tool.description
        assert tool.annotations.read_only_hint is True


@pytest.mark.parametrize("name", CALLS)
def test_an_answer_is_that_of_the_command_line(
    talk: dict[str, Any], name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = talk["answers"][name]
    assert not answer.is_error
    with contextlib.suppress(SystemExit):
        main(shlex.split(CALLS[name][1]))
    printed = capsys.readouterr().out
    assert answer.content[0].text == printed.rstrip("\n")
    assert name == "fair" or json.loads(printed)


@pytest.mark.parametrize("line", [*WRONG, "characters"])
def test_a_wrong_question_is_refused_in_one_line(talk: dict[str, Any], line: str) -> None:
    answer = talk["wrong"][line]
    assert answer.is_error
    assert line in answer.content[0].text
    assert "\n" not in answer.content[0].text


def test_without_the_extra_a_line_says_how_to_get_it() -> None:
    code = (
        "import importlib.util as u; find = u.find_spec\n"
        "u.find_spec = lambda name, *more: None if name == 'mcp' else find(name, *more)\n"
        "from bot.cli import main; main(['mcp'])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith("smallprint: mcp needs")
