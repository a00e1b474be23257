"""All calls of a run that travel in files: those of its summary model, and those of who asks and answers (B-6)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import Any, Self

from vademecum.bench.calls.request import EVERY_ROLE, Request
from vademecum.bench.calls.store import Given
from vademecum.bench.calls.taken import Taken
from vademecum.bench.interview.interview import Interview
from vademecum.bench.interview.plan import Plan
from vademecum.bench.run import Note
from vademecum.bench.summaries.standing import Summaries


class Batches:
    """The models of a run.

    Args:
        folder: The run.

    Raises:
        ConfigError: There is no run, or no model is asked anything in it.
    """

    def __init__(self, folder: Path) -> None:
        self.summaries = Summaries.of(folder)
        self.interview = Interview(folder) if self.summaries is None or Plan.there(folder) else None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.interview is not None:
            self.interview.__exit__()

    def pending(self, roles: Collection[str] = EVERY_ROLE) -> Iterator[Request]:
        """The requests that can be sent now, each once; of the summary model so many as the run may make.

        Args:
            roles: Which models' requests.
        """
        if self.summaries is not None and "summarizer" in roles:
            yield from self.summaries.allowed()
        if self.interview is not None:
            yield from self.interview.pending(roles)

    @property
    def held_back(self) -> int:
        """How many requests for summaries can be written only when the run may make more calls."""
        return 0 if self.summaries is None else len(self.summaries.pending()) - len(self.summaries.allowed())

    def take(self, given: Iterable[Given], note: Note | None = None) -> Taken:
        """Takes answers to any of the models; what nobody asked does no harm.

        Args:
            given: What came back.
            note: Told of each result that answers make possible.

        Raises:
            ConfigError: What the run was made of is gone; the answers are kept.
        """
        done, ours, others = Taken(), list[Given](), list[Given]()
        for one in given:
            (ours if one.id.startswith("summarizer-") else others).append(one)
        if self.interview is not None:
            done.add(self.interview.take(others))
        else:
            done.faults.update(one.fault for one in others if one.fault)
            done.unknown += sum(not one.fault for one in others)
        if self.summaries is not None:
            done.add(self.summaries.take(ours, note))
        else:
            done.faults.update(one.fault for one in ours if one.fault)
            done.unknown += sum(not one.fault for one in ours)
        return done

    def status(self) -> dict[str, Any]:
        """How far it is; roles that nothing is asked of are there with 0."""
        told: dict[str, Any] = (
            {"answered": {}, "pending": {}, "faults": {}, "models": {}, "questions": {}, "cells": 0, "graded": 0}
            if self.interview is None
            else self.interview.status()
        )
        if self.summaries is not None:
            answers = self.summaries.answers
            told["answered"]["summarizer"] = len(answers)
            told["pending"]["summarizer"] = len(self.summaries.pending())
            faults = Counter(answers.faults())
            faults.update(told["faults"])
            told["faults"] = dict(sorted(faults.items()))
            told["models"] = {**told["models"], **answers.models()}
        for counts in ("answered", "pending"):
            told[counts] = {role: told[counts].get(role, 0) for role in EVERY_ROLE}
        return told
