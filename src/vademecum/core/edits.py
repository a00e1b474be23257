"""Edits: the changes that a plan makes to messages that stay, and their wording."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Literal, cast

from vademecum.core.delimiters import neutral
from vademecum.core.facts.actions import target
from vademecum.core.facts.sentences import failed_exit
from vademecum.core.media import listed, tally
from vademecum.core.messages import Part
from vademecum.core.text import clean, head, tail

EditKind = Literal["stub", "marker", "note", "cut", "drop", "clean"]

#: How stubs and cut marks begin; nothing that begins so is content.
MARK = "[vademecum:"
#: What stands for a message of which nothing was left.
EMPTY = f"{MARK} an empty message stood here]"
#: What a synthesised answer to a call without a result says.
NO_RESULT = f"{MARK} no result was recorded for this call]"


@dataclass(frozen=True, slots=True)
class Edit:
    """One part gets another text, or goes (`text` is None).

    Attributes:
        kind: What sort of change it is.
        text: The new text.
    """

    kind: EditKind
    text: str | None


def stub(result: Part, call: Part | None, restore_id: str, since: str = "") -> str:
    """The short text that stands for an archived tool result; the same for the same result, always.

    Args:
        result: The result.
        call: The call that it answers.
        restore_id: Its id.
        since: What happened to its file since; empty for nothing.
    """
    tool = call.tool if call is not None else result.tool or "tool"
    what = neutral(target(call, 90)) if call is not None else ""
    outcome = "failed" if result.is_error or failed_exit(result.text) else "ok"
    inside = f", {tally(result.media)}" if result.media else ""
    subject = f"{tool} {json.dumps(clean(what), ensure_ascii=False)}" if what else tool
    size = f"{len(result.text):,} chars{inside}"
    later = f"; {since}" if since else ""
    return f"{MARK} archived result of {subject}, {outcome}, {size}{later}; restore {restore_id}]"


def referring(text: str, restore_id: str) -> str:
    """A result that points back, with the id of what it points to."""
    return f"{clean(text)}\n{MARK} what this refers to has left the context; restore {restore_id}]"


def marker(part: Part, restore_id: str) -> str:
    """The text that stands for the images and documents of a part; a result's own text stays before it."""
    whole = part.kind in ("image", "document")
    what = "archived" if whole else "archived with this result:"
    note = f"{MARK} {what} {listed(part.media)}; restore {restore_id}]"
    return note if whole or not part.text else f"{clean(part.text)}\n{note}"


def cut(text: str, most_chars: int, restore_id: str) -> str:
    """Head and tail of a text with a mark between them, at most `most_chars` and the mark's own length."""
    if len(text) <= most_chars:
        return clean(text)
    first = head(text, most_chars * 2 // 3)
    last = tail(text, most_chars - len(first))
    left_out = len(text) - len(first) - len(last)
    mark = f"{MARK} {left_out:,} characters left out here; restore {restore_id}]"
    return f"{unmarked(first)}\n{mark}\n{unmarked(last)}"


def unmarked(text: str) -> str:
    """A text that is safe to send, in which nothing passes for one of our marks."""
    return clean(text).replace(MARK, "⟦" + MARK[1:])


def cut_arguments(text: str, most_chars: int, restore_id: str) -> str:
    """A call's JSON arguments with their long strings cut, so that they stay JSON of the same shape."""
    if len(text) <= most_chars:
        return text
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError):
        return json.dumps({"cut": cut(text, most_chars, restore_id)}, ensure_ascii=False)
    strings = _count_strings(value)
    shortened = _shorten(value, max(80, most_chars // max(1, strings)), restore_id)
    result = json.dumps(shortened, ensure_ascii=False, separators=(",", ":"))
    if len(result) <= 2 * most_chars:
        return result
    return json.dumps({"cut": cut(text, most_chars, restore_id)}, ensure_ascii=False)


def _count_strings(value: object) -> int:
    if isinstance(value, str):
        return int(len(value) > 80)
    if isinstance(value, dict):
        return sum(_count_strings(item) for item in cast("dict[str, object]", value).values())
    return sum(_count_strings(item) for item in cast("list[object]", value)) if isinstance(value, list) else 0


def _shorten(value: object, most: int, restore_id: str) -> object:
    if isinstance(value, str):
        return cut(value, most, restore_id)
    if isinstance(value, dict):
        items = cast("dict[str, object]", value).items()
        return {clean(key): _shorten(item, most, restore_id) for key, item in items}
    if isinstance(value, list):
        return [_shorten(item, most, restore_id) for item in cast("list[object]", value)]
    return value
