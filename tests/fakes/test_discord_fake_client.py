"""The fake Discord with the real discord.py before it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import aiohttp
import discord
import pytest
from discord import app_commands
from discord.gateway import DiscordWebSocket
from discord.http import Route
from yarl import URL

from tests.fakes.discord import Channel, Discord, Guild, NotAnsweredError, ScenarioError, User

NONE = discord.AllowedMentions.none()


class Form(discord.ui.Modal, title="Settings"):
    """A form with a line and a menu."""

    days: discord.ui.TextInput[Any] = discord.ui.TextInput(label="Days", custom_id="days", default="7")
    words: discord.ui.Label[Any] = discord.ui.Label(
        text="Words",
        component=discord.ui.Select(
            custom_id="words",
            options=[
                discord.SelectOption(label="Many", value="m"),
                discord.SelectOption(label="Few", value="f"),
            ],
        ),
    )

    async def on_submit(self, interaction: discord.Interaction) -> None:
        assert isinstance(self.words.component, discord.ui.Select)
        said = f"{self.days.value} {self.words.component.values[0]}"
        await interaction.response.send_message(said, ephemeral=True)


class Buttons(discord.ui.View):
    """A button that opens the form, and one that changes its message."""

    @discord.ui.button(label="Settings", custom_id="settings")
    async def settings(self, interaction: discord.Interaction, _: Any) -> None:
        await interaction.response.send_modal(Form())

    @discord.ui.button(label="Change", custom_id="change")
    async def change(self, interaction: discord.Interaction, _: Any) -> None:
        await interaction.response.edit_message(content="changed")


class App(discord.AutoShardedClient):
    """A small bot that does a little of everything."""

    def __init__(self, fake: Discord, content: bool) -> None:
        wanted = discord.Intents(guilds=True, guild_messages=True, dm_messages=True, message_content=content)
        super().__init__(intents=wanted, allowed_mentions=NONE, guild_ready_timeout=0.05)
        self.fake, self.tree = fake, app_commands.CommandTree(self)
        self.gone: list[int] = []
        self.slow = 0.0

    async def setup_hook(self) -> None:
        """Commands, as discord.py sends them."""
        self.tree.add_command(app_commands.Command(name="check", description="Check", callback=self._check))
        self.tree.add_command(app_commands.ContextMenu(name="Check claims", callback=self._menu))
        self.tree.get_command("check").autocomplete("model")(self._models)  # type: ignore[union-attr]
        self.add_view(Buttons(timeout=None))
        await self.tree.sync()

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Do not wait the 5 seconds that the real Discord wants between two shards."""

    async def on_message(self, message: discord.Message) -> None:
        """Answer a mention, or what is said directly."""
        if message.author != self.user and (self.user in message.mentions or message.guild is None):
            await message.reply(f"read {len(message.content)}", view=Buttons(timeout=None))

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Keep what was left."""
        self.gone.append(guild.id)

    async def _check(self, interaction: discord.Interaction, text: str, model: str = "") -> None:
        await asyncio.sleep(self.slow)
        await interaction.response.defer(ephemeral=True, thinking=True)
        picture = discord.File(__file__, "picture.png", description="what is seen")
        await interaction.followup.send(f"{interaction.locale} {text} {model}", file=picture)
        await interaction.followup.send("for all")

    async def _menu(self, interaction: discord.Interaction, message: discord.Message) -> None:
        await interaction.response.send_message(message.content.upper())

    async def _models(self, _: discord.Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return [
            app_commands.Choice(name=one, value=one.lower()) for one in ("Llama", "Mixtral") if typed in one
        ]


@dataclass
class Stage:
    """A server with two people, and one where the app is only on people's accounts."""

    fake: Discord
    app: App
    acme: Guild
    general: Channel
    ann: User
    bob: User
    elsewhere: Channel


