"""Bodies: what a request asks, read once for each message however often it comes again."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from vademecum.core.dialect import Dialect
from vademecum.core.messages import Message, Wire
from vademecum.core.windows import plausible
from vademecum.errors import VademecumError
from vademecum.proxy.encoding import decoded
from vademecum.proxy.endpoints import format_of, model_in
from vademecum.proxy.recent import Chains, Recent
from vademecum.proxy.scan import Scan, Way, scan, value_of
from vademecum.proxy.upstream_state import UPSTREAM_STATE, continues_upstream, manages
from vademecum.wire import dialect
from vademecum.wire.bodies import BODIES, outside_of
from vademecum.wire.values import at, encoded, mapping, string

#: An id that clients send for the provider's cache: it is that of the conversation.
_CONVERSATION = "prompt_cache_key"
#: Fields that are looked at in every format.
_ALWAYS = ("thinking", "model", _CONVERSATION)
#: Formats in which a text may stand instead of the list, and the item that it stands for.
_TEXT_ALONE = ("openai-responses",)
_ITEM = b'{"role":"user","content":%s}'
#: Bytes whose reading is remembered, of messages and of other fields each.
_MOST_BYTES = 24 << 20


@dataclass(frozen=True, slots=True)
class Asked:
    """A request that was understood.

    Attributes:
        scan: The body taken apart.
        dialect: Its wire format.
        messages: Its messages.
        nodes: Their ids as a chain.
        outside: The fields beside the messages that matter.
        limits: The output limits that the client asks for, by the way to each.
        model: The model that is asked; empty where none is named.
    """

    scan: Scan
    dialect: Dialect
    messages: tuple[Message, ...]
    nodes: tuple[bytes, ...]
    outside: Mapping[str, Any] = field(default_factory=dict[str, Any])
    limits: Mapping[Way, int] = field(default_factory=dict[Way, int])
    model: str = ""

    @property
    def wires(self) -> list[Wire]:
        """The messages as JSON data."""
        return [message.wire for message in self.messages]

    @property
    def heads(self) -> int:
        """How many system rows there are: sharing these alone is no kinship."""
        return sum(message.role == "system" for message in self.messages)

    @property
    def system(self) -> object:
        """The system text beside the messages; None where there is none."""
        return outside_of(self.dialect.name, self.outside)[0]

    @property
    def tools(self) -> object:
        """The tools that are offered; None where there are none."""
        return outside_of(self.dialect.name, self.outside)[1]

    @property
    def num_ctx(self) -> int | None:
        """The window that the request has its runtime set aside; None where it says nothing of it."""
        found = at(self.outside, ("options", "num_ctx")) if self.dialect.name == "ollama" else None
        return found if isinstance(found, int) and not isinstance(found, bool) and plausible(found) else None

    @property
    def conversation(self) -> str:
        """The id of its conversation that a client may send in the body; empty without one."""
        return string(self.outside.get(_CONVERSATION))

    @property
    def kept_upstream(self) -> bool:
        """Whether the provider itself shortens the context, so that it is not ours to compact."""
        return manages(self.dialect.name, self.outside, self.messages)

    def written(self, rows: Sequence[bytes] | None, limits: Mapping[Way, int], model: str = "") -> bytes:
        """The request with other messages (None keeps them), other output limits and another model (empty: its own).

        Whatever stays keeps its bytes.
        """
        values = {way: str(value).encode() for way, value in limits.items()}
        if model and "model" in self.scan.spans:
            values["model",] = encoded(model)
        return self.scan.written(rows, values)


class Reader:
    """Reads bodies; a message whose bytes came before is not parsed again."""

    def __init__(self) -> None:
        self._messages = Recent[tuple[str, bytes], Message](_MOST_BYTES)
        self._fields = Recent[bytes, Any](_MOST_BYTES)
        self._chains = Chains()
        self._lock = threading.Lock()

    def asked(self, path: str, body: bytes, encoding: str = "") -> Asked | None:
        """What a request asks; None when it is to be forwarded unread.

        Args:
            path: The endpoint.
            body: Its bytes as they came.
            encoding: Its content encoding.
        """
        name = format_of(path)
        plain = decoded(body, encoding)
        if name is None or not plain:
            return None
        found = scan(plain, BODIES[name].messages)
        if found is None or not found.rows or (found.alone and name not in _TEXT_ALONE):
            return None
        with self._lock:
            outside = {key: self._field(found.raw(key)) for key in _looked_at(name) if key in found.spans}
        if continues_upstream(name, outside):
            return None
        chosen = dialect(name)
        try:
            messages = self._read(chosen, [_ITEM % found.rows[0]] if found.alone else found.rows)
        except (VademecumError, ValueError, RecursionError):
            # The provider is the one to say what is wrong with it.
            return None
        with self._lock:
            nodes = self._chains.of(messages)
        model = string(outside.get("model")) or model_in(path)
        return Asked(found, chosen, messages, nodes, outside, _limits(name, found, outside), model)

    def _read(self, chosen: Dialect, rows: Sequence[bytes]) -> tuple[Message, ...]:
        name = chosen.name
        with self._lock:
            held = [self._messages.get((name, raw)) for raw in rows]
        fresh = {index: _loaded(chosen, rows[index], index) for index, message in enumerate(held) if message is None}
        with self._lock:
            for index, message in fresh.items():
                self._messages.put((name, rows[index]), message, len(rows[index]))
        return tuple(message or fresh[index] for index, message in enumerate(held))

    def _field(self, raw: bytes) -> Any:
        found = self._fields.get(raw)
        if found is None:
            found = value_of(raw)
            self._fields.put(raw, found, len(raw))
        return found


def _loaded(chosen: Dialect, raw: bytes, index: int) -> Message:
    wire = mapping(value_of(raw))
    if wire is None:
        raise ValueError(index)
    return chosen.load(wire, index, raw=raw)


@cache
def _looked_at(name: str) -> tuple[str, ...]:
    """The fields beside the messages of a format that are looked at."""
    keys = BODIES[name]
    limits = dict.fromkeys(way[0] for way in keys.limits)
    return (*keys.system, "system", keys.tools, *limits, *_ALWAYS, *UPSTREAM_STATE)


def _limits(name: str, found: Scan, outside: Mapping[str, Any]) -> dict[Way, int]:
    """The output limits that a request sets."""
    ways = {way: at(outside, way) for way in BODIES[name].limits}
    return {
        way: value
        for way, value in ways.items()
        if isinstance(value, int) and not isinstance(value, bool) and value > 0 and found.span(way) is not None
    }
