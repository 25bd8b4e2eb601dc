"""`/smallprint …` and "Check claims": names, options, suggestions, in English and German."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import discord
from discord import app_commands
from discord.app_commands import Choice, Transform, Transformer, locale_str

from bot.discord.forms import SCOPES, TOPICS
from bot.wording import Language, scenario_name, words

if TYPE_CHECKING:
    from bot.discord.interactions import Interactions
    from bot.service.service import NameKind

TEXT = 4_000  # developers/interactions/application-commands.mdx, a string option holds 6,000
NAME = 100
SCENARIOS = ("offline", "server", "interactive", "singlestream", "multistream")

Asked = discord.Interaction[Any]


def word(key: str) -> locale_str:
    """A name or description of the catalogue, in English, to be translated for each locale."""
    return locale_str(words("en")(f"discord.{key}"), key=f"discord.{key}")


def language_of(locale: object) -> Language:
    """The language for a locale of Discord's ("de", "en-GB")."""
    return "de" if str(locale or "").lower().startswith("de") else "en"


class Translator(app_commands.Translator):
    """German for `de`; English by name too for both of its locales, because each falls back to the other."""

    async def translate(
        self,
        string: locale_str,
        locale: discord.Locale,
        context: app_commands.TranslationContextTypes,
    ) -> str | None:
        """The word in a locale, None for one that we do not speak."""
        if "key" not in string.extras or locale.value not in ("de", "en-US", "en-GB"):
            return None
        return words(language_of(locale.value))(string.extras["key"])


class Name(Transformer):
    """An option that suggests stored names while one types."""

    def __init__(self, kind: NameKind) -> None:
        self._kind = kind

    async def transform(self, interaction: Asked, value: str, /) -> str:
        """What was typed, whether it was suggested or not."""
        return value[:NAME]

    async def autocomplete(
        self, interaction: Asked, value: str | int | float, /
    ) -> list[Choice[str | int | float]]:
        """At most 25 stored names that hold what is typed."""
        found = await answers(interaction).names(self._kind, str(value))
        return [Choice(name=label[:NAME] or name, value=name) for label, name in found if len(name) <= NAME]


Model = Transform[str, Name("model")]
Accelerator = Transform[str, Name("accelerator")]
Round = Transform[str, Name("round")]
SCENARIO_CHOICES = [Choice(name=scenario_name(value), value=value) for value in SCENARIOS]


def answers(interaction: Asked) -> Interactions:
    """Who answers what is typed and pressed."""
    found: Interactions = interaction.client.presses
    return found


TOPIC_CHOICES = [Choice(name=word(f"topic.{value}"), value=value) for value in TOPICS]
SCOPE_CHOICES = [Choice(name=word(f"scope.{value}"), value=value) for value in SCOPES]


def describe(*names: str, **others: str) -> Callable[[Any], Any]:
    """Localised names and descriptions of a command's options."""
    keys = {**{name: name for name in names}, **others}

    def both(function: Any) -> Any:
        named = app_commands.rename(**{name: word(f"name.{key}") for name, key in keys.items()})(function)
        about = {name: word(f"about.{ABOUT.get(key, key)}") for name, key in keys.items()}
        return app_commands.describe(**about)(named)

    return both


ABOUT = {"first": "accelerator", "second": "accelerator"}


class Smallprint(app_commands.Group):
    """/smallprint …: every answer is seen by the one person only, until it is shared."""

    def __init__(self) -> None:
        super().__init__(name="smallprint", description=word("about.group"))

    @app_commands.command(name=word("name.check"), description=word("about.check"))
    @describe("text")
    async def check(self, interaction: Asked, text: app_commands.Range[str, 1, TEXT]) -> None:
        """Read the claims of a text or of a linked post."""
        await answers(interaction).command(interaction, "check", text)

    @app_commands.command(name=word("name.rank"), description=word("about.rank"))
    @app_commands.choices(scenario=SCENARIO_CHOICES)
    @describe("model", "scenario", "accelerator", round_="round")
    async def rank(
        self,
        interaction: Asked,
        model: Model,
        scenario: str,
        round_: Round | None = None,
        accelerator: Accelerator | None = None,
    ) -> None:
        """Places of a benchmark."""
        await answers(interaction).command(interaction, "rank", model, scenario, round_, accelerator)

    @app_commands.command(name=word("name.compare"), description=word("about.compare"))
    @app_commands.choices(scenario=SCENARIO_CHOICES)
    @describe("first", "second", "model", "scenario", round_="round")
    async def compare(
        self,
        interaction: Asked,
        first: Accelerator,
        second: Accelerator,
        model: Model | None = None,
        scenario: str | None = None,
        round_: Round | None = None,
    ) -> None:
        """Two accelerators, like for like."""
        await answers(interaction).command(
            interaction, "compare", first, "vs", second, model, scenario, round_
        )

    @app_commands.command(name=word("name.deltas"), description=word("about.deltas"))
    @describe("accelerator", "model", round_="round")
    async def deltas(
        self,
        interaction: Asked,
        round_: Round,
        accelerator: Accelerator | None = None,
        model: Model | None = None,
    ) -> None:
        """What moved since a round."""
        await answers(interaction).command(interaction, "deltas", round_, accelerator, model)

    @app_commands.command(name=word("name.digest"), description=word("about.digest"))
    @describe("options")
    async def digest(
        self, interaction: Asked, options: app_commands.Range[str, 1, 200] | None = None
    ) -> None:
        """The weekly digest of the channel."""
        await answers(interaction).command(interaction, "digest", options)

    @app_commands.command(name=word("name.settings"), description=word("about.settings"))
    @app_commands.choices(topic=TOPIC_CHOICES, scope=SCOPE_CHOICES)
    @describe("topic", "scope")
    async def settings(self, interaction: Asked, topic: str | None = None, scope: str | None = None) -> None:
        """The settings that hold here; with a topic, a form that changes them."""
        if topic is None:
            await answers(interaction).command(interaction, "settings")
        else:
            await answers(interaction).form(interaction, topic, scope)

    @app_commands.command(name=word("name.why"), description=word("about.why"))
    async def why(self, interaction: Asked) -> None:
        """Why there was an answer here, or none."""
        await answers(interaction).why(interaction)

    @app_commands.command(name=word("name.help"), description=word("about.help"))
    async def help(self, interaction: Asked) -> None:
        """What can be asked."""
        await answers(interaction).command(interaction, "help")

    @app_commands.command(name=word("name.privacy"), description=word("about.privacy"))
    async def privacy(self, interaction: Asked) -> None:
        """What is kept."""
        await answers(interaction).command(interaction, "privacy")

    @app_commands.command(name=word("name.forget"), description=word("about.forget"))
    async def forget(self, interaction: Asked) -> None:
        """Delete what is kept of a person, once that is confirmed."""
        await answers(interaction).forget(interaction)


async def check_message(interaction: Asked, message: discord.Message) -> None:
    """Check claims, from a message's menu."""
    await answers(interaction).check(interaction, message)


def add_commands(tree: app_commands.CommandTree[Any]) -> None:
    """All commands, for guilds and for people, in channels and in direct conversations."""
    tree.allowed_installs = app_commands.AppInstallationType(guild=True, user=True)
    tree.allowed_contexts = app_commands.AppCommandContext(guild=True, dm_channel=True, private_channel=True)
    tree.add_command(Smallprint())
    tree.add_command(app_commands.ContextMenu(name=word("name.menu"), callback=check_message))
