"""What an arm holds while a lineage goes on: its context, and how it compacts that."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from vademecum.archive import Session
from vademecum.bench.arms.arm import Job, Kept, Row
from vademecum.bench.arms.product import vademecum
from vademecum.bench.lineage import Lineage
from vademecum.bench.own_archive import own_archive
from vademecum.compactor import Compactor
from vademecum.core.budget import Budget
from vademecum.core.messages import Message, Wire
from vademecum.core.tokens import TokenCounter
from vademecum.errors import CannotFitError


class Held(Protocol):
    """A session of an arm."""

    def take(self, message: Message) -> None:
        """One more message."""
        ...

    def compacted(self) -> Kept | None:
        """Compacts what it holds; None when the arm itself finds nothing due."""
        ...

    def searchable(self) -> Session:
        """Everything that was taken, to be searched."""
        ...


def held(row: Row, lineage: Lineage, budget: Budget, counter: TokenCounter, seed: int) -> Held:
    """A new session of an arm: Vademecum as it is used, any other arm on its own context.

    Args:
        row: The arm.
        lineage: What will be taken; its name and its format are meant.
        budget: Window, trigger and target.
        counter: Counts tokens.
        seed: Of the run: for arms that choose by chance, and for marks of secrets.
    """
    if row.arm is vademecum:
        return _Product(row, lineage, budget, seed)
    return _Stateless(row, lineage, budget, counter, seed)


class _Product:
    """`Compactor.fit` with one session in an archive."""

    def __init__(self, row: Row, lineage: Lineage, budget: Budget, seed: int) -> None:
        self._load = lineage.dialect.load
        self._session = own_archive(seed).session("bench", format=lineage.dialect.name)
        self._compactor = Compactor(
            window=budget.window.tokens,
            session=self._session,
            preset=str(row.options.get("preset", "half")),
            trigger=budget.trigger_tokens,
            target=budget.target_override or None,
            clock=lambda: 0.0,
            now=lambda: 0.0,
        )
        self._wires: list[Wire] = []

    def take(self, message: Message) -> None:
        self._wires.append(message.wire)

    def compacted(self) -> Kept | None:
        try:
            done = self._compactor.fit(self._wires)
        except CannotFitError as error:
            return Kept(self._loaded(self._wires), {"failure": str(error)})
        if done.plan is None and done.receipt.outcome == "nothing_needed":
            return None
        details = {"outcome": done.receipt.outcome, "failure": done.receipt.failure}
        return Kept(done.context or self._loaded(done.messages), details)

    def searchable(self) -> Session:
        return self._session

    def _loaded(self, wires: Sequence[Wire]) -> tuple[Message, ...]:
        return tuple(self._load(wire, index) for index, wire in enumerate(wires))


class _Stateless:
    """An arm that is given what it kept and what came since."""

    def __init__(self, row: Row, lineage: Lineage, budget: Budget, counter: TokenCounter, seed: int) -> None:
        self._row, self._lineage, self._budget = row, lineage, budget
        self._counter, self._seed = counter, seed
        self._context: list[Message] = []
        self._unsearched: list[Message] = []
        self._session: Session | None = None

    def take(self, message: Message) -> None:
        self._context.append(message)
        self._unsearched.append(message)

    def compacted(self) -> Kept:
        lineage = Lineage(self._lineage.name, self._lineage.dialect, tuple(self._context))
        window, target = self._budget.window.tokens, self._budget.target()
        kept = self._row.arm(Job(lineage, self._counter, window, target, self._row.options, self._seed))
        self._context = list(kept.messages)
        return kept

    def searchable(self) -> Session:
        if self._session is None:
            self._session = own_archive(self._seed).session("bench", format=self._lineage.dialect.name)
        if self._unsearched:
            self._session.append(self._unsearched, self._counter.messages(self._unsearched))
            self._unsearched = []
        return self._session
