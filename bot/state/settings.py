"""What people set in chat, and who changed what."""

from __future__ import annotations

import json
from typing import Any

import sqlalchemy as sa

from bot.events import Place, Platform
from bot.preferences import Layer, Preferences, Scope, merged
from bot.state.base import Base
from bot.state.records import Change
from bot.state.tables import changes
from bot.state.tables import preferences as table

# Where one account is the same person in every workspace: what they set holds in all of them, and
# does not go when one of the workspaces goes.
SAME_PERSON_EVERYWHERE: frozenset[Platform] = frozenset({"discord"})

ORDER: tuple[Scope, ...] = ("workspace", "channel", "person")


class ChatSettings(Base):
    """Preferences by scope. The values are those of `bot.preferences.checked`."""

    async def layers(self, place: Place, person: str = "") -> list[Layer]:
        """What is set for the workspace, the channel and the person, in this order."""
        wanted = [
            sa.and_(*(table.c[name] == value for name, value in _scope(scope, place, person).items()))
            for scope in ORDER
        ]
        found: dict[str, Layer] = {scope: {} for scope in ORDER}
        async with self._read() as connection:
            columns = (table.c.scope, table.c.name, table.c.value)
            for row in await connection.execute(sa.select(*columns).where(sa.or_(*wanted))):
                found[row.scope][row.name] = row.value
        return [found[scope] for scope in ORDER]

    async def preferences(self, place: Place, person: str = "") -> Preferences:
        """What holds for a person in a place."""
        return merged(await self.layers(place, person))

    async def set(
        self, scope: Scope, place: Place, name: str, value: Any, by: str, *, person: str = ""
    ) -> None:
        """Keep one checked value, or forget it with None, and note who did it.

        The scope's ID is taken from the place; for a person it is `person`, else `by`.
        """
        key = _scope(scope, place, person or by)
        async with self._write() as connection:
            if value is None:
                gone = sa.and_(*(table.c[k] == v for k, v in key.items()), table.c.name == name)
                await connection.execute(table.delete().where(gone))
            else:
                await connection.execute(self._put(table, **key, name=name, value=value))
            note = {**key, "name": name, "by": by, "at": self._clock()}
            note["value"] = None if value is None else json.dumps(value, ensure_ascii=False)
            await connection.execute(changes.insert().values(**note))

    async def changes(self, platform: Platform, workspace: str, limit: int = 20) -> list[Change]:
        """The newest changes of a workspace's and its channels' settings, the newest first.

        What people set for themselves is left out: it is nobody else's business.
        """
        wanted = (
            sa.select(changes)
            .where(changes.c.platform == platform, changes.c.workspace == workspace)
            .where(changes.c.scope != "person")
            .order_by(changes.c.id.desc())
            .limit(limit)
        )
        async with self._read() as connection:
            return [
                Change(row.scope, row.scope_id, row.name, row.value, row.by, row.at)
                for row in await connection.execute(wanted)
            ]


def _scope(scope: Scope, place: Place, person: str) -> dict[str, str]:
    ids: dict[Scope, str] = {"workspace": place.workspace, "channel": place.channel, "person": person}
    everywhere = scope == "person" and place.platform in SAME_PERSON_EVERYWHERE
    workspace = "" if everywhere else place.workspace
    return {"platform": place.platform, "workspace": workspace, "scope": scope, "scope_id": ids[scope]}
