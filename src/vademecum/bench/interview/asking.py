"""What is asked of models, step by step: each yields calls, is given texts, and returns what came of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, Literal

from vademecum.bench.calls.prompts import wording
from vademecum.bench.calls.request import Asking, Call, Request, Role, request_id
from vademecum.bench.calls.tolerant import objects, score_in
from vademecum.bench.interview.desk import Desk
from vademecum.bench.judging import by_rule
from vademecum.bench.probes.probe import Probe
from vademecum.bench.probes.slices import Slice

Mode = Literal["closed", "search"]
MODES: tuple[Mode, ...] = ("closed", "search")
#: An answer that cannot be read is asked for once more, then counted apart (B-5).
TRIES = 2
_WRITE_TOKENS, _QUERY_TOKENS, _ANSWER_TOKENS, _JUDGE_TOKENS = 250, 60, 200, 60
_QUERY_CHARS = 200


@dataclass(frozen=True)
class Cell:
    """One question to one arm.

    Attributes:
        lineage: Its name.
        book: `plain` or `planted`.
        arm: The arm.
        mode: Closed book, or with one search.
        probe: The question.
        replicate: From 0.
    """

    lineage: str
    book: str
    arm: str
    mode: Mode
    probe: Probe
    replicate: int


@dataclass(frozen=True)
class Grade:
    """What came of a cell.

    Attributes:
        points: 2 right, 1 partly, 0 wrong; None where the judge twice wrote what cannot be read.
        judge: `rule` or `model`.
        answer: What the model said.
        query: What it searched for.
    """

    points: int | None
    judge: Literal["rule", "model"]
    answer: str
    query: str = ""

    def as_dict(self) -> dict[str, Any]:
        """JSON data."""
        return asdict(self)


def written(desk: Desk, slice: Slice) -> Asking[list[dict[str, Any]] | None]:
    """Questions about a slice as the writer gave them; None where it twice wrote what cannot be read."""
    for attempt in range(TRIES):

        def values() -> dict[str, object]:
            return {"slice": slice.text, "count": slice.count}

        about = (desk.lineage.name, desk.region.stop, slice.number, len(desk.slices), slice.count, slice.text)
        limit = 400 + _WRITE_TOKENS * slice.count
        rows = objects((yield _call("writer", "write", (*about, attempt), limit, values)))
        if rows is not None:
            return rows
    return None


def graded(desk: Desk, cell: Cell) -> Asking[Grade]:
    """A model's answer to a question, and what it is worth."""
    shown, question = desk.shown(cell.arm, cell.book), cell.probe.question
    about: tuple[object, ...] = (shown.mark, question, cell.replicate)
    query, found = "", lambda: ""
    if cell.mode == "search":

        def asked() -> dict[str, object]:
            return {"context": shown.text, "question": question}

        query = one_line((yield _call("answerer", "query", about, _QUERY_TOKENS, asked)))
        # What a search finds depends on the transcript that is searched, which other arms' contexts share.
        about = (*about, cell.lineage, cell.book, query)
        found = lambda: f"<search query={query!r}>\n{desk.find(cell.book, query)}\n</search>"

    def values() -> dict[str, object]:
        return {"context": shown.text, "found": found(), "question": question}

    answer = (yield _call("answerer", "answer", about, _ANSWER_TOKENS, values)).strip()
    points = by_rule(cell.probe, answer)
    if points is not None:
        return Grade(points, "rule", answer, query)
    return Grade((yield from _judged(cell.probe, answer)), "model", answer, query)


def _judged(probe: Probe, answer: str) -> Asking[int | None]:
    """Points by a model that sees question, gold and answer, and nothing else."""
    values: dict[str, object] = {"question": probe.question, "gold": probe.gold, "answer": answer}
    for attempt in range(TRIES):
        score = score_in((yield _call("judge", "judge", (values, attempt), _JUDGE_TOKENS, lambda: values)))
        if score is not None:
            return score
    return None


def one_line(text: str) -> str:
    """A query as a model wrote it: its first line with words, without quotes and what stands before a colon."""
    line = next((line for line in text.splitlines() if line.strip(" `\"'*")), "")
    line = line.strip().removeprefix("Search:").removeprefix("search:")
    return line.strip(" `\"'*")[:_QUERY_CHARS]


def _call(
    role: Role, name: str, about: tuple[object, ...], limit: int, values: Callable[[], dict[str, object]]
) -> Call:
    prompt = wording(name)
    id = request_id(role, name, prompt.mark, *about)
    return Call(id, role, lambda: Request(id, role, prompt.system, prompt.filled(**values()), limit))
