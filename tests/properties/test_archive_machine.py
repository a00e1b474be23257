"""The archive against a plain model: dictionaries of lists, through any sequence of what may be done to it."""

from __future__ import annotations

import json
import shutil
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from contract.archive.build import assistant, calling, follow, result, user
from night import AT_NIGHT, often
from requirement import requirement
from vademecum import Archive
from vademecum.archive import Piece, StoredCompaction

NAMES = st.sampled_from(["a", "b", "ä/✓"])


@dataclass
class Held:
    """What the model knows of a session."""

    rows: list[dict[str, Any]] = field(default_factory=list)
    #: The compactions that stand, each (covered, carry, the run that it was made in).
    standing: list[tuple[int, str, int]] = field(default_factory=list)
    #: The runs that the session consists of, each (where it begins, its number).
    runs: list[tuple[int, int]] = field(default_factory=lambda: [(0, 0)])

    def context(self) -> list[dict[str, Any]]:
        if not self.standing:
            return self.rows
        covered, carry, _ = self.standing[-1]
        return [user(carry), *self.rows[covered:]]


class ArchiveMachine(RuleBasedStateMachine):
    """An archive in a file, two connections on it, and the model."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="vademecum-machine-"))
        self.path = self.folder / "sessions.db"
        self.archives = [Archive.open(self.path), Archive.open(self.path)]
        self.model: dict[str, Held] = {}
        self.count = 0

    def teardown(self) -> None:
        for archive in self.archives:
            archive.close()
        shutil.rmtree(self.folder)

    def fresh(self, kind: int) -> list[dict[str, Any]]:
        self.count += 1
        number = self.count
        if kind == 0:
            return [user(f"request zq{number}x in src/file_{number}.py")]
        if kind == 1:
            return [assistant(f"answer zq{number}x")]
        big = f"line of zq{number}x; " * (400 if kind == 3 else 3)
        return [calling(f"c{number}", "bash", {"command": f"make zq{number}x"}), result(f"c{number}", big)]

    @rule(name=NAMES, kinds=st.lists(st.integers(0, 3), min_size=1, max_size=4), by=st.integers(0, 1))
    def append(self, name: str, kinds: list[int], by: int) -> None:
        held = self.model.setdefault(name, Held())
        held.rows = [*held.rows, *(row for kind in kinds for row in self.fresh(kind))]
        follow(self.archives[by].session(name, format="openai-chat"), held.rows)

    @precondition(lambda self: any(len(held.rows) > 1 for held in self.model.values()))
    @rule(data=st.data(), by=st.integers(0, 1))
    def branch(self, data: st.DataObject, by: int) -> None:
        """Another ending: what is left as a whole takes its compactions along (a compactor carries them over)."""
        name = data.draw(st.sampled_from(sorted(n for n, held in self.model.items() if len(held.rows) > 1)))
        held = self.model[name]
        at = data.draw(st.integers(1, len(held.rows) - 1))
        held.rows = [*held.rows[:at], *self.fresh(0)]
        while len(held.runs) > 1 and held.runs[-1][0] >= at:
            held.runs.pop()
        numbers = {number for _, number in held.runs}
        held.standing = [made for made in held.standing if made[0] <= at and made[2] in numbers]
        held.runs.append((at, self.count))
        follow(self.archives[by].session(name), held.rows)

    @precondition(lambda self: bool(self.model))
    @rule(data=st.data(), by=st.integers(0, 1))
    def commit(self, data: st.DataObject, by: int) -> None:
        name = data.draw(st.sampled_from(sorted(self.model)))
        held, session = self.model[name], self.archives[by].existing(name)
        covered = data.draw(st.integers(1, len(held.rows)))
        if held.standing and covered < held.standing[-1][0]:
            return
        standing = session.compaction()
        carry = f"carry {self.count} of {covered}"
        cycle = 1 if standing is None else standing.cycle + 1
        piece = Piece(-1, -1, json.dumps(user(carry)).encode())
        made = StoredCompaction(cycle, covered, covered, covered, 10, (piece,), "", "{}", 0)
        assert not session.commit(made, expected=10**6)  # planned on what does not stand
        assert session.commit(made, expected=0 if standing is None else standing.id)
        held.standing.append((covered, carry, held.runs[-1][1]))

    @precondition(lambda self: bool(self.model))
    @rule(data=st.data(), by=st.integers(0, 1))
    def remove(self, data: st.DataObject, by: int) -> None:
        name = data.draw(st.sampled_from(sorted(self.model)))
        del self.model[name]
        self.archives[by].remove(name, vacuum=False)

    @rule(by=st.integers(0, 1))
    def reopen(self, by: int) -> None:
        self.archives[by].close()
        self.archives[by] = Archive.open(self.path)

    @precondition(lambda self: self.count > 0)
    @rule(data=st.data(), by=st.integers(0, 1))
    def search(self, data: st.DataObject, by: int) -> None:
        number = data.draw(st.integers(1, self.count))
        there = {
            name for name, held in self.model.items() if any(f"zq{number}x" in json.dumps(row) for row in held.rows)
        }
        found = {hit.session for hit in self.archives[by].search(f"zq{number}x") if f"zq{number}x" in hit.text}
        assert there <= found
        assert found <= self.model.keys()

    @invariant()
    def the_sessions_are_those_of_the_model(self) -> None:
        for archive in self.archives:
            for name, held in self.model.items():
                session = archive.existing(name)
                assert len(session) == len(held.rows)
                assert [json.loads(raw) for raw in session.context()] == held.context()
            assert not any(archive.has(name) for name in ("a", "b", "ä/✓") if name not in self.model)

    @invariant()
    def it_is_whole(self) -> None:
        assert {fault.what for fault in self.archives[0].verify()} <= {"removal"}


@requirement("A-1", "A-3", "I5", "I10")
@pytest.mark.parametrize("steps", [30])
def test_the_archive_is_what_the_model_is(steps: int) -> None:
    from hypothesis.stateful import run_state_machine_as_test

    few = settings(
        max_examples=often(10),
        stateful_step_count=steps,
        deadline=None,
        derandomize=not AT_NIGHT,
        suppress_health_check=list(HealthCheck),
    )
    run_state_machine_as_test(ArchiveMachine, settings=few)
