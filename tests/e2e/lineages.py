"""Real lineages, cut as the bench cuts them, and what is counted and asked about them without the product."""

from __future__ import annotations

import gzip
import json
import random
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

BENCH = ("entire-statemachine", "agentv-dashboard", "cipherbox-sharing")
Row = dict[str, Any]


def rows_of(folder: Path, name: str) -> list[Row]:
    """The lineage without the rows that an earlier compaction made."""
    with gzip.open(folder / f"lineages/{name}.jsonl.gz", "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    return [
        row
        for row in rows
        if not row.get("meta", {}).get("compact_boundary") and not row.get("meta", {}).get("compact_summary")
    ]


def texts_of(row: Row) -> list[str]:
    """What a model reads of a row: content, reasoning, names and arguments of calls."""
    content = row.get("content")
    texts = [content] if isinstance(content, str) else [part.get("text") or "" for part in content or ()]
    texts.append(row.get("reasoning") or "")
    for call in row.get("tool_calls") or ():
        texts += [call["function"]["name"], call["function"]["arguments"]]
    return [text for text in texts if text]


def chars_of(row: Row) -> int:
    return sum(map(len, texts_of(row)))


def prefix(rows: Sequence[Row], tokens: int) -> list[Row]:
    """The longest prefix of complete rounds that has at most that many tokens, at four characters each."""
    total, cut = 0, 0
    waiting: set[str] = set()
    for index, row in enumerate(rows):
        total += chars_of(row)
        if total > tokens * 4:
            break
        waiting |= {call["id"] for call in row.get("tool_calls") or ()}
        if row["role"] == "tool":
            waiting.discard(row["tool_call_id"])
        following = rows[index + 1]["role"] if index + 1 < len(rows) else ""
        if not waiting and following != "tool":
            cut = index + 1
    return list(rows[:cut])


@dataclass(frozen=True)
class Gold:
    """A rare identifier, where it stands, and a question for it in ordinary words."""

    name: str
    place: str
    position: int
    query: str


_SHAPES = {
    "path": re.compile(r"(?<![\w./-])(?:[\w.-]+/){1,8}[\w-]+\.[a-z]{1,5}(?::\d+)?(?![\w/])"),
    "id": re.compile(r"(?<![\w./-])(?=[\w-]*\d)(?=[\w-]*[a-z])(?:[a-z0-9]{2,}[-_]){1,5}[a-z0-9]{3,}(?![\w./-])"),
    "error": re.compile(r"(?<![\w./-])(?:[A-Z]{1,4}\d{3,6}|[A-Z]{2,}(?:_[A-Z0-9]+)+|0x[0-9a-f]{3,12})(?![\w./-])"),
    "commit": re.compile(r"(?<![\w./-])(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,40}(?![\w./-])"),
}
_WORD = re.compile(r"(?<![\w./-])[a-z]{4,}(?![\w/-]|\.\w)")
MOST_MESSAGES = 3
FEWEST_WORDS, MOST_WORDS = 3, 6
#: What one search may give back.
HITS, HIT_CHARS = 4, 2_500


def places_of(row: Row) -> Iterator[tuple[str, str]]:
    """(place, text) for each text of a row that somebody could ask about."""
    content = row.get("content")
    texts = [content] if isinstance(content, str) else [part.get("text") or "" for part in content or ()]
    place = {"tool": "result", "user": "user", "assistant": "assistant"}.get(row["role"])
    if place is not None:
        yield from ((place, text) for text in texts if text)
    for call in row.get("tool_calls") or ():
        yield "call", "\n".join(strings_of(call["function"]["arguments"]))


def strings_of(arguments: str) -> list[str]:
    """The strings in a call's JSON arguments, or the arguments themselves."""
    try:
        waiting: list[object] = [json.loads(arguments)]
    except ValueError:
        return [arguments]
    found: list[str] = []
    while waiting:
        value = waiting.pop(0)
        if isinstance(value, str):
            found.append(value)
        elif isinstance(value, dict):
            waiting[:0] = value.values()
        elif isinstance(value, list):
            waiting[:0] = value
    return found


def sentences_of(text: str) -> Iterator[str]:
    for line in text.splitlines():
        yield from (piece for piece in re.split(r"(?<=[.!?])\s+", line) if 12 <= len(piece) <= 600)


def ordinary_words(sentence: str, name: str) -> list[str]:
    """Ordinary words of a sentence: never the identifier or a piece of it."""
    pieces = name.lower()
    return list(dict.fromkeys(word for word in _WORD.findall(sentence) if word not in pieces))


class Questions:
    """Questions for the rare identifiers of rows that left: ordinary words of the sentence that names one.

    Args:
        rows: The whole transcript.
        removed: Positions of the rows that left the context.
        seed: Of the choice.
    """

    def __init__(self, rows: Sequence[Row], removed: Sequence[int], seed: int) -> None:
        self._chance = random.Random(seed)
        self._texts = ["\n".join(texts_of(row)) for row in rows]
        self._mentions: dict[str, set[int]] = defaultdict(set)
        self._found: dict[str, dict[str, tuple[int, str]]] = defaultdict(dict)
        self._with_word: dict[str, set[str]] = defaultdict(set)
        gone = set(removed)
        for position, row in enumerate(rows):
            for place, text in places_of(row):
                for sentence in sentences_of(text):
                    self._note(sentence, position, place, gone=position in gone)

    def _note(self, sentence: str, position: int, place: str, *, gone: bool) -> None:
        words = _WORD.findall(sentence)
        for word in words:
            self._with_word[word].add(sentence)
        for pattern in _SHAPES.values():
            for name in pattern.findall(sentence):
                self._mentions[name].add(position)
                if gone and len(ordinary_words(sentence, name)) >= FEWEST_WORDS:
                    self._found[place].setdefault(name, (position, sentence))

    def choose(self, most: int, *, fair: bool = True) -> list[Gold]:
        """That many questions, spread over the places; fair ones fit at most as many sentences as there are hits."""
        pools = {place: sorted(names) for place, names in sorted(self._found.items())}
        for names in pools.values():
            self._chance.shuffle(names)
        chosen: dict[str, Gold] = {}
        while len(chosen) < most and any(pools.values()):
            for place, names in pools.items():
                gold = self._next(place, names, fair=fair)
                if gold is not None and len(chosen) < most:
                    chosen.setdefault(gold.name, gold)
        return list(chosen.values())

    def _next(self, place: str, names: list[str], *, fair: bool) -> Gold | None:
        while names:
            name = names.pop()
            if len(self._mentions[name]) > MOST_MESSAGES or sum(name in text for text in self._texts) > MOST_MESSAGES:
                continue
            position, sentence = self._found[place][name]
            words = ordinary_words(sentence, name)
            if len(words) > MOST_WORDS:
                words = [words[at] for at in sorted(self._chance.sample(range(len(words)), MOST_WORDS))]
            if not fair or self._sentences_that_fit(words) <= HITS:
                return Gold(name, place, position, " ".join(words))
        return None

    def _sentences_that_fit(self, words: Sequence[str]) -> int:
        return len(set.intersection(*(self._with_word[word] for word in words)))
