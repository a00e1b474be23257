"""Items of the OpenAI responses format: what kinds there are and what is read from each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from vademecum.core.messages import Part, Place, Role, Wire
from vademecum.wire.harness import by_a_person
from vademecum.wire.media import from_audio, from_base64, from_file, from_url, url_of
from vademecum.wire.values import dumped, mapping, sequence, string

ROLES: dict[str, Role] = {"user": "user", "assistant": "assistant", "system": "system", "developer": "system"}


@dataclass(frozen=True, slots=True)
class CallKind:
    """One kind of call whose answer is an item of its own.

    Attributes:
        answer: The type of the item that answers it.
        arguments: The key that holds what it is called with.
        tool: The tool's name where the item has none.
        whole: Whether the call is restored as the whole item, or as its arguments alone.
    """

    answer: str
    arguments: str
    tool: str = ""
    whole: bool = False


CALLS: Mapping[str, CallKind] = {
    "function_call": CallKind("function_call_output", "arguments", whole=True),
    "custom_tool_call": CallKind("custom_tool_call_output", "input"),
    "local_shell_call": CallKind("local_shell_call_output", "action", "local_shell"),
    "shell_call": CallKind("shell_call_output", "action", "shell"),
    "apply_patch_call": CallKind("apply_patch_call_output", "operation", "apply_patch"),
    "computer_call": CallKind("computer_call_output", "action", "computer"),
    "mcp_approval_request": CallKind("mcp_approval_response", "arguments"),
}
ANSWERS = {kind.answer: name for name, kind in CALLS.items()}
#: Calls that may stand without an id of their own.
FREE = frozenset({"function_call", "custom_tool_call", "shell_call", "apply_patch_call"})
#: State that the provider holds.
_PINNED = frozenset({"compaction", "compaction_summary", "context_compaction", "item_reference"})
#: Content parts that are text; `refusal` is one under a key of its own.
TEXTS = frozenset({"input_text", "output_text", "text", "summary_text"})


def role_of(item: Wire) -> Role | None:
    """The role of an item as a model sees it; None for a message whose role is unknown."""
    kind = item.get("type")
    if kind is None or kind == "message":
        return ROLES.get(string(item.get("role")))
    if string(kind) in ANSWERS:
        return "tool"
    return "user" if kind == "compaction_trigger" else "assistant"


def parts_of(item: Wire, role: Role, *, harness: bool) -> tuple[Part, ...]:
    """The parts of an item: those of its content for messages, one for most others."""
    kind = string(item.get("type"))
    if kind in ("", "message"):
        return _content(item.get("content"), role, harness)
    if kind in CALLS:
        return (_call(item, kind, CALLS[kind]),)
    match kind:
        case "reasoning":
            return (Part("reasoning", _reasoning(item), (), plain=False),)
        case "mcp_call":
            return _mcp_call(item)
        case "mcp_approval_response":
            said = "approved" if item.get("approve") else "denied"
            text = f"{said}: {item['reason']}" if item.get("reason") else said
            return (Part("tool_result", text, (), string(item.get("approval_request_id")), plain=False),)
        case "computer_call_output":
            return _screenshot(item)
        case "image_generation_call":
            media = from_base64(string(item.get("result")), "image/png")
            return (Part("image", "", (), media=(media,), plain=False),)
        case _ if kind in ANSWERS:
            return (_result(item),)
        case _:
            return (Part("opaque", dumped(item), (), plain=False, pinned=kind in _PINNED),)


def _content(content: object, role: Role, harness: bool) -> tuple[Part, ...]:
    if isinstance(content, str):
        typed = role == "user" and not harness and by_a_person(content)
        return (Part("text", content, ("content",), typed=typed),) if content else ()
    items = sequence(content) or ()
    return tuple(_content_part(part, ("content", number), role, harness) for number, part in enumerate(items))


def _content_part(part: object, place: Place, role: Role, harness: bool) -> Part:
    fields = mapping(part) or {}
    kind = fields.get("type")
    if isinstance(part, str) or (string(kind) in TEXTS and isinstance(fields.get("text"), str)):
        text = part if isinstance(part, str) else string(fields["text"])
        return Part("text", text, place, typed=role == "user" and not harness and by_a_person(text))
    match kind:
        case "refusal" if isinstance(fields.get("refusal"), str):
            return Part("text", string(fields["refusal"]), (*place, "refusal"))
        case "input_image" | "computer_screenshot":
            where = url_of(fields.get("image_url")) or string(fields.get("file_id"))
            return Part("image", "", place, media=(from_url(where, kind="image"),), plain=False)
        case "input_file":
            return Part("document", "", place, media=(from_file(fields),), plain=False)
        case "input_audio":
            media = from_audio(mapping(fields.get("input_audio")) or fields)
            return Part("document", "", place, media=(media,), plain=False)
        case "reasoning_text":
            return Part("reasoning", string(fields.get("text")), place, plain=False)
        case _:
            return Part("opaque", dumped(part), place, plain=False)


def _call(item: Wire, name: str, kind: CallKind) -> Part:
    given = item.get(kind.arguments)
    return Part(
        "tool_call",
        "" if given is None else dumped(given),
        () if kind.whole else (kind.arguments,),
        call_id=string(item.get("call_id")) or string(item.get("id")),
        tool=kind.tool or string(item.get("name")),
        plain=isinstance(given, str) and name == "custom_tool_call",
    )


def _result(item: Wire) -> Part:
    output = item.get("output")
    call_id = string(item.get("call_id")) or string(item.get("id"))
    failed = item.get("status") in ("failed", "incomplete")
    items = sequence(output)
    if items is None:
        text = "" if output is None else dumped(output)
        plain = output is None or isinstance(output, str)
        return Part("tool_result", text, ("output",), call_id, "", failed, plain=plain)
    inner = [_content_part(part, ("output", number), "tool", True) for number, part in enumerate(items)]
    return Part(
        "tool_result",
        "\n".join(part.text for part in inner if part.text),
        ("output",),
        call_id,
        "",
        failed,
        media=tuple(media for part in inner for media in part.media),
        plain=len(inner) == 1 and inner[0].kind == "text" and inner[0].place == ("output", 0),
    )


def _screenshot(item: Wire) -> tuple[Part, ...]:
    """A screenshot is an image and nothing else: no text can stand in its place."""
    result = Part("tool_result", "", (), string(item.get("call_id")), "computer", plain=False)
    return (result, _content_part(item.get("output"), ("output",), "tool", True))


def _mcp_call(item: Wire) -> tuple[Part, ...]:
    """A call that the provider made, with its result in the same item."""
    call_id, tool = string(item.get("id")), string(item.get("name"))
    key = "error" if item.get("error") and not item.get("output") else "output"
    value = item.get(key)
    return (
        Part("tool_call", dumped(item.get("arguments") or ""), ("arguments",), call_id, tool, plain=False),
        Part(
            "tool_result",
            "" if value is None else dumped(value),
            (key,),
            call_id,
            tool,
            key == "error",
            plain=value is None or isinstance(value, str),
        ),
    )


def _reasoning(item: Wire) -> str:
    """The summary and what is sent on encrypted: both are the model's thoughts and cost tokens."""
    inner = [*(sequence(item.get("content")) or ()), *(sequence(item.get("summary")) or ())]
    texts = [string((mapping(part) or {}).get("text")) for part in inner]
    return "\n".join(text for text in (*texts, string(item.get("encrypted_content"))) if text)
