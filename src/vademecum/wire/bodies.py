"""Request bodies: under which keys each format has its messages, and what stands beside them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from vademecum.wire.values import sequence


@dataclass(frozen=True, slots=True)
class BodyKeys:
    """The keys of one format's request body.

    Attributes:
        messages: The list of messages.
        system: The system text; the first key that is there counts, none where it stands in the list.
        tools: The tools.
        limits: The ways to an output limit, outermost key first.
    """

    messages: str
    system: tuple[str, ...]
    tools: str
    limits: tuple[tuple[str, ...], ...]


#: Some gateways take the newer key of the chat format for the other format as well.
_TOKENS = (("max_tokens",), ("max_completion_tokens",))
_GEMINI = tuple(
    (outer, inner)
    for outer in ("generationConfig", "generation_config")
    for inner in ("maxOutputTokens", "max_output_tokens")
)

BODIES: Mapping[str, BodyKeys] = {
    "openai-chat": BodyKeys("messages", (), "tools", _TOKENS),
    "anthropic": BodyKeys("messages", ("system",), "tools", _TOKENS),
    "openai-responses": BodyKeys("input", ("instructions",), "tools", (("max_output_tokens",),)),
    "gemini": BodyKeys("contents", ("systemInstruction", "system_instruction"), "tools", _GEMINI),
    "ollama": BodyKeys("messages", (), "tools", (("options", "num_predict"),)),
}
#: Key of a list of messages → the format, where the key alone tells.
TELLING = {keys.messages: name for name, keys in BODIES.items() if keys.messages != "messages"}


def is_body(value: Mapping[str, Any]) -> bool:
    """Whether an object is a request body, and no message: it has a list of messages, or a string as its input."""
    if isinstance(value.get("input"), str):
        return "type" not in value  # items of the responses format may have one as well
    return any(sequence(value.get(keys.messages)) is not None for keys in BODIES.values())


def outside_of(format: str, body: Mapping[str, Any]) -> tuple[object, object]:
    """The system text and the tools that stand beside the messages of a body; None where there are none."""
    keys = BODIES[format]
    # `system` beside the messages is no key of every format, but some gateways take it for all of them.
    system = next((body[key] for key in (*keys.system, "system") if body.get(key) is not None), None)
    return system, body.get(keys.tools)
