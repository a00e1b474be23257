"""Private keys in PEM armour, whole: from their first line to their last, or as far as they go."""

from __future__ import annotations

import re

from vademecum.redaction.secret import Secret

#: Characters of the largest key.
_LONGEST = 20_000
_BEGIN = re.compile(r"-{4,5} ?BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}")
_END = re.compile(r"-{4,5} ?END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}")
#: A line of a key, with what comes between two of them in files, in JSON and in source code.
_LINE = re.compile(
    r"(?:\\{0,3}[\"'`,+]|\\{1,3}[nrt]|[\s│|>→]|\d{1,5}[→:\t|]){0,80}"
    r"(?:[A-Za-z0-9+/=]{16,4000}|[A-Z][A-Za-z-]{3,20}: [A-Za-z0-9,. -]{1,80}"
    r"|(?=[A-Za-z][a-z]{0,14}[A-Z0-9+/=]|[0-9+/])[A-Za-z0-9+/]{1,15}={0,2}(?=\s|\\|$))"
)
_DATA = re.compile(r"[A-Za-z0-9+/=]{24,}")
_MOST_LINES = 400


def block_at(text: str, start: int, stop: int) -> Secret | None:
    """The key in whose first or last line `PRIVATE KEY` stands at a place."""
    first = max(0, start - 60)
    begin = _BEGIN.search(text, first, stop + 20)
    if begin is not None:
        last = _last(text, begin.end())
        return _checked(text, begin.start(), last) if last > begin.end() else None
    end = _END.search(text, first, stop + 20)
    return None if end is None else _from_its_end(text, end)


def _last(text: str, at: int) -> int:
    """Where a key ends: after its last line, or where it was cut off."""
    following = text.find("BEGIN ", at, at + _LONGEST)
    end = _END.search(text, at, at + _LONGEST if following < 0 else following)
    if end is not None:
        return end.end()
    for _ in range(_MOST_LINES):
        line = _LINE.match(text, at)
        if line is None:
            break
        at = line.end()
    return at


def _from_its_end(text: str, end: re.Match[str]) -> Secret | None:
    """A key whose beginning was cut off: the lines of data before its last line."""
    window = max(0, end.start() - _LONGEST)
    marked = text.rfind("----", window, end.start())  # no line of data has this
    if marked >= 0:
        window = marked + 4
        if _BEGIN.search(text, max(0, window - 80), window) is not None:
            return None  # found from its beginning
    start = end.start()
    for line in reversed(re.split(r"(\n|\\n)", text[window : end.start()])):
        bare = re.sub(r"^\s*(?:\d{1,5}[→:\t|])?", "", line).strip(" \t\r│|>\"'\\,+")
        if bare and bare != "n" and re.fullmatch(r"[A-Za-z0-9+/=]{1,4000}", bare) is None:
            # The rest of a line that was cut off.
            tail = re.search(r"[A-Za-z0-9+/=]{16,4000}\W{0,40}\Z", line[-4100:])
            start -= 0 if tail is None else len(line[-4100:]) - tail.start()
            break
        start -= len(line)
    return _checked(text, max(start, window), end.end())


def _checked(text: str, start: int, stop: int) -> Secret | None:
    return Secret(start, stop, "private-key") if _DATA.search(text, start, stop) else None
