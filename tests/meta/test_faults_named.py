"""Every kind of fault that users of such systems have met has a test."""

import ast
import re
from pathlib import Path

import pytest

from fault import fault

TESTS = Path(__file__).resolve().parents[1]
LIST = TESTS / "../../shared/cases/faults.md"

#: Those that a test shows to be impossible, by the numbers of the list.
SHOWN = frozenset(
    {
        1,
        2,
        4,
        5,
        7,
        8,
        10,
        11,
        12,
        14,
        15,
        17,
        18,
        20,
        21,
        22,
        24,
        25,
        27,
        28,
        30,
        31,
        32,
        34,
        35,
        37,
        38,
        40,
        41,
        42,
        44,
        45,
        47,
        48,
        50,
    }
    | {
        51,
        52,
        54,
        55,
        57,
        58,
        60,
        61,
        62,
        64,
        65,
        67,
        68,
        70,
        71,
        72,
        74,
        75,
        77,
        78,
        80,
        81,
        82,
        84,
        85,
        87,
        88,
        90,
        91,
    }
    | {92, 94, 95, 97, 98, 100, 101, 102, 104, 105, 107, 108, 110, 111, 112, 114, 115, 117, 118, 120}
)


def named() -> dict[int, list[str]]:
    """The numbers that tests name, with the files that do."""
    found: dict[int, list[str]] = {}
    for path in sorted(TESTS.rglob("test_*.py")):
        if path == Path(__file__).resolve():
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "fault":
                for argument in node.args:
                    assert isinstance(argument, ast.Constant), f"{path.name}: write the number out"
                    found.setdefault(int(str(argument.value)), []).append(path.name)
    return found


def test_every_fault_has_a_test() -> None:
    tested = named().keys()
    assert SHOWN - tested == set(), "these have lost their test"
    assert tested - SHOWN == set(), "these have a test now: put them into SHOWN"


def test_the_list_is_whole() -> None:
    if not LIST.is_file():
        pytest.skip("data: there is no ../shared/cases/faults.md")
    numbers = {int(number) for number in re.findall(r"^\| (\d+) \|", LIST.read_text("utf-8"), re.MULTILINE)}
    assert len(numbers) > 70
    assert numbers == SHOWN


@pytest.mark.parametrize("wrong", [(), (0,), (True,), (999,)])
def test_what_is_no_number_is_refused(wrong: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="no fault"):
        fault(*wrong)
