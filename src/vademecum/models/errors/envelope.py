"""Envelopes: what an error says, taken out of whatever a provider or a gateway has wrapped it in."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from vademecum.wire.values import mapping, sequence

#: How deeply wrappers are opened, how many values are looked at, and how much of a text.
_DEEP = 12
_VALUES = 2_000
_HEAD, _TAIL = 2_400, 800
#: More text than this is not parsed as JSON.
_MOST = 4 << 20

#: Fields whose text is the error's own; what a field called `input` or `value` quotes is the user's.
_SAID = frozenset(
    {"message", "msg", "error", "errors", "detail", "details", "reason", "description", "error_message",
     "errormessage", "error_msg", "error_description", "errormsg", "raw", "title", "text", "cause", "body",
     "failure_reason", "external_model_message", "external_model_error", "originalmessage", "responsebody",
     "inner_error", "innererror", "original_error", "status_msg", "status_message", "base_resp", "fault",
     "faultstring", "response", "metadata", "data", "err", "exception", "warning", "content_filter_result"}
)  # fmt: skip
#: Fields whose value names the error for programs.
_CODES = frozenset(
    {"code", "type", "status", "error_code", "errorcode", "error_type", "errortype", "__type", "reason", "kind",
     "status_code", "statuscode", "http_status", "err_code", "errcode", "error", "provider_error_code", "name",
     "finish_reason", "stop_reason", "finishreason", "done_reason", "blockreason", "external_model_provider"}
)  # fmt: skip
#: Python's way of writing a dictionary in a text: 'code': 'context_length_exceeded'.
_IN_TEXT = re.compile(r"""['"](?:code|type|status|error_code|__type)\\?['"]\s*:\s*\\?['"]([\w.-]{3,60})\\?['"]""")
_TAG = re.compile(r"<(?:script|style)[^>]{0,200}>[^<]{0,5000}|<[^>]{0,500}>")
#: Members that no error of a provider's is named by, and that hold what the model or the user wrote.
_QUOTED = frozenset(
    {"input", "value", "choices", "messages", "candidates", "content", "output", "delta", "parts", "ctx"}
)


@dataclass(slots=True)
class Told:
    """What an error says.

    Attributes:
        texts: Its messages, outer ones first.
        codes: Names of the error for programs, in lower case; numbers as digits.
        figures: Numbers in fields, by the field's name in lower case; the first of each.
        fields: The outermost object; empty when there is none.
        empty: Whether nothing is said at all.
    """

    texts: list[str] = field(default_factory=list[str])
    codes: list[str] = field(default_factory=list[str])
    figures: dict[str, int] = field(default_factory=dict[str, int])
    fields: Mapping[str, object] = field(default_factory=dict[str, object])
    empty: bool = False
    seen: int = 0


def opened(body: object) -> Told:
    """Opens whatever envelope an error comes in; never raises.

    Args:
        body: The error: bytes, text (JSON, an event of a stream, HTML, plain words), or JSON data.
    """
    told = Told()
    if isinstance(body, bytes | bytearray):
        body = bytes(body).decode("utf-8", "replace")
    _open(body, "", told, 0)
    told.empty = body is None or not (str(body).strip() if isinstance(body, str) else body)
    return told


def _open(value: object, key: str, told: Told, depth: int) -> None:
    told.seen += 1
    if depth > _DEEP or told.seen > _VALUES:
        return
    if isinstance(value, str):
        _open_text(value, key, told, depth)
    elif isinstance(value, bool):
        return
    elif isinstance(value, int | float):
        _take_number(value, key, told)
    elif (fields := mapping(value)) is not None:
        _open_fields(fields, told, depth)
    else:
        for item in (sequence(value) or ())[:50]:
            _open(item, key, told, depth + 1)


def _open_fields(fields: Mapping[str, object], told: Told, depth: int) -> None:
    if not told.fields:
        told.fields = fields
    for name, inner in list(fields.items())[:200]:
        low = str(name).lower()
        if low in _QUOTED:
            continue
        if low.endswith(("exception", "error")) and mapping(inner) is not None and low != "error":
            told.codes.append(low)
        if isinstance(inner, str):
            if low in _CODES and len(inner) <= 100 and " " not in inner.strip():
                told.codes.append(inner.strip().lower())
            said = (
                low in _SAID
                or (low == "param" and inner.count(" ") > 2)
                or low.endswith(("message", "exception", "error"))
            )
            if said or (inner[:1] in "{[" and len(inner) > 1):
                _open(inner, low, told, depth + 1)
        else:
            _open(inner, low, told, depth + 1)


def _take_number(value: float, key: str, told: Told) -> None:
    if value != value or abs(value) > 1e15:  # noqa: PLR0124  # NaN
        return
    number = int(value)
    if key in _CODES:
        told.codes.append(str(number))
    told.figures.setdefault(key, number)


def _open_text(text: str, key: str, told: Told, depth: int) -> None:
    bare = text.strip()
    if not bare:
        return
    if bare.startswith(("data:", "event:", "id:", ":")) and depth < 2:
        for line in bare.splitlines()[:200]:
            if line.startswith("data:") and line[5:].strip() not in ("", "[DONE]"):
                _open(line[5:], key, told, depth + 1)
        return
    if bare[0] in '{["' and (found := _parsed(bare)) is not None and found != bare:
        _open(found, key, told, depth + 1)
        return
    inner = bare.find("{")
    if 0 < inner < _HEAD and (found := _begun(bare, inner)) is not None:
        _open(found, key, told, depth + 1)
        before = bare[:inner]
        if not before.strip(" :-b'\""):
            return
    elif inner >= 0:
        told.codes.extend(code.lower() for code in _IN_TEXT.findall(bare[:_HEAD]))
    clipped = bare if len(bare) <= _HEAD + _TAIL else f"{bare[:_HEAD]} … {bare[-_TAIL:]}"
    if "<" in clipped:
        clipped = _TAG.sub(" ", clipped)
    if clipped not in told.texts:
        told.texts.append(clipped)


def _parsed(text: str) -> object | None:
    if len(text) > _MOST:
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _begun(text: str, start: int) -> object | None:
    """JSON that stands in a text, after what a gateway wrote before it."""
    if len(text) > _MOST:
        return None
    try:
        found: object = json.JSONDecoder().raw_decode(text, start)[0]
    except (ValueError, RecursionError):
        return None
    return found if mapping(found) else None
