"""Finds what only the archive still knows: a rare identifier that has left the context, and a way to ask.

The question is made of ordinary words of the identifier's own sentence, never of the identifier or its
parts: so a search that finds it has found it by what it was about.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

IDENTIFIER = re.compile(
    r"(?<!\\)\b(?:[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+|[a-z]+(?:[A-Z][a-z0-9]+)+|(?:[A-Z][a-z0-9]+){2,}"
    r"|(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,40})\b"
)
SENTENCE_END = re.compile(r"(?<=[.!?])\s+|\n+")
ORDINARY = re.compile(r"(?<![\w./-])[a-z]{4,}(?![\w/-])")
SENTENCE_CHARS = range(60, 240)
WORDS_ASKED = range(4, 7)
MOST_MENTIONS = 3
CODE_SIGNS = frozenset('=(){}[]|<>"')
NOT_SPOKEN = {"injected", "synthetic", "compact_summary", "compact_boundary"}


@dataclass(frozen=True)
class Lost:
    """A rare identifier of the transcript that the context does not hold.

    Attributes:
        query: Ordinary words of its sentence.
        mentions: The texts of the messages that name it.
    """

    identifier: str
    sentence: str
    query: str
    mentions: tuple[str, ...]


def lost_identifiers(messages: Sequence[Mapping[str, Any]], context: str) -> list[Lost]:
    """Rare names that `context` has not: those of the dialogue first, then the most tellingly described."""
    texts = [content for message in messages if isinstance(content := message.get("content"), str)]
    spread = Counter(word for text in texts for word in set(ORDINARY.findall(text)))
    named = Counter(name for text in texts for name in set(IDENTIFIER.findall(text)))
    ranked: list[tuple[bool, float, Lost]] = []
    for role, sentence in _sentences(messages):
        for name in set(IDENTIFIER.findall(sentence)):
            words = [word for word in ORDINARY.findall(sentence) if word not in name.lower()]
            asked = sorted(set(words), key=lambda word: (spread[word], word))[: WORDS_ASKED[-1]]
            if name in context or named[name] > MOST_MENTIONS or len(asked) not in WORDS_ASKED:
                continue
            query = " ".join(word for word in dict.fromkeys(words) if word in asked)
            told = sum(math.log(len(texts) / spread[word]) for word in asked)
            mentions = tuple(each for each in texts if name in each)
            ranked.append((role == "tool", -told, Lost(name, sentence, query, mentions)))
    ranked.sort(key=lambda each: (*each[:2], each[2].identifier))
    best: dict[str, Lost] = {}
    for *_, lost in ranked:
        best.setdefault(lost.identifier, lost)
    return list(best.values())


def _sentences(messages: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, str]]:
    # The last quarter is left out: the tail may still hold what is said there in other words. So are rows
    # of the harness and of earlier compactions, which nobody said.
    for message in messages[: len(messages) * 3 // 4]:
        spoken = message.get("role") != "system" and not NOT_SPOKEN & (message.get("meta") or {}).keys()
        if spoken and isinstance(message.get("content"), str):
            for line in SENTENCE_END.split(message["content"]):
                prose = message["role"] != "tool" or CODE_SIGNS.isdisjoint(line)
                if prose and len(line.strip()) in SENTENCE_CHARS:
                    yield message["role"], line.strip()
