"""Bodies: what a request asks, read once for each message however often it comes again."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from vademecum.core.dialect import Dialect
from vademecum.core.messages import Message, Wire
from vademecum.errors import VademecumError
from vademecum.proxy.encoding import decoded
from vademecum.proxy.recent import Chains, Recent
from vademecum.proxy.scan import Scan, scan, value_of
from vademecum.wire import dialect
from vademecum.wire.values import encoded, mapping

#: Path of an endpoint → the wire format of its bodies. Everything else passes through.
FORMATS = {"/v1/chat/completions": "openai-chat", "/v1/messages": "anthropic"}
#: Fields that hold an output limit.
LIMITS = ("max_tokens", "max_completion_tokens")
#: Fields beside the messages that are looked at.
_READ = ("system", "tools", "thinking", *LIMITS)
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
    """

    scan: Scan
    dialect: Dialect
    messages: tuple[Message, ...]
    nodes: tuple[bytes, ...]
    outside: Mapping[str, Any] = field(default_factory=dict[str, Any])

    @property
    def wires(self) -> list[Wire]:
        """The messages as JSON data."""
        return [message.wire for message in self.messages]

    @property
    def heads(self) -> int:
        """How many system rows there are: sharing these alone is no kinship."""
        return sum(message.role == "system" for message in self.messages)

    @property
    def limits(self) -> dict[str, int]:
        """The output limits that the client asks for."""
        found = {key: self.outside.get(key) for key in LIMITS}
        return {
            key: value
            for key, value in found.items()
            if isinstance(value, int) and not isinstance(value, bool) and value > 0
        }

    def written(self, context: Sequence[Message] | None, limits: Mapping[str, int]) -> bytes:
        """The request with another context (None keeps the messages) and other output limits.

        Whatever stays keeps its bytes.
        """
        rows = None if context is None else [message.raw or encoded(message.wire) for message in context]
        return self.scan.written(rows, {key: str(value).encode() for key, value in limits.items()})


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
        name = FORMATS.get(path)
        plain = decoded(body, encoding)
        found = scan(plain) if name is not None and plain else None
        if name is None or found is None or not found.rows:
            return None
        chosen = dialect(name)
        try:
            messages = self._read(chosen, found.rows)
        except (VademecumError, ValueError, RecursionError):
            # The provider is the one to say what is wrong with it.
            return None
        with self._lock:
            nodes = self._chains.of(messages)
            outside = {key: self._field(found.raw(key)) for key in _READ if key in found.spans}
        return Asked(found, chosen, messages, nodes, outside)

    def _read(self, chosen: Dialect, rows: Sequence[bytes]) -> tuple[Message, ...]:
        name = chosen.name
        with self._lock:
            held = [self._messages.get((name, raw)) for raw in rows]
        fresh = {at: _loaded(chosen, rows[at], at) for at, message in enumerate(held) if message is None}
        with self._lock:
            for at, message in fresh.items():
                self._messages.put((name, rows[at]), message, len(rows[at]))
        return tuple(message or fresh[at] for at, message in enumerate(held))

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