@asynccontextmanager
async def running(**how: Any) -> AsyncIterator[Stage]:
    """The stage with a connected client."""
    content, token = how.pop("content", False), how.pop("token", None)
    async with Discord(**how) as fake:
        ann, bob = fake.user("ann", admin=True), fake.user("bob", locale="de")
        acme, other = fake.guild("Acme", ann), fake.guild("Other", ann, bot=False)
        general, elsewhere = fake.channel(acme, "general"), fake.channel(other, "elsewhere")
        Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY = fake.api, URL(fake.gateway_url)
        async with App(fake, content) as app:
            task = asyncio.create_task(app.start(token or fake.token))
            try:
                await fake.until(lambda: task.done() or app.is_ready())
                if task.done():
                    await task
                yield Stage(fake, app, acme, general, ann, bob, elsewhere)
            finally:
                await app.close()
                await asyncio.gather(task, return_exceptions=True)


@pytest.fixture(autouse=True)
def _own_api(monkeypatch: pytest.MonkeyPatch) -> None:
    """What points elsewhere is put back."""
    monkeypatch.setattr(Route, "BASE", Route.BASE)
    monkeypatch.setattr(DiscordWebSocket, "DEFAULT_GATEWAY", DiscordWebSocket.DEFAULT_GATEWAY)


def play(scene: Callable[[Stage], Awaitable[None]], *, offences: int = 0, **how: Any) -> None:
    """A scene, after which the fake has so many objections."""

    async def whole() -> None:
        async with running(**how) as stage, asyncio.timeout(20):
            await scene(stage)
            assert len(stage.fake.offences) == offences, stage.fake.offences

    asyncio.run(whole())


def test_a_mention_is_answered_and_nobody_rings() -> None:
    async def scene(s: Stage) -> None:
        await s.bob.says(s.general, "talk among people")
        asked = await s.bob.mentions(s.general, "hello")
        (reply,) = await s.fake.answered(asked)
        assert reply.content == f"read {len(s.fake.me.mention) + 6}"
        assert reply.pings == []
        alone = await s.bob.tells("hi")
        assert [post.content for post in await s.fake.answered(alone)] == ["read 2"]
        await s.fake.settled()
        assert s.fake.reply_counts() == {asked.id: 1, alone.id: 1}

    play(scene)


def test_commands_in_the_readers_language_with_files_and_suggestions() -> None:
    async def scene(s: Stage) -> None:
        asked = await s.bob.runs("check", text="a claim", model="mixtral")
        first, second = await s.fake.answered(asked, 2)
        assert (first.content, first.ephemeral) == ("de a claim mixtral", True)
        assert first.attachments[0]["description"] == "what is seen"
        assert first.files[0][0] == "picture.png"
        assert not second.ephemeral
        assert s.fake.ephemerals(s.bob) == [first]
        assert s.fake.posts(s.general) == [second]
        assert await s.bob.types("check", "model", "M") == [{"name": "Mixtral", "value": "mixtral"}]
        with pytest.raises(ScenarioError, match="not filled in"):
            await s.bob.runs("check")
        with pytest.raises(ScenarioError, match="no such options"):
            await s.bob.runs("check", claim="x")
        with pytest.raises(ScenarioError, match="not offered"):
            await s.bob.runs("check", s.elsewhere, text="x")

    play(scene)


def test_a_menu_command_a_button_that_changes_its_message_and_a_form() -> None:
    async def scene(s: Stage) -> None:
        said = await s.ann.says(s.general, "quiet words")
        (shown,) = await s.fake.answered(await s.bob.menu("Check claims", said))
        assert shown.content == "QUIET WORDS"
        (reply,) = await s.fake.answered(await s.ann.mentions(s.general, "hello"))
        await s.ann.presses(reply, "Change")
        assert reply.content == "changed"
        pressed = await s.bob.presses(reply, "settings")
        assert pressed.modal is not None
        assert s.fake.modals(s.bob) == [pressed.modal]
        assert list(pressed.modal.fields) == ["days", "words"]
        (told,) = await s.fake.answered(await s.bob.submits(pressed.modal, words="Few"))
        assert (told.content, told.only_for) == ("7 f", s.bob)
        assert s.fake.modals(s.bob) == []

    play(scene)


