"""Parts of Gemini contents: what kinds there are and what is read from each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from vademecum.core.identity import canonical
from vademecum.core.media import Media
from vademecum.core.messages import UNNAMED, Part, Place, Role, Wire
from vademecum.wire.harness import by_a_person
from vademecum.wire.media import from_base64, from_url
from vademecum.wire.values import dumped, mapping, sequence, string, without

#: Keys in both spellings that the API takes.
CALL, RESPONSE = ("functionCall", "function_call"), ("functionResponse", "function_response")
SIGNATURES = frozenset({"thoughtSignature", "thought_signature"})
_INLINE, _FILE = ("inlineData", "inline_data"), ("fileData", "file_data")


def key_in(fields: Mapping[str, object], names: Sequence[str]) -> str:
    """The one of several spellings that is there; empty for none."""
    return next((name for name in names if mapping(fields.get(name)) is not None), "")


def field(fields: Mapping[str, object], names: Sequence[str]) -> Mapping[str, object] | None:
    """The object under one of several spellings."""
    return mapping(fields.get(key_in(fields, names)))


def repeated(parts: Sequence[object]) -> frozenset[int]:
    """Indexes of responses that only repeat an earlier one of the same content, as clients do on resume."""
    seen: set[bytes] = set()
    found: set[int] = set()
    for number, part in enumerate(parts):
        response = field(mapping(part) or {}, RESPONSE)
        if response is None or not response.get("id"):
            continue
        key = canonical(response)
        if key in seen:
            found.add(number)
        seen.add(key)
    return frozenset(found)


def parts_of(content: Wire, role: Role, *, harness: bool) -> tuple[Part, ...]:
    """The parts of a content. Repeated responses come last, so that they move the number of no other part."""
    items = sequence(content.get("parts")) or ()
    again = repeated(items)
    numbers: Counter[tuple[str, str]] = Counter()
    found: list[Part] = []
    for number in sorted(range(len(items)), key=lambda number: (number in again, number)):
        found.append(_part(items[number], ("parts", number), role, numbers, harness))
    return tuple(found)


def _part(item: object, place: Place, role: Role, numbers: Counter[tuple[str, str]], harness: bool) -> Part:
    fields = mapping(item) or {}
    call, response = field(fields, CALL), field(fields, RESPONSE)
    if call is not None:
        args = call.get("args")
        text = dumped({} if args is None else args)
        return Part("tool_call", text, place, _id(call, numbers, "call"), string(call.get("name")), plain=False)
    if response is not None:
        return _response(response, (*place, key_in(fields, RESPONSE)), _id(response, numbers, "response"))
    if isinstance(fields.get("text"), str):
        return _text(fields, place, role, harness)
    media = _media(item)
    if media is not None:
        return Part("image" if media.kind == "image" else "document", "", place, media=(media,), plain=False)
    return Part("opaque", dumped(item), place, plain=False)


def _text(fields: Mapping[str, object], place: Place, role: Role, harness: bool) -> Part:
    text = string(fields["text"])
    if fields.get("thought"):
        return Part("reasoning", text, place, plain=False)
    if not text and SIGNATURES & fields.keys():
        # The end of a stream: no text, but the signature of what was thought before.
        return Part("reasoning", dumped(without(fields, frozenset({"text"}))), place, plain=False)
    return Part("text", text, place, typed=role == "user" and not harness and by_a_person(text))


def _id(fields: Mapping[str, object], numbers: Counter[tuple[str, str]], kind: str) -> str:
    """The id, or one made of name and order: the responses of a batch stand together, in the order of the calls."""
    if fields.get("id"):
        return string(fields["id"])
    name = string(fields.get("name"))
    numbers[kind, name] += 1
    return f"{UNNAMED}{name}.{numbers[kind, name]}"


def _response(fields: Mapping[str, object], place: Place, call_id: str) -> Part:
    response, tool = fields.get("response"), string(fields.get("name"))
    media = tuple(found for part in sequence(fields.get("parts")) or () if (found := _media(part)) is not None)
    key = only_text(response)
    given = mapping(response) or {}
    failed = bool(given.get("error"))
    if key:
        place, text = (*place, "response", key), string(given[key])
    else:
        # The whole part is what is restored.
        place, text = place[:2], "" if response is None else dumped(response)
    return Part("tool_result", text, place, call_id, tool, failed, media, plain=bool(key))


def only_text(response: object) -> str:
    """The key of a response that is nothing but one text; empty for others."""
    fields = mapping(response) or {}
    (key, value), *others = [*fields.items()] or [("", None)]
    return key if isinstance(value, str) and not others else ""


def _media(part: object) -> Media | None:
    fields = mapping(part) or {}
    inline, elsewhere = field(fields, _INLINE), field(fields, _FILE)
    given = inline or elsewhere
    if given is None:
        return None
    mime = string(given.get("mimeType")) or string(given.get("mime_type"))
    name = string(given.get("displayName")) or string(given.get("display_name"))
    if inline is not None:
        return from_base64(string(given.get("data")), mime, name)
    return from_url(string(given.get("fileUri")) or string(given.get("file_uri")), mime, name)


def identity_form(content: Wire) -> object:
    """The content without signatures and repeats; one spelling of every key."""
    items = sequence(content.get("parts")) or ()
    again = repeated(items)
    return {
        "role": content.get("role") or "user",
        "parts": [_bare(part) for number, part in enumerate(items) if number not in again],
    }


def _bare(part: object) -> object:
    fields = mapping(part)
    if fields is None:
        return part
    names = {other: name for name, *others in (CALL, RESPONSE, _INLINE, _FILE) for other in others}
    return {names.get(key, key): value for key, value in without(fields, SIGNATURES).items()}
