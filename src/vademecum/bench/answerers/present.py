"""Present: the gold stands somewhere in what is kept or found. An upper bound, never a claim."""

from __future__ import annotations

from collections.abc import Sequence

from vademecum.bench.shapes import identifiers

#: What follows an identifier and may decide where it ends.
_AFTER = 40


def present(gold: str, texts: Sequence[str]) -> bool:
    """Whether a gold stands in a text as a word of its own, not as a piece of a longer one.

    A word ends where the reader's shapes end it: `hooks.go:235` stands in `hooks.go:235-238`.

    Args:
        gold: The identifier or value.
        texts: What is kept, and what was found.
    """
    return any(_whole(gold, text) for text in texts)


def _whole(gold: str, text: str) -> bool:
    at = text.find(gold)
    while at >= 0:
        if not (_goes_on(text[at - 1 : at]) or _goes_on(text[at + len(gold) : at + len(gold) + 1])):
            return True
        if _cut_out(gold, text[max(0, at - 1) : at + len(gold) + _AFTER]):
            return True
        at = text.find(gold, at + 1)
    return False


def _cut_out(gold: str, around: str) -> bool:
    return any(name == gold for _, name, _ in identifiers(around))


def _goes_on(char: str) -> bool:
    return bool(char) and (char.isalnum() or char in "_-")
