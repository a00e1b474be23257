"""Every parser, given damaged input: a result or an error of ours, never anything else."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from fuzzing.mutants import mutated
from fuzzing.targets import SEEDS, TARGETS, tried
from night import often
from requirement import requirement

#: What once made a parser fail, or leads far into one, by the name of the parser.
CORPUS = Path(__file__).parents[1] / "fixtures/fuzz"
#: Reading a whole session log takes longer than the rest.
SLOW = {"sessions": 4, "bodies": 2, "config": 4, "replies": 4}


@requirement("A-8")
@pytest.mark.parametrize("name", TARGETS)
def test_what_is_well_formed_is_taken(name: str) -> None:
    assert all(tried(name, data) for data in SEEDS[name][:1])


@requirement("A-8")
@pytest.mark.parametrize("name", TARGETS)
def test_what_is_damaged_gives_a_result_or_an_error_of_ours(name: str) -> None:
    chance, taken = random.Random(f"{name} 20261130"), 0
    seeds = SEEDS[name]
    count = often(240, 40_000) // SLOW.get(name, 1)
    for _ in range(count):
        data = mutated(chance.choice(seeds), seeds, chance)
        try:
            taken += tried(name, data)
        except Exception as error:
            raise AssertionError(f"{name} fails on {data[:4_000]!r}") from error
    assert taken > 0


@requirement("A-8")
@pytest.mark.parametrize("path", sorted(CORPUS.glob("*/*")), ids=lambda path: f"{path.parent.name}/{path.name}")
def test_the_corpus(path: Path) -> None:
    name = path.parent.name.replace("_", " ")
    assert name in TARGETS
    tried(name, path.read_bytes())


@requirement("A-8")
@pytest.mark.parametrize("name", TARGETS)
@pytest.mark.parametrize(
    "data",
    [b"", b"\x00", b"\xff" * 999, b"[" * 20_000, b'{"a":' * 20_000, b'[{"role":' * 9_000, b'"' + b"x" * 1_000_000],
    ids=["nothing", "nul", "no utf-8", "deep list", "deep object", "deep role", "1 MB"],
)
def test_extremes(name: str, data: bytes) -> None:
    tried(name, data)
