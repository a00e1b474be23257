"""Text that is safe to send: no lone surrogate, no NUL, cuts that fall between characters."""

from __future__ import annotations

import re
import unicodedata

_UNSAFE = re.compile(r"[\ud800-\udfff\x00]")
#: How JSON writes NUL; an even number of backslashes before it are backslashes of the text.
_WRITTEN_NUL = re.compile(r"(?<!\\)((?:\\\\)*)\\u0000")
#: What follows one of these belongs to the character before it.
_JOINERS = frozenset("\u200d\ufe0f\ufe0e\u20e3")


def clean(text: str) -> str:
    """The text with lone surrogates and NUL replaced by U+FFFD; the same object when it has none."""
    return text if is_clean(text) else _UNSAFE.sub("\ufffd", text)


def clean_json(text: str) -> str:
    """The same for JSON, in which NUL stands as an escape."""
    return _WRITTEN_NUL.sub("\\g<1>\ufffd", clean(text))


def is_clean(text: str) -> bool:
    """Whether a text has no lone surrogate and no NUL."""
    if "\0" in text:
        return False
    if text.isascii():
        return True
    try:  # ten times faster than looking at each character
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def head(text: str, length: int) -> str:
    """The first `length` characters or a few fewer, so that no combined character is split."""
    if len(text) <= length:
        return text
    stop = max(length, 0)
    while stop > 0 and _glued(text, stop):
        stop -= 1
    return text[:stop]


def tail(text: str, length: int) -> str:
    """The last `length` characters or a few fewer, so that no combined character is split."""
    if len(text) <= length:
        return text
    start = len(text) - max(length, 0)
    while start < len(text) and _glued(text, start):
        start += 1
    return text[start:]


def one_line(text: str, length: int) -> str:
    """The text on one line, white space folded, at most `length` characters with an ellipsis at its end."""
    # Far more than is shown is never read: a call's arguments can be megabytes.
    folded = " ".join(text[: length * 4 + 64].split())
    return folded if len(folded) <= length else head(folded, length - 1).rstrip() + "…"


def _glued(text: str, at: int) -> bool:
    char, before = text[at], text[at - 1]
    if char.isascii():
        return before == "\u200d"
    if _is_flag_letter(char):
        # Two letters make a flag, so it counts how many of them stand before.
        start = at
        while start > 0 and _is_flag_letter(text[start - 1]):
            start -= 1
        return (at - start) % 2 == 1
    combining = unicodedata.category(char).startswith("M") or "\U0001f3fb" <= char <= "\U0001f3ff"
    syllable = "\u1160" <= char <= "\u11ff"  # Hangul vowels and finals follow their first letter
    return combining or syllable or char in _JOINERS or before == "\u200d"


def _is_flag_letter(char: str) -> bool:
    return "\U0001f1e6" <= char <= "\U0001f1ff"
