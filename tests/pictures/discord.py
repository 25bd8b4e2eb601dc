"""Messages as Discord draws them: simcord's preview of its Discord in memory, our edge and core behind it."""

from __future__ import annotations

import asyncio
import json
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

import discord

from bot.discord.drawing import embeds_of, view_of
from bot.page import Page as Told
from bot.render.discord import page as rendered
from tests.bot.discord.simulated import Stage, stage
from tests.browser import Page, browser
from tests.pictures.replies import ID

WIDTH, HEIGHT = 720, 1400  # of a channel's column; high enough for the longest message
FRAME = 600  # what the preview draws round the message
SCALE = 1.5
MESSAGE = "#focused-content"
# As high as what stands in it, not as the window.
WHOLE = {"height": "max-content", "alignSelf": "start", "paddingTop": "12px", "paddingBottom": "12px"}
READY = "window.simcordPreview && window.simcordPreview.ready === true"


async def pictures(claims: Mapping[str, str], digest: Told) -> dict[str, bytes]:
    """What we say to each claim, in a channel of its own kind, and the digest: PNG by name."""
    with tempfile.TemporaryDirectory(prefix="smallprint-pictures-") as folder:
        async with stage(Path(folder)) as made:
            await guild(made).me.edit(nick="Smallprint")
            found = {}
            for name, claim in claims.items():
                await made.asks(claim)
                found[name] = await picture(made, made.ours()[-1])
            found["digest"] = await picture(made, await posted(made, digest))
            return found


def guild(made: Stage) -> discord.Guild:
    """The server as our client knows it."""
    known = made.edge.bot.get_guild(made.guild.id)
    assert known is not None
    return known


async def posted(made: Stage, told: Told) -> discord.Message:
    """A page as the digest stands in a channel."""
    message = rendered(told, reply_id=ID, digest=True)
    channel = cast("discord.TextChannel", made.edge.bot.get_channel(made.channel.id))
    view: Any = view_of(message.rows)
    return await channel.send(message.content, embeds=embeds_of(message), view=view)


async def picture(made: Stage, message: discord.Message) -> bytes:
    """One message as PNG, as bob sees it."""
    where = next(one for one in (made.channel, *made.channel.threads) if one.id == message.channel.id)
    async with made.env.preview(
        where, viewers=[made.bob], display="fixed", width=WIDTH, height=HEIGHT
    ) as preview:
        await preview.show(message)
        # The browser is driven from a thread: the preview is served by this loop.
        return await asyncio.to_thread(shot, preview.url)


def shot(address: str) -> bytes:
    """The message of a preview."""
    with browser() as page:
        page.size(WIDTH + FRAME, HEIGHT + FRAME, scale=SCALE)
        page.open(address)
        ready(page)
        page.run(f"Object.assign(document.querySelector('{MESSAGE}').style, {json.dumps(WHOLE)})")
        return page.picture(MESSAGE)


def ready(page: Page) -> None:
    """Wait until the preview has drawn its message."""
    page.run(
        "new Promise((done, late) => { const end = Date.now() + 15000; const look = () => "
        f"({READY}) ? done() : Date.now() > end ? late(new Error('not drawn')) : setTimeout(look, 50);"
        " look(); })"
    )
