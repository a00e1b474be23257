"""Pinned texts, word for word: those that no longer stand in what is sent."""

from __future__ import annotations

from collections.abc import Sequence

from vademecum.core.carry.wording import neutral
from vademecum.core.case import Case
from vademecum.core.draft import Draft
from vademecum.core.pins import Pin


def standing(case: Case, draft: Draft, pin: Pin) -> bool:
    """Whether a pinned text stands in a message that goes out as it is."""
    if 0 <= pin.position < len(case.head):
        return True
    spot = case.pin_spots.get(pin)
    if spot is None or spot[0] < draft.fold:
        return False
    edit = draft.edits.get(spot)
    return edit is None or edit.kind == "clean"


def carried_pins(case: Case, draft: Draft, requests: Sequence[str]) -> tuple[Pin, ...]:
    """The pins that the carry has to show, oldest first; what a request says word for word needs no second place."""
    return tuple(
        pin
        for pin in case.pins
        if not standing(case, draft, pin) and not any(pin.text.strip() in request for request in requests)
    )


def pin_section(pins: Sequence[Pin]) -> str:
    """The section's text: an id and where it is from, then the words themselves."""
    return "\n".join(f"- {pin.id} {neutral(pin.what)}:\n{neutral(pin.text)}" for pin in pins)
