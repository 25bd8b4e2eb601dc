"""The options that several commands share: which rows are asked for, said once."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Annotated, Any, get_type_hints

import typer

# What a command gets of them, by name: arguments of `bot.commands.rows.filtered`.
Fields = dict[str, Any]

FILTERS: dict[str, tuple[Any, Any]] = {
    "model": (str, typer.Option(help="Model, in any spelling.")),
    "scenario": (str, typer.Option(help="offline, server, interactive, singlestream or multistream.")),
    "round_name": (str, typer.Option("--round", help="Round, such as v6.1.")),
    "submitter": (str, typer.Option(help="Submitter.")),
    "accelerator": (str, typer.Option(help="Accelerator or family.")),
    "accelerators": (int, typer.Option(min=0, help="Number of accelerators that took part.")),
    "division": (str, typer.Option(help="closed or open.")),
    "availability": (str, typer.Option(help="available, preview or rdi.")),
}


def filtering(
    *names: str, needed: tuple[str, ...] = ()
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """A command with these options in the place of its parameter `fields`, which gets them as a dict.

    `needed` ones must be given.
    """

    def decorated(command: Callable[..., None]) -> Callable[..., None]:
        hints = get_type_hints(command, include_extras=True)
        parameters: list[inspect.Parameter] = []
        for own in inspect.signature(command).parameters.values():
            if own.name == "fields":
                parameters += [_parameter(name, name in needed) for name in (*needed, *names)]
            else:
                parameters.append(own.replace(kind=own.KEYWORD_ONLY, annotation=hints[own.name]))

        @functools.wraps(command)
        def run(**given: Any) -> None:
            fields = {name: given.pop(name) for name in (*needed, *names)}
            command(**given, fields=fields)

        run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        run.__annotations__ = {one.name: one.annotation for one in parameters}
        return run

    return decorated


def _parameter(name: str, needed: bool) -> inspect.Parameter:
    kind, option = FILTERS[name]
    annotation = Annotated[kind, option] if needed else Annotated[kind | None, option]
    default = inspect.Parameter.empty if needed else None
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
