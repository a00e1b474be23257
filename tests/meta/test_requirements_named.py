"""Every requirement that a test names is one that can exist."""

import ast
from pathlib import Path

import pytest

from requirement import ID, requirement

TESTS = Path(__file__).resolve().parents[1]


def marks(path: Path) -> list[ast.Call]:
    return [
        node
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call)
        and (
            (isinstance(node.func, ast.Name) and node.func.id == "requirement")
            or (isinstance(node.func, ast.Attribute) and node.func.attr == "requirement")
        )
    ]


@pytest.mark.parametrize("path", sorted(TESTS.rglob("test_*.py")), ids=lambda path: path.name)
def test_ids_have_the_form_of_ids(path: Path) -> None:
    if path == Path(__file__).resolve():
        return
    for call in marks(path):
        assert call.args, f"line {call.lineno} names nothing"
        for argument in call.args:
            assert isinstance(argument, ast.Constant), f"line {call.lineno}: write the id out"
            assert ID.fullmatch(str(argument.value)), f"line {call.lineno}: {argument.value}"


@pytest.mark.parametrize("wrong", ["X-1", "C", "c-1", "C-1a", "", "C--1"])
def test_a_wrong_id_is_refused_where_it_is_written(wrong: str) -> None:
    with pytest.raises(ValueError, match="names no requirement"):
        requirement(wrong)


def test_naming_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="names no requirement"):
        requirement()


@pytest.mark.parametrize("right", ["C-14", "A-3", "M-1", "P-9", "B-2", "G-7", "I7"])
def test_a_right_id_becomes_a_mark(right: str) -> None:
    assert requirement(right).mark.args == (right,)
