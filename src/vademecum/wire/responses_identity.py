"""What makes an item of the responses format the same item, whatever a client did to its annotations."""

from __future__ import annotations

from vademecum.core.messages import Wire
from vademecum.wire.responses_items import TEXTS
from vademecum.wire.values import mapping, sequence, string, without

#: Transport annotations of items. Ids of items come and go; calls and results are paired by `call_id`.
_ANNOTATIONS = frozenset(
    {
        "id", "status", "encrypted_content", "internal_chat_message_metadata_passthrough", "metadata", "phase",
        "created_by", "acknowledged_safety_checks", "pending_safety_checks",
    }
)  # fmt: skip
#: The same of content parts.
_PART_ANNOTATIONS = frozenset({"annotations", "logprobs", "cache_control", "detail"})
#: Items whose id is all they are, or pairs them with another one.
_BY_ID = frozenset({"item_reference", "mcp_call", "mcp_approval_request"})
#: Items whose encrypted content is all they are.
_SEALED = frozenset({"compaction", "compaction_summary", "context_compaction"})


def identity_form(item: Wire) -> object:
    """The item without annotations; a string and a single text part are the same."""
    kind = item.get("type")
    if kind is None or kind == "message":
        return {"role": item.get("role"), "content": _content(item.get("content"))}
    dropped = _ANNOTATIONS
    name = string(kind)
    if name in _BY_ID or ("call_id" not in item and name.endswith("_call_output")):
        dropped = dropped - {"id"}
    if name in _SEALED:
        dropped = dropped - {"encrypted_content"}
    form = {key: value for key, value in without(item, dropped).items() if value is not None and value != []}
    for key in ("content", "output", "summary"):
        if sequence(form.get(key)) is not None:
            form[key] = _content(form[key])
    return form


def _content(content: object) -> object:
    items = sequence(content)
    if items is None:
        return content or None
    parts = [_bare(part) for part in items]
    if len(parts) == 1 and (only := mapping(parts[0])) is not None and set(only) == {"type", "text"}:
        return only["text"] if only["type"] == "text" else parts
    return parts or None


def _bare(part: object) -> object:
    fields = mapping(part)
    if fields is None:
        return part
    bare = without(fields, _PART_ANNOTATIONS)
    if string(bare.get("type")) in TEXTS:
        bare["type"] = "text"
    return bare
