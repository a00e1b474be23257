"""The compactor against a plain model, which is the caller's own list, through any sequence of what a caller does."""

from __future__ import annotations

import json
import threading
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule, run_state_machine_as_test

from contract.archive.build import assistant, calling, result, user
from night import AT_NIGHT, often
from requirement import requirement
from vademecum import Archive, Compaction, Compactor
from vademecum.compactor.intake import known_of

WINDOW = 6_000
SIZES = st.sampled_from([1, 30, 120, 600])


class CompactorMachine(RuleBasedStateMachine):
    """A caller that talks, edits, goes back, restarts and cancels, and what must hold at each request."""

    def __init__(self) -> None:
        super().__init__()
        self.archive = Archive.memory()
        self.compactor = self.started()
        self.rows: list[dict[str, Any]] = []
        self.number = 0
        self.done: Compaction | None = None

    def started(self, window: int = WINDOW) -> Compactor:
        return Compactor(window=window, session=self.archive.session("s", format="openai-chat"))

    def words(self, size: int) -> str:
        self.number += 1
        return f"n{self.number} " + f"word{self.number % 7} of the talk. " * size

    @initialize(system=st.booleans())
    def begins(self, system: bool) -> None:
        self.rows = [{"role": "system", "content": "You help."}] if system else []
        self.rows.append(user(self.words(10)))

    @rule(size=SIZES)
    def turn(self, size: int) -> None:
        self.rows += [assistant(self.words(size)), user(self.words(5))]

    @rule(size=SIZES, count=st.integers(1, 3))
    def worked(self, size: int, count: int) -> None:
        for _ in range(count):
            self.number += 1
            id = f"c{self.number}"
            self.rows += [calling(id, "bash", {"command": f"make {id}"}), result(id, self.words(size))]

    @rule()
    def fit(self) -> None:
        self.check(self.compactor.fit(list(self.rows)))

    @rule(window=st.sampled_from([3_000, 4_000]))
    def fit_a_smaller_member(self, window: int) -> None:
        """It has a context of its own, and leaves that of the larger one as it is."""
        self.check(self.compactor.fit(list(self.rows)))
        before = self.archive.session("s").context()
        done = self.started(window).fit(list(self.rows))
        assert done.receipt.tokens_after <= window
        assert self.archive.session("s").context() == before

    @rule()
    def forced(self) -> None:
        self.check(self.compactor.fit(list(self.rows), forced=True))

    @precondition(lambda self: len(self.rows) > 6)
    @rule(back=st.integers(1, 4))
    def goes_back(self, back: int) -> None:
        """The caller takes its last turns back and says something else."""
        rows = self.rows[:-back]
        while rows and (rows[-1]["role"] != "user" or len(rows) < 2):
            rows = rows[:-1]
        if rows:
            self.rows = [*rows[:-1], user(self.words(3))]

    @precondition(lambda self: len(self.rows) > 4)
    @rule(data=st.data())
    def edits(self, data: st.DataObject) -> None:
        texts = [at for at, row in enumerate(self.rows) if row["role"] == "user"]
        at = data.draw(st.sampled_from(texts))
        self.rows = [*self.rows[:at], user(f"{self.rows[at]['content']} (edited)"), *self.rows[at + 1 :]]

    @rule()
    def restarts(self) -> None:
        self.compactor = self.started()

    @rule()
    def undo(self) -> None:
        self.compactor.undo()

    @rule()
    def asks(self) -> None:
        self.compactor.request("what matters")

    @rule()
    def two_at_once(self) -> None:
        """Two threads send the same request: they agree."""
        found: list[list[Any]] = []
        threads = [
            threading.Thread(target=lambda: found.append(list(self.compactor.fit(list(self.rows)).messages)))
            for _ in range(2)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(found) == 2
        assert found[0] == found[1]

    def check(self, done: Compaction) -> None:
        session = self.archive.session("s")
        assert done.receipt.outcome not in ("failed", "invalid"), done.receipt.failure
        assert done.receipt.tokens_after <= WINDOW
        assert self.rows[-1].get("tool_call_id") == done.messages[-1].get("tool_call_id")
        loaded = [session.dialect.load(row, at) for at, row in enumerate(done.messages)]
        assert [problem.kind for problem in session.dialect.problems(loaded)] == []
        known = known_of(session).transcript
        assert [json.loads(message.raw) for message in known.messages] == self.rows
        assert [json.loads(raw) for raw in session.context()] == list(done.messages)
        assert session.archive.verify() == []
        for id in done.receipt.removed[:5]:
            assert session.restore(id).data
        newest = next(row["content"] for row in reversed(self.rows) if row["role"] == "user")
        assert newest.split()[0] in json.dumps(list(done.messages))


@requirement("I1", "I3", "I5", "I10", "C-35")
def test_the_compactor_is_what_the_caller_says() -> None:
    few = settings(
        max_examples=often(12),
        stateful_step_count=20,
        deadline=None,
        derandomize=not AT_NIGHT,
        suppress_health_check=list(HealthCheck),
    )
    run_state_machine_as_test(CompactorMachine, settings=few)
