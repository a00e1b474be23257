"""Logs that are trees: a row names its parent, a rewind opens a branch, the newest leaf's way is the transcript."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

#: Branches that are told apart; of more, only the number is reported.
MOST_BRANCHES = 100


@dataclass(slots=True)
class Entry:
    """A row of a tree.

    Attributes:
        line: Its line, from 1.
        offset: Where it stands in the file.
        size: Its bytes.
        id: Its id; empty for none.
        parent: The id of the row that it follows; empty for none.
        root: Whether it says that it follows nothing.
        role: `user`, `assistant`, or empty for a row that only links others.
        unit: What it is a piece of: rows of one model call share it.
        calls: The ids of the calls it makes.
        results: The ids of the calls it answers.
        harness: Whether a harness wrote it.
        group: The agent that it belongs to; empty for the main one.
    """

    line: int
    offset: int
    size: int
    id: str
    parent: str
    root: bool = False
    role: str = ""
    unit: str = ""
    calls: tuple[str, ...] = ()
    results: tuple[str, ...] = ()
    harness: bool = False
    group: str = ""


@dataclass(frozen=True, slots=True)
class Branch:
    """One way from the root to a leaf, as steps: a message each, made of one row or several.

    Attributes:
        steps: The rows of each message, in order.
    """

    steps: tuple[tuple[Entry, ...], ...]


def branches(entries: Sequence[Entry]) -> tuple[list[Branch], int]:
    """The branches of one agent's tree, the newest last, and how many older ones were left out.

    A parent that is not there (its line was damaged) is the row before; calls that were made side by side keep
    their results, although each result is a leaf of its own.
    """
    parents = _parents(entries)
    units: dict[str, list[int]] = {}
    answers: dict[str, list[int]] = {}
    for index, entry in enumerate(entries):
        if entry.unit:
            units.setdefault(entry.unit, []).append(index)
        for call in entry.results:
            answers.setdefault(call, []).append(index)
    covered: set[int] = set()
    found: list[Branch] = []
    left_out = 0
    spoken = [index for index, entry in enumerate(entries) if entry.role]
    for leaf in reversed(spoken):
        if leaf in covered:
            continue
        if len(found) > MOST_BRANCHES:
            left_out += 1
            covered.add(leaf)
            continue
        steps = _steps(entries, _path(parents, leaf), units, answers)
        for step in steps:
            covered.update(step)
        covered.add(leaf)
        found.append(Branch(tuple(tuple(entries[index] for index in step) for step in steps)))
    return found[::-1], left_out


def _parents(entries: Sequence[Entry]) -> list[int]:
    """Index of each row's parent, -1 for a root."""
    first: dict[str, int] = {}
    for index, entry in enumerate(entries):
        first.setdefault(entry.id, index)
    newest: dict[str, int] = {}
    parents: list[int] = []
    for index, entry in enumerate(entries):
        parent = newest.get(entry.parent, first.get(entry.parent, -1)) if entry.parent else -1
        if parent < 0 or parent >= index:  # it names none, or one whose line is gone, or one that came later
            parent = -1 if entry.root and not entry.parent else index - 1
        parents.append(parent)
        if entry.id:
            newest[entry.id] = index
    return parents


def _path(parents: Sequence[int], leaf: int) -> list[int]:
    path: list[int] = []
    while leaf >= 0:
        path.append(leaf)
        leaf = parents[leaf]
    return path[::-1]


def _steps(
    entries: Sequence[Entry], path: Sequence[int], units: dict[str, list[int]], answers: dict[str, list[int]]
) -> list[list[int]]:
    on_path = set(path)
    done: set[int] = set()
    steps: list[list[int]] = []

    def add(rows: Iterable[int]) -> None:
        new = [row for row in rows if row not in done]
        done.update(new)
        if not new:
            return
        if steps and entries[steps[-1][0]].role == entries[new[0]].role:
            steps[-1].extend(new)
        else:
            steps.append(new)

    for index in path:
        entry = entries[index]
        if not entry.role or index in done:
            continue
        if entry.role != "assistant":
            add([index])
            continue
        members = units[entry.unit] if entry.unit else [index]
        add(members)
        calls = [call for member in members for call in entries[member].calls]
        results = [answer for call in calls if (answer := _answer(answers.get(call, ()), on_path)) is not None]
        add(sorted(results))
    return steps


def _answer(rows: Sequence[int], on_path: set[int]) -> int | None:
    """The row that answers a call: the one on the path, else the newest."""
    return next((row for row in rows if row in on_path), rows[-1] if rows else None)
