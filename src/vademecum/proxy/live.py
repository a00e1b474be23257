"""Live sessions: what is kept in memory of those that go on, and how each is found again by its end."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from vademecum.archive.sqlite.locate import of_family
from vademecum.chain.memory import Memory
from vademecum.compactor import Compactor
from vademecum.compactor.memory import Sent
from vademecum.core.messages import Message

#: Sessions kept in memory, and the bytes of their messages; the others are read again when they go on.
MOST_LIVE = 128
MOST_BYTES = 96 << 20


@dataclass(slots=True, eq=False)
class Live:
    """A session in memory.

    Attributes:
        owner: Whose it is.
        family: The conversation's id; empty where the client sends none.
        name: Its id.
        compactor: What fits its requests.
        gate: Its requests pass one at a time, in the order in which they came.
        reported: Ends of replies that may hold a usage, with what they answered.
        messages: What the last request of it had.
        nodes: The ids of these.
        tools: Whether it is a conversation that offers tools.
        advice: Whether its system text gets the advice.
        busy: Requests on their way.
        chain: What is remembered of the upstreams, where there are several.
    """

    owner: str
    family: str
    name: str
    compactor: Compactor
    gate: asyncio.Lock = field(default_factory=asyncio.Lock)
    reported: deque[tuple[Sequence[bytes], Sent]] = field(default_factory=deque[tuple[Sequence[bytes], Sent]])
    messages: tuple[Message, ...] = ()
    nodes: tuple[bytes, ...] = ()
    tools: bool = False
    advice: bool = False
    busy: int = 0
    chain: Memory | None = None


class LiveSessions:
    """The sessions in memory, the one used last at the end."""

    def __init__(self) -> None:
        self._held: OrderedDict[tuple[str, str], Live] = OrderedDict()
        self._ends: dict[tuple[str, str, bytes], Live] = {}
        self._sizes: dict[tuple[str, str], int] = {}

    def get(self, owner: str, name: str) -> Live | None:
        """The session of that name, if it is in memory."""
        return self._held.get((owner, name))

    def recent(self, owner: str, family: str, most: int) -> Iterator[Live]:
        """Sessions of an owner and family, the one used last first."""
        found = 0
        for live in reversed(self._held.values()):
            if found == most:
                return
            if live.owner == owner and of_family(live.name, family):
                found += 1
                yield live

    def ending_in(self, owner: str, family: str, nodes: Sequence[bytes]) -> tuple[Live, int] | None:
        """The session whose last request is the longest beginning of a transcript, and its messages."""
        for count in range(len(nodes), 0, -1):
            live = self._ends.get((owner, family, nodes[count - 1]))
            if live is not None:
                return live, count
        return None

    def put(self, live: Live, messages: tuple[Message, ...], nodes: tuple[bytes, ...], size: int) -> None:
        """Notes what a session's newest request has, and its bytes; sessions that rest longest make room."""
        key = (live.owner, live.name)
        self._forget_end(live)
        live.messages, live.nodes = messages, nodes
        self._ends[live.owner, live.family, nodes[-1]] = live
        self._held[key] = live
        self._held.move_to_end(key)
        self._sizes[key] = size
        self._make_room()

    def forget(self, live: Live) -> None:
        """Lets go of a session whose archive has it no longer."""
        key = (live.owner, live.name)
        self._forget_end(live)
        self._held.pop(key, None)
        self._sizes.pop(key, None)

    def _make_room(self) -> None:
        total = sum(self._sizes.values())
        for key, live in list(self._held.items())[:-1]:
            if len(self._held) <= MOST_LIVE and total <= MOST_BYTES:
                return
            if live.busy:
                continue
            self._forget_end(live)
            del self._held[key]
            total -= self._sizes.pop(key)

    def _forget_end(self, live: Live) -> None:
        if live.nodes:
            end = (live.owner, live.family, live.nodes[-1])
            if self._ends.get(end) is live:
                del self._ends[end]
