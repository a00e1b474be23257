"""Cases for the planner, made without an archive; and one drive of them with one."""

from collections.abc import Sequence
from typing import Any

from vademecum import Archive, Compaction, compact
from vademecum.compactor.answers import Answers
from vademecum.core.budget import Window, budget
from vademecum.core.case import Case, leading_system_rows
from vademecum.core.draft import Draft
from vademecum.core.driver import drive
from vademecum.core.identity import chain
from vademecum.core.requests import Steps
from vademecum.core.tokens import TokenCounter
from vademecum.models.tokenizer import count_tokens
from vademecum.presets import preset
from vademecum.summarizers import Summarizer
from vademecum.testing import sample
from vademecum.wire import dialect

COUNTER = TokenCounter(count_tokens)


def case_of(
    format: str = "openai-chat",
    rows: Sequence[dict[str, Any]] | None = None,
    *,
    turns: int = 12,
    window: int = 8_000,
    outside: int = 0,
    **named: Any,
) -> Case:
    """The case of a session that has never been compacted."""
    found = sample(format, turns=turns) if rows is None else rows
    messages = tuple(dialect(format).load(row, at) for at, row in enumerate(found))
    sizes = COUNTER.messages(messages)
    head = leading_system_rows(messages)
    chosen = preset(named.pop("preset", "half"))
    given: dict[str, Any] = {
        "session": "case",
        "cycle": 1,
        "head": messages[:head],
        "live": messages[head:],
        "nodes": chain(messages)[head:],
        "sizes": sizes[head:],
        "overhead": outside + sum(sizes[:head]),
        "positions": tuple(range(head, len(messages) + 1)),
        "budget": budget(chosen, window=Window(window), target=named.pop("target", None)),
        "preset": chosen,
        "dialect": dialect(format),
        "before": outside + sum(sizes),
    }
    return Case(**{**given, **named})


def driven(steps: Steps[Any], summarizer: Summarizer | None = None, rows: Sequence[dict[str, Any]] = ()) -> Any:
    """Runs steps with an archive that has these rows."""
    session = Archive.memory().session("case", format="openai-chat")
    if rows:
        compact(rows, window=10_000_000, session=session)
    return drive(steps, Answers(session, COUNTER, summarizer, lambda: 0.0))


def whole(case: Case) -> Draft:
    """The draft that has decided nothing but to keep nothing as a tail."""
    return Draft(fold=0, cut=len(case.live), sizes=case.sizes)


def compacted(rows: Sequence[dict[str, Any]], **named: Any) -> Compaction:
    """One call, at a small window."""
    return compact(list(rows), **{"window": 8_000, **named})


def sent_text(done: Compaction) -> str:
    """Everything that goes out, as one text."""
    return "\n".join(str(row) for row in done.messages)
