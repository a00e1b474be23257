"""Routing: which session a request goes on with.

A session is what the client names; within that, and where it names nothing, it is the one whose
transcript the request continues: by the longest known beginning, else by the ids of its tool calls. A
request that leaves a known transcript before its end is a branch with a session of its own, so that two
sub-agents which begin alike never mix. Titles, routers and the client's own summaries share ids or
beginnings with a session; they get branches or sessions of their own and never advance it.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence

from vademecum.archive import Archive
from vademecum.archive.sqlite.connection import Connection
from vademecum.archive.sqlite.locate import Found, newest
from vademecum.compactor import Compactor, session_name
from vademecum.compactor.intake import known_of
from vademecum.core.messages import Message
from vademecum.proxy.body import Asked
from vademecum.proxy.caller import Caller
from vademecum.proxy.config import ProxyConfig
from vademecum.proxy.kinship import continues
from vademecum.proxy.live import Live, LiveSessions

#: Sessions that are compared with a transcript whose beginning is not known: the ones used last.
_LOOK_AT = 6
_TOOLS = "tools"


class Router:
    """Finds or makes the session of each request.

    Args:
        config: The proxy's settings.
    """

    def __init__(self, config: ProxyConfig) -> None:
        self._config = config
        self._connection: Connection | None = None
        self._live = LiveSessions()
        self._lock = threading.RLock()

    def open(self) -> None:
        """Opens the archive, if it is not open.

        Raises:
            ArchiveError: It cannot be opened.
        """
        with self._lock:
            if self._connection is None:
                self._connection = Connection(self._config.db.expanduser(), patience=self._config.patience)

    def close(self) -> None:
        """Closes the archive."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None

    def archive(self) -> Archive:
        """The archive, as nobody in particular sees it."""
        with self._lock:
            self.open()
            assert self._connection is not None  # noqa: S101  # opened in the line before
            return Archive(self._connection)

    def routed(self, caller: Caller, request: Asked) -> Live:
        """The session that a request goes on with; it is busy until `done` is told.

        Args:
            caller: Who sends it.
            request: The request.
        """
        with self._lock:
            self.open()
            assert self._connection is not None  # noqa: S101  # opened in the line before
            archive = Archive(self._connection, caller.owner)
            family = f"={caller.conversation}" if caller.explicit else caller.conversation
            name = caller.conversation if caller.explicit else self._recognised(archive, caller, request)
            live = self._held(archive, family, name or self._new_name(archive, caller, request), request)
            live.busy += 1
            self._live.put(live, request.messages, request.nodes, len(request.scan.body))
            return live

    def hold(self, live: Live) -> None:
        """Says that a request of a session is tried once more; it is busy until `done` is told."""
        with self._lock:
            live.busy += 1

    def done(self, live: Live) -> None:
        """Says that a request of a session is through."""
        with self._lock:
            live.busy -= 1

    def _recognised(self, archive: Archive, caller: Caller, request: Asked) -> str | None:
        """The session that a request continues, or a new branch of one."""
        family, nodes = caller.conversation, request.nodes
        ending = self._live.ending_in(archive.owner, family, nodes)
        if ending is not None and not _known_further(archive, family, nodes, ending[1]):
            name, shared = ending[0].name, ending[1]
        else:
            found = archive.locate(nodes, family)
            shared = 0 if found is None else found.messages
            if found is not None and shared > request.heads and self._grows(archive.owner, found, nodes):
                name = found.session
            else:
                name = self._edited(archive, family, request, begins_alike=shared > request.heads)
            if name is None and found is not None and shared > request.heads:
                return archive.fork(found.run, shared, self._free(archive, found.session))
        if name is None:
            return self._moved(archive, caller, request) if family else None
        return self._aside(archive, family, name, request) if self._is_aside(archive, name, request) else name

    def _grows(self, owner: str, found: Found, nodes: Sequence[bytes]) -> bool:
        """Whether a session ends where it was found: a request that is on its way is not archived yet."""
        live = self._live.get(owner, found.session)
        return found.grows and (live is None or not live.nodes or live.nodes[-1] == nodes[found.messages - 1])

    def _is_aside(self, archive: Archive, name: str, request: Asked) -> bool:
        """Whether a request is a call aside: without tools, in a conversation that has them."""
        if request.tools:
            return False
        live = self._live.get(archive.owner, name)
        if live is not None:
            return live.tools
        held = archive.existing(name).recall_state(_TOOLS)
        return held is not None and bool(held["offered"])

    def _aside(self, archive: Archive, family: str, name: str, request: Asked) -> str | None:
        """A branch for a call aside, or None where it has nothing but system rows in common."""
        found = archive.locate(request.nodes, family)
        if found is None or found.messages <= request.heads:
            return None
        return archive.fork(found.run, found.messages, self._free(archive, f"{_stem(name)}~side"))

    def _edited(self, archive: Archive, family: str, request: Asked, *, begins_alike: bool) -> str | None:
        """A session whose history the client has changed: most of it is recognised, and its end is there."""
        calls = [part.call_id for message in request.messages for part in message.parts if part.call_id]
        voted = archive.locate_by_calls(calls, family) if calls else None
        names = [live.name for live in self._live.recent(archive.owner, family, _LOOK_AT) if live.name != voted]
        if voted is not None:
            names.insert(0, voted)
        elif begins_alike and len(names) < _LOOK_AT:
            # After a restart nothing is in memory, and without calls there is nothing to vote.
            with archive.connection.reading() as db:
                names += [name for name in newest(db, archive.owner, family, _LOOK_AT) if name not in names]
        for name in names:
            live = self._live.get(archive.owner, name)
            known = live.messages if live is not None else _stored(archive, name)
            if continues(known, request.messages):
                return name
        return None

    def _moved(self, archive: Archive, caller: Caller, request: Asked) -> str | None:
        """A branch of another conversation, whose history the client took over under a new id."""
        found = archive.locate(request.nodes)
        if found is None or 2 * found.messages < len(request.nodes):
            return None
        if not any(message.role == "assistant" for message in request.messages[: found.messages]):
            return None
        return archive.fork(found.run, found.messages, self._free(archive, caller.conversation))

    def _new_name(self, archive: Archive, caller: Caller, request: Asked) -> str:
        if caller.explicit:
            return caller.conversation
        base = caller.conversation or session_name(request.messages, request.system)
        if caller.conversation and not request.tools:
            base = f"{base}~side"
        return self._free(archive, base)

    def _free(self, archive: Archive, base: str) -> str:
        stem = base.split("~b", maxsplit=1)[0]
        name, number = base, 1
        while archive.has(name):
            number += 1
            name = f"{stem}~b{number}"
        return name

    def _held(self, archive: Archive, family: str, name: str, request: Asked) -> Live:
        live = self._live.get(archive.owner, name)
        if live is not None:
            if archive.has(name):
                return live
            self._live.forget(live)  # it was removed; the conversation goes on, so it begins anew
        session = archive.session(name, format=request.dialect.name, source="proxy")
        budget = self._config.budget
        compactor = Compactor(
            window=budget.window,
            session=session,
            max_output=budget.max_output,
            preset=self._config.preset,
            trigger=self._config.trigger,
            target=self._config.target,
            token_compression=self._config.token_compression,
            summarizer=self._config.summarizer,
            key=self._config.key,
            workspace=self._config.workspace,
            pin_cap=self._config.pin_cap,
        )
        held = session.recall_state(_TOOLS)
        tools = bool(request.tools) if held is None else bool(held["offered"])
        # The system text of a session never changes within it: what was chosen at its first request stays.
        advice = tools and self._config.advice if held is None else bool(held.get("advice"))
        if held is None:
            session.remember_state(_TOOLS, {"offered": tools, "advice": advice})
        return Live(archive.owner, family, name, compactor, tools=tools, advice=advice)


def _stem(name: str) -> str:
    return name.split("~", maxsplit=1)[0]


def _known_further(archive: Archive, family: str, nodes: Sequence[bytes], count: int) -> bool:
    """Whether some session has more of a transcript than its first `count` messages."""
    if count == len(nodes):
        return False
    # A node stands for all that is before it, so one look-up is enough.
    return archive.locate(nodes[count : count + 1], family) is not None


def _stored(archive: Archive, name: str) -> tuple[Message, ...]:
    return known_of(archive.existing(name)).transcript.messages
