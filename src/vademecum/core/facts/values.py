"""Values that have a name: settings that are assigned, and things that a sentence says are so now."""

from __future__ import annotations

import re

from vademecum.core.facts.names import kind_of

#: `MAX_RETRIES=5`, `sync.remote: origin`, "the branch is now release/2".
_ASSIGNED = re.compile(
    r"(?<![\w./-])([A-Za-z][A-Za-z0-9]*(?:[_.][A-Za-z0-9_]+)+|[A-Z][A-Z0-9_]{2,}|port|version|timeout|branch|limit|window)"
    r"(?:`|\*\*)?\s*(?:=|:|\bis(?:\ now)?\b|\bto\b|→|->)\s*(?:`|\*\*|\")?"
    r"((?=[^\s,;`\"]*[\w])[^\s,;`\"*()\[\]{}<>]{1,80})"
)
#: "the memory ceiling of the importer is now 512 MB": two to eight words, and a value with a digit in it.
_SAID = re.compile(
    r"\b(?:the|our|its|their)\s+((?:[A-Za-z][\w-]*\s+){1,7}?)(?:is\s+now|is|are\s+now|was\s+set\s+to|is\s+set\s+to|changed\s+to)\s+"
    r"[`*\"]*((?=[^\s]*\d)[^\s,;`\"*()\[\]{}<>]{1,60}(?:\s?(?:ms|s|sec|min|h|KB|MB|GB|%|tokens|lines)\b|\s?%)?)",
    re.IGNORECASE,
)
_TELLING = re.compile(r"[\d/]")
#: Each way of giving a value has one of these in it.
_GIVEN = ("=", ":", "is", "to", "->", "are")
_LITTLE = frozenset({"it", "this", "that", "there", "which", "what", "and", "but"})


def values_in(sentence: str) -> list[tuple[str, str]]:
    """(name, value) for each value that a sentence gives to something; values have a digit or a slash.

    The number after a file's name is a line of it.
    """
    if sentence.isascii() and not (_TELLING.search(sentence) and any(map(sentence.lower().__contains__, _GIVEN))):
        return []
    found = [
        (key, value.rstrip(".:"))
        for key, value in _ASSIGNED.findall(sentence)
        if any(char.isdigit() or char == "/" for char in value) and kind_of(key) != "file"
    ]
    for said, value in _SAID.findall(sentence):
        subject = " ".join(said.split())
        if len(subject.split()) > 1 and not _LITTLE & set(subject.lower().split()):
            found.append((subject.lower(), value.rstrip(".:")))
    return found
