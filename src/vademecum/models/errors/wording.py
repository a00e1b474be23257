"""Wordings: a message as patterns see it, without what it only quotes."""

from __future__ import annotations

import re
from collections.abc import Iterable

_MARKS = str.maketrans({"\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"', "`": "", "*": "", "\u00a0": " "})
#: No message needs more to say what is wrong; it may hold what the user has sent.
_MOST = 3_000
#: Digits in a row that are no number of anything.
_DIGITS = re.compile(r"\d{16,}")
_SPACE = re.compile(r"\s+")
#: Addresses are named for what they explain, not for what is wrong.
_ADDRESS = re.compile(r"https?://[^\s'\"<>)]+")
#: A quotation of several words.
_QUOTED = re.compile(r"""(?<!\w)(['"])(?=[^'"]{0,40}\s)(?:(?!\1(?!\w)).){12,2000}\1(?!\w)""")
#: What stands before a quotation that is the error itself, handed on by a gateway, and what stands before the user's.
_HANDED_ON = re.compile(
    r"message|msg|error|detail|reason|raw|body|description|exception|response|upstream|provider|failed|says|said"
    r"|returned|title|cause|raise"
)
_NAMED = re.compile(r"(?:messages?|msg|error|details?|reason|raw|body|text|template)['\"\\]*\s*[:=]\s*$")
_ECHOED = re.compile(r"near|pars|json|invalid|argument|input|value|unexpected|around|text|content|prompt|quer")


def plain(texts: Iterable[str]) -> str:
    """Messages in lower case on one line, without marks, and without what they quote of a user's text."""
    text = _ADDRESS.sub("", _SPACE.sub(" ", " | ".join(texts).translate(_MARKS))).strip().lower()
    text = _DIGITS.sub("…", text)
    if len(text) > _MOST:
        text = f"{text[: _MOST - 800]} … {text[-800:]}"
    return _QUOTED.sub(lambda found: found[0] if _is_handed_on(text, found.start()) else "…", text)


def _is_handed_on(text: str, start: int) -> bool:
    before = text[max(0, start - 60) : start].rsplit("|", maxsplit=1)[-1]
    if not before.strip() or _NAMED.search(before):
        return True
    return _HANDED_ON.search(before) is not None and _ECHOED.search(before) is None
