"""Loops: a weak model that repeats itself until its output limit has written nothing (C-17)."""

from __future__ import annotations

import re

_WORD = re.compile(r"\w+")
#: Stretches of so many words are compared; of a text with fewer than so many of them nothing can be told.
_LENGTH, _FEWEST = 8, 50
#: Of the stretches in prose or in lists that report, far more than this share are different.
_DIFFERENT = 0.5


def repeats_itself(text: str) -> bool:
    """Whether a text says the same over and over."""
    words = [word.lower() for word in _WORD.findall(text)]
    stretches = [tuple(words[at : at + _LENGTH]) for at in range(len(words) - _LENGTH + 1)]
    return len(stretches) >= _FEWEST and len(set(stretches)) < _DIFFERENT * len(stretches)
