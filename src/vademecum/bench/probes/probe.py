"""A probe: one question, its gold, and where that stands."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

import msgspec

ProbeKind = Literal["cloze", "holdout", "future", "latest", "constraint", "abstention", "fact"]
Third = Literal["early", "middle", "late"]
PROBES = "vademecum.bench.probes/1"
#: Stands in a question for what is asked.
BLANK = "▢"
#: A query has so many ordinary words at most (B-4).
MOST_WORDS, FEWEST_WORDS = 6, 3


@dataclass(frozen=True)
class Probe:
    """One question.

    Attributes:
        id: Unique within its lineage; of what it asks, not of its number.
        kind: How it was made; `holdout` is a cloze probe that is kept back, so that an arm that knows the bench's own
            questions is found out.
        shape: What is asked for (a shape of `shapes.toml`); for constraints `sentence`.
        about: What its sentence is about: the shape, or `decision`, `constraint`, `cause`.
        where: Where the gold stands: `user`, `assistant`, `call`, `result`.
        message: Index of that message in the lineage.
        third: Of the region: early, middle or late.
        stated: In how many messages of the lineage's prefix the gold stands.
        question: The question in words; a masked sentence for cloze probes.
        words: At most six ordinary words of it: the whole of the query, and what the reader goes by.
        gold: The answer; empty where there is none (abstention).
        stale: Earlier values of the same thing, wrong by now.
    """

    id: str
    kind: ProbeKind
    shape: str
    about: str
    where: str
    message: int
    third: Third
    stated: int
    question: str
    words: tuple[str, ...]
    gold: str
    stale: tuple[str, ...] = ()

    @property
    def query(self) -> str:
        """What is searched for: never an identifier, never the gold."""
        return " ".join(self.words)

    def as_dict(self) -> dict[str, Any]:
        """JSON data."""
        return asdict(self)


def probe_id(kind: str, *about: object) -> str:
    """A short id of what a probe asks."""
    return f"{kind[0]}_{hashlib.sha256(repr(about).encode('utf-8', 'surrogatepass')).hexdigest()[:10]}"


def third_of(message: int, region: int) -> Third:
    """Which third of a region a message is in."""
    return ("early", "middle", "late")[min(2, 3 * message // max(1, region))]


def save(probes: Iterable[Probe], path: Path, about: dict[str, Any]) -> None:
    """Writes probes as JSON Lines; the first line says what they are of."""
    head = {"schema": PROBES, **about}
    lines = [head, *(probe.as_dict() for probe in probes)]
    path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), "utf-8")


def load(path: Path) -> tuple[dict[str, Any], list[Probe]]:
    """Reads what `save` wrote: what they are of, and the probes."""
    head, *rows = (json.loads(line) for line in path.read_text("utf-8").splitlines())
    return head, [probe_of(row) for row in rows]


def is_file_of_probes(path: Path) -> bool:
    """Whether a file is one that `save` wrote."""
    with path.open("rb") as file:
        return PROBES.encode() in file.readline(200)


def probe_of(row: dict[str, Any]) -> Probe:
    """A probe from its JSON data."""
    return msgspec.convert(row, Probe)


def balanced(pools: dict[Any, Sequence[Any]], most: int) -> list[Any]:
    """Takes from several pools in turn, so that each has its share as long as it lasts."""
    waiting = {key: list(pool) for key, pool in pools.items()}
    chosen: list[Any] = []
    while len(chosen) < most and any(waiting.values()):
        for pool in waiting.values():
            if pool and len(chosen) < most:
                chosen.append(pool.pop(0))
    return chosen
