"""Bodies: what a request asks, and the same request with another context, byte for byte where nothing changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from vademecum.core.dialect import Dialect
from vademecum.core.messages import Message, Wire
from vademecum.errors import VademecumError
from vademecum.wire import dialect
from vademecum.wire.document import Document, read, render
from vademecum.wire.values import encoded, mapping

#: Path of an endpoint → the wire format of its bodies. Everything else passes through.
FORMATS = {"/v1/chat/completions": "openai-chat", "/v1/messages": "anthropic"}


@dataclass(frozen=True, slots=True)
class Asked:
    """A request that was understood.

    Attributes:
        document: The body taken apart.
        dialect: Its wire format.
        wires: Its messages as JSON data.
        messages: The same, read by the format.
    """

    document: Document
    dialect: Dialect
    wires: list[Wire]
    messages: tuple[Message, ...]

    @property
    def outside(self) -> dict[str, Any]:
        """The body without its messages."""
        return self.document.outside or {}

    @property
    def raws(self) -> list[bytes]:
        """The bytes of each message."""
        return [row.raw for row in self.document.rows]

    @property
    def max_output(self) -> int | None:
        """The output limit that the client asks for."""
        for key in ("max_tokens", "max_completion_tokens"):
            value = self.outside.get(key)
            if isinstance(value, int) and not isinstance(value, bool) and value > 0:
                return value
        return None


def asked(path: str, body: bytes) -> Asked | None:
    """Reads a request; None when it is to be forwarded unread."""
    name = FORMATS.get(path)
    if name is None or not body:
        return None
    chosen = dialect(name)
    try:
        document = read(body)
        if document.layout != "body" or not document.rows:
            return None
        wires = [fields for row in document.rows if (fields := mapping(row.value)) is not None]
        if len(wires) != len(document.rows):
            return None
        messages = tuple(chosen.load(row.value, at, raw=row.raw) for at, row in enumerate(document.rows))
    except (VademecumError, UnicodeError):
        # The provider is the one to say what is wrong with it.
        return None
    return Asked(document, chosen, wires, messages)


def written(request: Asked, context: Sequence[Message]) -> bytes:
    """The request with another context; messages that stayed keep their bytes."""
    raws = [message.raw or encoded(message.wire) for message in context]
    document = request.document
    return render("body", raws, document.prefix, document.suffix, document.separator)
