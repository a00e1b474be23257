"""Each of the twelve invariants has a generated test, whose examples are 5,000 at night."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parents[1]
#: Where `make nightly` looks with the profile of the night.
PLACES = ("properties", "unit/core", "fuzzing")
INVARIANTS = frozenset(f"I{number}" for number in range(1, 13))


def functions() -> Iterator[tuple[Path, ast.FunctionDef]]:
    for place in PLACES:
        for path in sorted((TESTS / place).rglob("test_*.py")):
            for node in ast.parse(path.read_text("utf-8")).body:
                if isinstance(node, ast.FunctionDef):
                    yield path, node


def marks(node: ast.FunctionDef, name: str) -> list[ast.Call]:
    return [
        mark
        for mark in node.decorator_list
        if isinstance(mark, ast.Call) and isinstance(mark.func, ast.Name) and mark.func.id == name
    ]


def test_every_invariant_has_a_generated_test() -> None:
    named = {
        str(argument.value)
        for _, node in functions()
        if marks(node, "given")
        for mark in marks(node, "requirement")
        for argument in mark.args
        if isinstance(argument, ast.Constant)
    }
    assert named >= INVARIANTS


def test_no_number_of_examples_is_the_same_by_day_and_by_night() -> None:
    """`max_examples` is `often(…)`, or stands in the profile alone."""
    for path in sorted((TESTS / "properties").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.keyword) and node.arg == "max_examples":
                assert isinstance(node.value, ast.Call), f"{path.name}, line {node.value.lineno}: a fixed number"
                assert ast.unparse(node.value.func) == "often", f"{path.name}, line {node.value.lineno}"
                assert len(node.value.args) == 1, f"{path.name}, line {node.value.lineno}: 5,000 at night"


@pytest.mark.parametrize(("night", "examples"), [("", 100), ("1", 5_000)])
def test_the_profile_of_the_night_has_five_thousand(night: str, examples: int) -> None:
    code = "import conftest, night, hypothesis as h; print(h.settings().max_examples, night.often(12))"
    environ = {**os.environ, "NIGHTLY": night, "PYTHONPATH": os.pathsep.join([str(TESTS), *sys.path])}
    done = subprocess.run([sys.executable, "-c", code], env=environ, capture_output=True, text=True, check=True)
    assert done.stdout.split() == [str(examples), str(examples if night else 12)]
