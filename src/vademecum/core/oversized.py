"""Oversized parts: the largest parts of what stays are cut until it fits."""

from __future__ import annotations

from vademecum.core.case import Case
from vademecum.core.draft import Draft, with_edits
from vademecum.core.edits import Edit, cut, cut_arguments, marker, stub
from vademecum.core.pairing import Spot
from vademecum.core.requests import Steps, count
from vademecum.core.tokens import image_tokens

#: Parts below this many tokens are never cut: the mark alone costs about thirty.
_SMALL = 200


def cut_to(case: Case, draft: Draft, limit: int, *, newest_too: bool = False) -> Steps[Draft]:
    """Cuts the largest parts of the messages that stay down to one common size.

    Args:
        case: The case.
        draft: What was decided so far.
        limit: Tokens that the messages from the tail's start on may have.
        newest_too: Whether the newest text that a person typed may be cut as well.
    """
    start = max(draft.fold, draft.cut)
    spots = _eligible(case, draft, start, newest_too=newest_too)
    texts = tuple(_text(case, draft, spot) for spot in spots)
    tokens = yield from count(texts)
    fixed = sum(draft.sizes[start:]) - sum(tokens)
    cap = _common_cap(tokens, limit - fixed)
    edits: dict[Spot, Edit] = {}
    for spot, text, size in zip(spots, texts, tokens, strict=True):
        if size > cap:
            edits[spot] = Edit("cut", _cut(case, spot, text, size, cap))
    return (yield from with_edits(case, draft, edits))


def images_out(case: Case, draft: Draft, limit: int) -> Steps[Draft]:
    """Replaces images of the messages that stay by marks, the oldest first, until the limit is met.

    The last resort: only where the context would exceed the window with them.
    """
    start = max(draft.fold, draft.cut)
    excess = sum(draft.sizes[start:]) - limit
    edits: dict[Spot, Edit] = {}
    for index in range(start, len(case.live)):
        for number, part in enumerate(case.live[index].parts):
            spot = (index, number)
            if excess <= 0 or not part.media or spot in draft.edits:
                continue
            edits[spot] = Edit("marker", marker(case.bare(*spot), case.id_of(*spot)))
            excess -= image_tokens(part)
    return (yield from with_edits(case, draft, edits))


def results_out(case: Case, draft: Draft, limit: int) -> Steps[Draft]:
    """Replaces results of the messages that stay by stubs, the oldest first, until the limit is met.

    For batches of so many results that even the shortest cut of each is too much together.
    """
    start = max(draft.fold, draft.cut)
    excess = sum(draft.sizes[start:]) - limit
    spots = [
        (index, number)
        for index in range(start, len(case.live))
        for number, part in enumerate(case.live[index].parts)
        if part.kind == "tool_result" and (index, number) not in case.pinned
    ]
    stubs = [
        stub(case.live[at].parts[number], case.bare_call(at, number), case.id_of(at, number)) for at, number in spots
    ]
    sizes = yield from count(tuple(_text(case, draft, spot) for spot in spots))
    least = yield from count(tuple(stubs))
    edits: dict[Spot, Edit] = {}
    for spot, text, size, small in zip(spots, stubs, sizes, least, strict=True):
        if excess > 0 and small < size:
            edits[spot] = Edit("stub", text)
            excess -= size - small
    return (yield from with_edits(case, draft, edits))


def _eligible(case: Case, draft: Draft, start: int, *, newest_too: bool) -> list[Spot]:
    found: list[Spot] = []
    for index in range(start, len(case.live)):
        for number, part in enumerate(case.live[index].parts):
            edit = draft.edits.get((index, number))
            if (index, number) in case.pinned and not newest_too:
                continue
            if edit is not None and edit.kind not in ("cut", "marker"):
                continue
            newest = part.typed and index == case.newest_typed
            if part.kind in ("text", "tool_result", "tool_call") and (newest_too or not newest):
                found.append((index, number))
    return found


def _common_cap(tokens: tuple[int, ...], limit: int) -> int:
    """The largest cap with Σ min(size, cap) ≤ limit, but never below `_SMALL`."""
    left, cap = max(limit, 0), 0
    for number, size in enumerate(sorted(tokens)):
        share = left // (len(tokens) - number)
        if size > share:
            cap = share
            break
        left -= size
        cap = size
    return max(cap, _SMALL)


def _cut(case: Case, spot: Spot, text: str, size: int, cap: int) -> str:
    part = case.bare(*spot)  # before the cut: half of a secret would not be known for one
    # The mark needs room too, and tokens are not spread evenly over the characters.
    chars = max(80, int(len(text) * max(cap - 40, 40) / size * 0.92))
    shorten = cut_arguments if part.kind == "tool_call" else cut
    return shorten(part.text, chars, case.id_of(*spot))


def _text(case: Case, draft: Draft, spot: Spot) -> str:
    edit = draft.edits.get(spot)
    return case.live[spot[0]].parts[spot[1]].text if edit is None else edit.text or ""
