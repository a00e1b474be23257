"""The deterministic reader: of all identifiers of the asked shape it must name one.

It names the one whose surroundings (200 characters on either side) share the rarest words with the question:
each word of the question counts with ln(all words / its occurrences) in what is read. Among equals the one with
the nearer words wins, then the later one. A bare bag of identifiers has no surroundings, so it says nothing here,
although every gold is present in it.
"""

from __future__ import annotations

import copy
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from vademecum.bench.shapes import identifiers, word_starts

#: Characters on either side of an identifier that are its surroundings.
SURROUNDINGS = 200
Array = NDArray[np.int64]


@dataclass(frozen=True)
class Candidates:
    """The identifiers of one shape: names, and where each begins and ends."""

    names: list[str]
    starts: Array
    ends: Array


@dataclass(frozen=True)
class Answer:
    """What a reader says.

    Attributes:
        text: The identifier that it names; empty when nothing of that shape shares a word with the question.
        share: How much of the question its surroundings have, in [0, 1]; words that nowhere stand count too.
        text_number: Which of the texts it is from.
        start: Where it begins there.
    """

    text: str = ""
    share: float = 0.0
    text_number: int = 0
    start: int = 0


@dataclass
class Read:
    """A text as the reader has taken it in: where its words and identifiers stand.

    Args:
        text: The text.
    """

    text: str
    words: dict[str, Array] = field(init=False)
    total: int = field(init=False)
    shapes: dict[str, Candidates] = field(init=False)
    _starts: Array = field(init=False, repr=False)

    def __post_init__(self) -> None:
        starts: dict[str, list[int]] = defaultdict(list)
        for word, start in word_starts(self.text):
            starts[word].append(start)
        self.words = {word: np.array(places, dtype=np.int64) for word, places in starts.items()}
        self._starts = np.array([start for places in starts.values() for start in places], dtype=np.int64)
        self._starts.sort()
        self.total = len(self._starts)
        found: dict[str, list[tuple[int, str]]] = defaultdict(list)
        for shape, name, start in identifiers(self.text):
            found[shape].append((start, name))
        self.shapes = {}
        for shape, rows in found.items():
            rows.sort()
            first = np.array([start for start, _ in rows], dtype=np.int64)
            lengths = np.array([len(name) for _, name in rows], dtype=np.int64)
            self.shapes[shape] = Candidates([name for _, name in rows], first, first + lengths)

    def beginning(self, stop: int, words: Iterable[str]) -> Read:
        """Its first characters as the reader takes them in, for questions with some words only.

        Args:
            stop: How many characters.
            words: Those of the questions.
        """
        part = copy.copy(self)
        cut = ((word, self.words[word]) for word in words if word in self.words)
        part.words = {word: places[:many] for word, places in cut if (many := int(np.searchsorted(places, stop)))}
        part.total = int(np.searchsorted(self._starts, stop))
        part.shapes = {}
        for shape, found in self.shapes.items():
            if many := int(np.searchsorted(found.starts, stop)):
                part.shapes[shape] = Candidates(found.names[:many], found.starts[:many], found.ends[:many])
        return part

    def scored(self, candidates: Candidates, weights: dict[str, float]) -> tuple[NDArray[np.float64], Array]:
        """Score and distance of each candidate: the weights of the words around it, and how far these are."""
        scores = np.zeros(len(candidates.names))
        distances = np.zeros(len(candidates.names), dtype=np.int64)
        for word, weight in weights.items():
            places = self.words.get(word)
            if places is None:
                continue
            near = np.minimum(_gap(places, candidates), SURROUNDINGS + 1)
            around = near <= SURROUNDINGS
            scores += weight * around
            distances += np.where(around, near, 0)
        return scores, distances


def _gap(places: Array, candidates: Candidates) -> Array:
    """How many characters are between each candidate and the nearest of some places."""
    far = np.int64(1 << 40)
    after = np.searchsorted(places, candidates.ends)
    padded = np.append(places, far)
    forward = padded[after] - candidates.ends
    before = np.searchsorted(places, candidates.starts) - 1
    backward = np.where(before >= 0, candidates.starts - places[np.maximum(before, 0)], far)
    return np.minimum(forward, backward)


def answer(texts: Sequence[Read], shape: str, words: Sequence[str]) -> Answer:
    """What the reader says to a question, given one or several texts as if they were one.

    Args:
        texts: What it may read; later ones win among equals.
        shape: The shape of what is asked for.
        words: The question's words.
    """
    weights = weights_of(texts, words)
    best: list[tuple[float, int, int, int, str]] = []
    for number, read in enumerate(texts):
        candidates = read.shapes.get(shape)
        if candidates is None:
            continue
        scores, distances = read.scored(candidates, weights)
        top = scores.max()
        if top <= 0:
            continue
        best += [
            (round(float(top), 6), -int(distances[at]), number, int(candidates.starts[at]), candidates.names[at])
            for at in np.flatnonzero(scores >= top - 1e-9)
        ]
    if not best:
        return Answer()
    score, _, number, start, name = max(best)
    return Answer(name, score / (sum(weights.values()) or 1.0), number, start)


def weights_of(texts: Sequence[Read], words: Sequence[str]) -> dict[str, float]:
    """What each word of a question counts: ln(all words / its occurrences) in what is read."""
    total = sum(read.total for read in texts) or 1
    return {word: _weight(word, texts, total) for word in words}


def _weight(word: str, texts: Sequence[Read], total: int) -> float:
    count = sum(len(read.words[word]) for read in texts if word in read.words)
    return float(np.log(total / max(1, count)))
