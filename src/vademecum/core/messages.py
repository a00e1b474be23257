"""Messages and their parts: a reading of the wire object, which stays as the caller made it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from vademecum.core.media import Media

PartKind = Literal["text", "reasoning", "tool_call", "tool_result", "image", "document", "opaque"]
Role = Literal["system", "user", "assistant", "tool"]

#: A path into the wire object: keys of mappings and indexes of lists, outermost first.
Place = tuple[str | int, ...]
Wire = Mapping[str, object]
#: How ids begin that an adapter gives to calls and results whose format has none.
UNNAMED = "#"


@dataclass(frozen=True, slots=True)
class Part:
    """One thing that a message carries.

    Attributes:
        kind: What it is; anything the format's adapter does not know is `opaque`.
        text: What a model reads of it: the text, the reasoning, a call's arguments, a result's text,
            the serialised form of an opaque part; empty for images and documents.
        place: Where it stands in the message's wire object.
        call_id: For calls and results, the id that pairs them; made up by the adapter where the format has
            none, and empty for a result that says nothing: it answers the calls before it in their order.
        tool: For calls, the tool's name; for results, where the format says it (else empty).
        is_error: For results, whether the format marks it as failed.
        media: The image or document that it is; for results, those inside.
        plain: The content is a string or a single text part, so its exact bytes are its UTF-8 text.
        typed: For texts of user messages, whether a person wrote it (False for harness text).
        pinned: It stands for state that the provider holds: it never leaves, nor does what is before it.
    """

    kind: PartKind
    text: str = ""
    place: Place = ()
    call_id: str = ""
    tool: str = ""
    is_error: bool = False
    media: tuple[Media, ...] = ()
    plain: bool = True
    typed: bool = False
    pinned: bool = False

    @property
    def images(self) -> int:
        """How many images and documents it is or has inside."""
        return len(self.media)

    @property
    def pixels(self) -> int:
        """Width × height of its images where the format tells, summed."""
        return sum(media.width * media.height for media in self.media)

    @property
    def wire_id(self) -> str:
        """The id as the wire has it; empty where the adapter made one up."""
        return "" if self.call_id.startswith(UNNAMED) else self.call_id


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a transcript.

    Attributes:
        role: The role as a model sees it; `developer` rows are `system`.
        parts: What it carries, in wire order.
        wire: The caller's own object; never changed.
        identity: SHA-256 of the identity form (32 bytes), which ignores transport annotations.
        raw: The bytes it was read from, when it was read from a file; else empty.
        ts: Seconds since the epoch where the log tells, else None.
    """

    role: Role
    parts: tuple[Part, ...]
    wire: Wire
    identity: bytes
    raw: bytes = field(default=b"", repr=False)
    ts: float | None = None

    @property
    def only_reasoning(self) -> bool:
        """Whether it is reasoning and nothing else: it belongs to what the model said next."""
        return bool(self.parts) and all(part.kind == "reasoning" for part in self.parts)

    @property
    def typed(self) -> bool:
        """Whether any of it was typed by a person."""
        return any(part.typed for part in self.parts)

    def typed_text(self) -> str:
        """What a person typed in it; empty where a harness wrote everything."""
        return "\n".join(part.text for part in self.parts if part.typed)

    def text(self) -> str:
        """The message's own text parts, joined by newlines (no calls, results or reasoning)."""
        return "\n".join(part.text for part in self.parts if part.kind == "text")

    def calls(self) -> tuple[Part, ...]:
        """The tool calls it makes."""
        return tuple(part for part in self.parts if part.kind == "tool_call")

    def results(self) -> tuple[Part, ...]:
        """The tool results it brings."""
        return tuple(part for part in self.parts if part.kind == "tool_result")
