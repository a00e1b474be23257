"""Present: the gold stands somewhere in what is kept or found. An upper bound, never a claim."""

from __future__ import annotations

from collections.abc import Sequence


def present(gold: str, texts: Sequence[str]) -> bool:
    """Whether a gold stands in a text as a word of its own, not as a piece of a longer one.

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
        at = text.find(gold, at + 1)
    return False


def _goes_on(char: str) -> bool:
    return bool(char) and (char.isalnum() or char in "_-")
