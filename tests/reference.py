"""What documents take from the program: `make docs` writes docs/commands.md and the README's answers."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import typer

from bot.cli import app
from bot.discord.settings import DiscordSettings
from bot.settings import Settings
from bot.slack.settings import SlackSettings

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / "docs" / "commands.md"
README = ROOT / "README.md"
SETTINGS = (Settings, SlackSettings, DiscordSettings)
WIDTH = 118  # the widest head of a table stays in one line

# A code block that opens with a command at a prompt: the command, then what it printed.
ANSWER = re.compile(r"^```\n\$ smallprint (.*)\n((?:.*\n)*?)^```$", re.MULTILINE)

HEAD = """# Commands

Made from the program by `make docs`; a test compares. Exit codes of every command: 0 for an answer, also if a
text holds no claim; 1 for a failure, with one clear line on standard error; 2 for wrong usage. Results go to
standard output, diagnostics to standard error.

## Settings

| environment variable | meaning |
| --- | --- |
| `SMALLPRINT_KNOWLEDGE` | Path of the knowledge file (default: in the user's data folder). |
| `SMALLPRINT_TODAY` | Answer as on this day, YYYY-MM-DD: for receipts, and for the two weeks after a round. |
| `SMALLPRINT_DEBUG` | `1` shows where an unexpected failure happened, instead of one line. |
"""


def settings() -> str:
    """The settings that the program and its edges document, a row of the table each."""
    fields = [field for kind in SETTINGS for field in kind.model_fields.values()]
    return "".join(f"| `{field.validation_alias}` | {field.description} |\n" for field in fields)


def commands() -> dict[str, Any]:
    """The commands of `smallprint` by name, as Click objects."""
    group: Any = typer.main.get_command(app)
    return dict(group.commands)


def usage(param: Any) -> str:
    """How one argument or option is written."""
    if param.param_type_name == "argument":
        return f"`{param.metavar or param.name.upper()}`"
    names = ", ".join((*param.opts, *param.secondary_opts))
    return f"`{names}`" if param.is_flag else f"`{names} {param.metavar or param.name.upper()}`"


def describe(name: str, command: Any) -> str:
    """One command: what it does, its arguments and options."""
    lines = [f"## smallprint {name}", "", command.help.strip(), ""]
    shown = [param for param in command.params if not param.hidden]
    if shown:
        lines += ["| argument or option | meaning |", "| --- | --- |"]
        lines += [f"| {usage(param)} | {param.help.strip()} |" for param in shown]
        lines.append("")
    return "\n".join(lines)


def reference() -> str:
    """The whole of docs/commands.md."""
    return "\n".join([HEAD + settings(), *(describe(name, command) for name, command in commands().items())])


def printed(words: str) -> str:
    """What `smallprint WORDS` prints, its running text wrapped and its tables as they are."""
    command = [sys.executable, "-c", "from bot.cli import main; main()", *shlex.split(words)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return "\n".join(
        line if line.startswith(" ") else textwrap.fill(line, WIDTH, break_on_hyphens=False)
        for line in done.stdout.rstrip().splitlines()
    )


def readme(text: str) -> str:
    """The README with the answer of today's program under each command at a prompt."""
    return ANSWER.sub(lambda block: f"```\n$ smallprint {block[1]}\n{printed(block[1])}\n```", text)


if __name__ == "__main__":
    TARGET.write_text(reference(), encoding="utf-8")
    README.write_text(readme(README.read_text("utf-8")), encoding="utf-8")