def test_an_answer_that_comes_too_late_is_none() -> None:
    async def scene(s: Stage) -> None:
        s.app.slow = 0.3
        with pytest.raises(NotAnsweredError):
            await s.bob.runs("check", text="x")
        await s.fake.until(lambda: s.fake.offences)
        assert "10062" in s.fake.offences[0]

    play(scene, offences=1, answer_within=0.1)


@pytest.mark.parametrize("how", [{"retry_after": 0.1}, {"status": 502}], ids=["429", "502"])
def test_the_client_tries_again(how: dict[str, Any]) -> None:
    async def scene(s: Stage) -> None:
        s.fake.fail("POST", "/messages", **how)
        asked = await s.bob.mentions(s.general, "hello")
        assert len(await s.fake.answered(asked)) == 1
        posts = [one for one in s.fake.requests if one == ("POST", f"/channels/{s.general.id}/messages")]
        assert len(posts) == 2

    play(scene)


def test_a_post_whose_answer_was_lost_is_one_message_under_its_nonce() -> None:
    async def scene(s: Stage) -> None:
        channel = s.app.get_partial_messageable(int(s.general.id))
        s.fake.fail("POST", "/messages", lose="answer")
        with pytest.raises((aiohttp.ClientError, OSError)):
            await channel.send("once", nonce="key")
        again = await channel.send("once", nonce="key")
        assert [post.id for post in s.fake.posts()] == [str(again.id)]
        # The library's own nonce is a new one each time.
        await channel.send("once")
        assert len(s.fake.posts()) == 2

    play(scene)


def test_a_lost_connection_is_resumed_and_an_ended_session_begins_anew() -> None:
    async def scene(s: Stage) -> None:
        await s.fake.gateway.drop()
        missed = await s.bob.mentions(s.general, "missed")
        await s.fake.answered(missed)
        assert (s.fake.gateway.identified, s.fake.gateway.resumed) == (1, 1)
        await s.fake.gateway.ask_to_reconnect()
        await s.fake.until(lambda: s.fake.gateway.resumed == 2)
        await s.fake.gateway.invalidate()
        await s.fake.until(lambda: s.fake.gateway.identified == 2)
        await s.fake.answered(await s.bob.mentions(s.general, "hello"))

    play(scene)


@pytest.mark.parametrize(
    ("how", "error"),
    [({"content": True}, discord.PrivilegedIntentsRequired), ({"token": "wrong"}, discord.LoginFailure)],
    ids=["4014", "token"],
)
def test_what_the_client_makes_of_a_refusal(how: dict[str, Any], error: type[Exception]) -> None:
    async def whole() -> None:
        async with running(**how):
            raise AssertionError("connected")

    with pytest.raises(error):
        asyncio.run(whole())


def test_servers_come_and_go() -> None:
    async def scene(s: Stage) -> None:
        await s.fake.outage(s.acme)
        await s.fake.outage(s.acme, over=True)
        await s.fake.removes_bot(s.acme)
        await s.fake.until(lambda: s.app.gone)
        assert s.app.gone == [int(s.acme.id)]
        assert s.elsewhere.guild is not None
        await s.fake.invites(s.elsewhere.guild)
        asked = await s.bob.mentions(s.elsewhere, "hello")
        await s.fake.answered(asked)

    play(scene)


def test_two_shards_each_with_its_own() -> None:
    async def scene(s: Stage) -> None:
        assert s.fake.gateway.identified == 2
        for asked in (await s.bob.mentions(s.general, "hello"), await s.bob.tells("hi")):
            await s.fake.answered(asked)
        await s.fake.settled()
        assert max(s.fake.reply_counts().values()) == 1

    play(scene, shards=2)
