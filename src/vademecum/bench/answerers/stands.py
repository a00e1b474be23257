"""Whether a sentence that a person said still stands: word for word, or in other words."""

from __future__ import annotations

import re
from collections import Counter

from vademecum.bench.shapes import word_starts

#: This share of its ordinary words within a window as long as twice the sentence: it stands in other words.
_SHARE = 0.8
_SPACE = re.compile(r"[\s>*_`]+")


def plain(text: str) -> str:
    """A text without line breaks, quote marks and emphasis, so that a quotation is found again."""
    return _SPACE.sub(" ", text).strip()


def stands(sentence: str, plain_text: str) -> int:
    """2 when a sentence stands word for word, 1 in other words, 0 when it is gone.

    Args:
        sentence: What was said.
        plain_text: Where it may stand, made by `plain`.
    """
    wanted = plain(sentence)
    if wanted in plain_text:
        return 2
    words = Counter(word for word, _ in word_starts(wanted))
    if not words:
        return 0
    width, need = 2 * len(wanted) + 100, _SHARE * len(words)
    rarest = max(words, key=len)
    places = (
        [start for word, start in word_starts(plain_text) if word == rarest] if rarest in plain_text.lower() else []
    )
    for start in places:
        around = plain_text[max(0, start - width // 2) : start + width // 2]
        if len({word for word, _ in word_starts(around)} & words.keys()) >= need:
            return 1
    return 0
