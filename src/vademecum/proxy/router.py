"""Routing: which session a request goes on with.

A session is what the client names; within that, and where it names nothing, it is the one whose
transcript the request continues: by the longest known beginning, else by the ids of its tool calls. A
request that leaves a known transcript before its end is a branch with a session of its own, so that two
sub-agents which begin alike never mix. Titles, routers and the client's own summaries share ids or
beginnings with a session; they get branches or sessions of their own and never advance it.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass

from vademecum.archive import Archive, Session
from vademecum.compactor import Compactor, session_name
from vademecum.core.alignment import Key, align
from vademecum.core.dialect import Dialect
from vademecum.core.identity import chain
from vademecum.core.messages import Message
from vademecum.proxy.caller import Caller
from vademecum.proxy.config import ProxyConfig

#: Sessions whose state is kept in memory; the others are read again when they go on.
_MOST_LIVE = 128
#: Sessions that are compared with a transcript whose beginning is not known: the ones used last.
_LOOK_AT = 6
_ENOUGH = 0.9


@dataclass(slots=True)
class _Live:
    compactor: Compactor
    session: Session
    keys: tuple[Key, ...] = ()


class Router:
    """Finds or makes the session of each request.

    Args:
        config: The proxy's settings.
    """

    def __init__(self, config: ProxyConfig) -> None:
        self._config = config
        self._archives: dict[str, Archive] = {}
        self._live: OrderedDict[tuple[str, str], _Live] = OrderedDict()
        self._lock = threading.RLock()

    def archive(self, owner: str) -> Archive:
        """The archive as an owner sees it."""
        with self._lock:
            if owner not in self._archives:
                self._archives[owner] = Archive.open(self._config.db, owner=owner)
            return self._archives[owner]

    def close(self) -> None:
        """Closes the archive."""
        with self._lock:
            for archive in self._archives.values():
                archive.close()

    def compactor(
        self, caller: Caller, dialect: Dialect, messages: Sequence[Message], *, system: object, has_tools: bool
    ) -> Compactor:
        """The compactor of the session that a request goes on with.

        Args:
            caller: Who sends it.
            dialect: Its wire format.
            messages: Its messages.
            system: The system text where it stands outside the messages.
            has_tools: Whether it offers tools; one without is seldom the agent's main conversation.
        """
        with self._lock:
            archive = self.archive(caller.owner)
            keys = tuple(Key.of(message) for message in messages)
            name = caller.conversation
            if not caller.explicit:
                name = self._recognised(archive, caller, messages, keys) or self._new_name(
                    archive, caller, dialect, messages, system=system, has_tools=has_tools
                )
            live = self._held(archive, caller.owner, name, dialect)
            live.keys = keys
            return live.compactor

    def _recognised(
        self, archive: Archive, caller: Caller, messages: Sequence[Message], keys: tuple[Key, ...]
    ) -> str | None:
        """The session that a request continues, or a new branch of one."""
        prefix = caller.conversation
        nodes = chain(messages)
        found = archive.locate(nodes, prefix)
        if found is not None and (found.grows or found.messages == len(nodes)):
            return found.session
        edited = self._edited(archive, caller, keys)
        if edited is not None:
            return edited
        # Sharing nothing but a system row or the first words is no branch of anything.
        heads = sum(message.role == "system" for message in messages)
        if found is None or found.messages <= heads:
            return None
        return archive.fork(found.run, found.messages, self._free(archive, found.session))

    def _edited(self, archive: Archive, caller: Caller, keys: tuple[Key, ...]) -> str | None:
        """A session whose history the client has changed: most of it is recognised, and its end is there."""
        calls = [call for key in keys for call in key.calls]
        voted = archive.locate_by_calls(calls, caller.conversation) if calls else None
        names = [voted] if voted is not None else []
        recent = [name for owner, name in reversed(self._live) if owner == caller.owner][: _LOOK_AT * 4]
        names += [name for name in recent if name.startswith(caller.conversation) and name != voted][:_LOOK_AT]
        for name in names:
            live = self._live.get((caller.owner, name))
            known = live.keys if live is not None else _stored_keys(archive, name)
            if _continues(known, keys):
                return name
        return None

    def _new_name(
        self,
        archive: Archive,
        caller: Caller,
        dialect: Dialect,
        messages: Sequence[Message],
        *,
        system: object,
        has_tools: bool,
    ) -> str:
        base = caller.conversation or session_name(messages, system)
        if caller.conversation and not has_tools:
            base = f"{base}~side"
        name = self._free(archive, base)
        archive.session(name, format=dialect.name, source="proxy")
        return name

    def _free(self, archive: Archive, base: str) -> str:
        stem = base.split("~b", maxsplit=1)[0]
        name, number = base, 1
        while archive.has(name):
            number += 1
            name = f"{stem}~b{number}"
        return name

    def _held(self, archive: Archive, owner: str, name: str, dialect: Dialect) -> _Live:
        key = (owner, name)
        if key in self._live:
            self._live.move_to_end(key)
            return self._live[key]
        session = archive.session(name, format=dialect.name, source="proxy")
        budget = self._config.budget
        compactor = Compactor(
            window=budget.window.tokens,
            session=session,
            max_output=budget.max_output,
            preset=self._config.preset,
            trigger=self._config.trigger,
            target=self._config.target,
        )
        self._live[key] = _Live(compactor, session)
        if len(self._live) > _MOST_LIVE:
            self._live.popitem(last=False)
        return self._live[key]


def _continues(known: Sequence[Key], sent: Sequence[Key]) -> bool:
    """Whether a transcript is a known one with changes inside: nine tenths of it, and its last message."""
    if len(known) < 2 or len(sent) < len(known) * _ENOUGH:
        return False
    alignment = align(known, sent)
    if not alignment.pairs or alignment.pairs[-1][0] < len(known) - 1:
        return False
    return alignment.share(len(known), known, sent) >= _ENOUGH


def _stored_keys(archive: Archive, name: str) -> tuple[Key, ...]:
    from vademecum.compactor.intake import known_of

    return tuple(Key.of(message) for message in known_of(archive.existing(name)).transcript.messages)
