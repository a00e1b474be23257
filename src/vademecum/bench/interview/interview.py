"""A run's models as a state machine: what is asked next follows from what has been answered, and from that alone."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import Any, Self, TypeVar

import msgspec

from vademecum.bench.calls.request import ROLES, Asking, Call, Request
from vademecum.bench.calls.store import Answers, Given
from vademecum.bench.calls.taken import Taken
from vademecum.bench.interview.asking import MODES, Cell, Grade, graded, written
from vademecum.bench.interview.desk import Desk
from vademecum.bench.interview.plan import Plan
from vademecum.bench.setting import Setting
from vademecum.errors import ConfigError

T = TypeVar("T")


class Interview:
    """The part of a run that models take part in.

    Args:
        folder: The run.

    Raises:
        ConfigError: There is no run, or no model is asked anything in it.
    """

    def __init__(self, folder: Path) -> None:
        if not (folder / "run.json").exists():
            raise ConfigError(f"{folder} holds no run", hint="vademecum bench run FILE -o FOLDER makes one")
        head = json.loads((folder / "run.json").read_text("utf-8"))
        setting = msgspec.convert(head["setting"], Setting)
        self.plan = Plan.load(folder)
        self.answers = Answers(folder)
        self.desks = {name: Desk(folder / name, name, setting, self.plan) for name in head["lineages"]}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for desk in self.desks.values():
            desk.close()

    def pending(self, roles: Collection[str] = ROLES) -> Iterator[Request]:
        """The requests that can be sent now, each once, those that share a context one after another.

        Args:
            roles: Which models' requests.
        """
        return (call.make() for call in self.calls() if call.role in roles)

    def calls(self) -> Iterator[Call]:
        """The same before they are written."""
        seen: set[str] = set()
        for call in self._calls():
            if call.id not in seen:
                seen.add(call.id)
                yield call

    def take(self, given: Iterable[Given]) -> Taken:
        """Takes answers, whatever their order; those to calls that others lead to are taken as well.

        Args:
            given: What came back.
        """
        done = Taken()
        waiting: dict[str, Given] = {}
        lost: dict[str, Given] = {}
        for one in given:
            if one.fault:
                done.faults[one.fault] += 1
                lost[one.id] = one
            elif one.id in self.answers or one.id in waiting:
                done.known += 1
            else:
                waiting[one.id] = one
        while waiting and (ready := [call.id for call in self.calls() if call.id in waiting]):
            for id in ready:
                self.answers.add(waiting.pop(id))
            done.taken += len(ready)
        done.unknown = len(waiting)
        for call in self.calls() if lost else ():
            if call.id in lost:
                self.answers.add(lost[call.id])
        self.answers.save()
        self.settle()
        return done

    def settle(self) -> None:
        """Makes questions of what writers wrote, where all of it is there."""
        for desk in self.desks.values():
            self._facts(desk)

    def cells(self) -> Iterator[Cell]:
        """Every question to every arm, of lineages whose questions are written."""
        for name, desk in self.desks.items():
            if desk.facts is None:
                continue
            asked = [("plain", probe) for probe in desk.facts] + [("planted", probe) for probe in desk.abstention]
            for arm in self.plan.arms:
                for mode in MODES:
                    if mode == "search" and arm in self.plan.closed:
                        continue
                    for replicate in range(self.plan.replicates):
                        for book, probe in asked:
                            yield Cell(name, book, arm, mode, probe, replicate)

    def grades(self) -> Iterator[tuple[Cell, Grade | None]]:
        """Every cell with what came of it; None where calls are pending."""
        for cell in self.cells():
            came = self._advanced(graded(self.desks[cell.lineage], cell))
            yield cell, came if isinstance(came, Grade) else None

    def status(self) -> dict[str, Any]:
        """How far it is."""
        pending = Counter(call.role for call in self.calls())
        grades = [grade for _, grade in self.grades()]
        return {
            "answered": {role: self.answers.counts().get(role, 0) for role in ROLES},
            "pending": {role: pending.get(role, 0) for role in ROLES},
            "faults": self.answers.faults(),
            "models": self.answers.models(),
            "questions": {name: None if desk.facts is None else len(desk.facts) for name, desk in self.desks.items()},
            "cells": len(grades),
            "graded": sum(grade is not None for grade in grades),
        }

    def _calls(self) -> Iterator[Call]:
        for desk in self.desks.values():
            if not self._facts(desk):
                yield from self._writing(desk)
        for cell in self.cells():
            came = self._advanced(graded(self.desks[cell.lineage], cell))
            if isinstance(came, Call):
                yield came

    def _writing(self, desk: Desk) -> Iterator[Call]:
        for slice in desk.slices:
            came = self._advanced(written(desk, slice))
            if isinstance(came, Call):
                yield came

    def _facts(self, desk: Desk) -> bool:
        """Whether a lineage's questions are written; makes them as soon as they can be made."""
        if desk.facts is not None:
            return True
        found: dict[int, list[dict[str, Any]]] = {}
        failures = 0
        for slice in desk.slices:
            came = self._advanced(written(desk, slice))
            if isinstance(came, Call):
                return False
            failures += came is None
            found[slice.number] = came or []
        desk.ask(dict(found), failures)
        return True

    def _advanced(self, asking: Asking[T]) -> Call | T:
        """Leads something through what has been answered: the call that it waits for, or what came of it."""
        try:
            call = next(asking)
            while (text := self.answers.text(call.id)) is not None:
                call = asking.send(text)
        except StopIteration as ended:
            return ended.value
        asking.close()
        return call
