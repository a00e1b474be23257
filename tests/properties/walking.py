"""A session that grows and is compacted again and again, and what must hold at each step."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st

from night import often
from vademecum import Archive, Compaction, Session, compact
from vademecum.core.apply import Emitted, Kept
from vademecum.core.dialect import Dialect
from vademecum.core.identity import chain, part_id
from vademecum.core.messages import Message
from vademecum.core.text import clean
from vademecum.testing import transcripts
from vademecum.wire import dialect

FORMATS = ("openai-chat", "anthropic")
WINDOWS = (4_000, 8_000, 16_000, 32_000)
# Shrinking a long transcript takes minutes; its repr is short enough to be read as it is.
FEW = settings(
    max_examples=often(12),
    suppress_health_check=list(HealthCheck),
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
)
Rows = list[dict[str, Any]]


@dataclass(frozen=True)
class Walk:
    """A transcript, and where it stood when it was sent."""

    format: str
    rows: Rows
    stops: tuple[int, ...]
    window: int

    @property
    def dialect(self) -> Dialect:
        return dialect(self.format)

    def loaded(self, stop: int | None = None) -> tuple[Message, ...]:
        return tuple(self.dialect.load(row, at) for at, row in enumerate(self.rows[:stop]))


@dataclass(frozen=True)
class Step:
    """One request: the transcript that was given and what came out."""

    messages: tuple[Message, ...]
    done: Compaction
    session: Session


@st.composite
def walks(draw: st.DrawFn, *, sound: bool, formats: tuple[str, ...] = FORMATS) -> Walk:
    """A transcript is sent before messages of the assistant and at its end."""
    format = draw(st.sampled_from(formats))
    rows = draw(transcripts(format, sound=sound))
    places = [at for at, row in enumerate(rows) if row["role"] == "assistant" and at > 0]
    some = draw(st.sets(st.sampled_from(places), max_size=4)) if places else set()
    return Walk(format, rows, (*sorted(some), len(rows)), draw(st.sampled_from(WINDOWS)))


def walked(walk: Walk, archive: Archive | None = None, **options: Any) -> Iterator[Step]:
    """The steps of a walk."""
    session = (archive or Archive.memory()).session("walk", format=walk.format)
    for stop in walk.stops:
        done = compact(walk.rows[:stop], window=walk.window, session=session, **options)
        yield Step(walk.loaded(stop), done, session)


def applied(step: Step) -> bool:
    return step.done.plan is not None and step.done.plan.applies


def texts_sent(step: Step) -> list[str]:
    """Texts of what goes out under the user's name."""
    loaded = [step.session.dialect.load(row, at) for at, row in enumerate(step.done.messages)]
    return [part.text for message in loaded if message.role in ("user", "tool") for part in message.parts]


def newest_typed(messages: tuple[Message, ...]) -> list[str]:
    """What a person typed last, as it can be sent."""
    newest = next((message for message in reversed(messages) if message.typed), None)
    return [] if newest is None else [clean(part.text) for part in newest.parts if part.typed]


def part_ids(messages: tuple[Message, ...]) -> dict[str, tuple[int, int]]:
    """The id of every part of a transcript with where it stands."""
    return {
        part_id(node, number, len(message.parts)): (at, number)
        for at, (message, node) in enumerate(zip(messages, chain(messages), strict=True))
        for number in range(len(message.parts))
    }


def same(step: Step, rows: Iterable[Any]) -> list[bytes]:
    """Who these messages are, cache marks aside: those that left are put anew when a context is sent."""
    return [step.session.dialect.load(row, at).identity for at, row in enumerate(rows)]


def own_problems(step: Step) -> list[str]:
    """What the strictest consumer would refuse and the caller did not send."""
    dialect = step.session.dialect
    sent = [dialect.load(row, at) for at, row in enumerate(step.done.messages)]
    head = next((at for at, message in enumerate(step.messages) if message.role != "system"), len(step.messages))
    plan = step.done.plan
    assert plan is not None
    emitted: list[Emitted | None] = [None] * head + list(plan.emitted)
    found: list[str] = []
    for problem in dialect.problems(sent):
        if problem.index < head and problem.index >= 0:
            continue  # the head stays as it is
        if problem.kind == "late_system" or (problem.kind == "unclean" and problem.detail in ("reasoning", "opaque")):
            continue
        if problem.kind == "open_call" and problem.index == len(sent) - 1:
            continue
        if problem.kind == "alternation" and _were_neighbours(step, emitted, sent, problem.index, plan.first):
            continue
        if problem.kind == "no_user" and not any(m.role == "user" for m in step.messages):
            continue
        found.append(f"{problem.kind} at {problem.index} {problem.detail}")
    return found


def _were_neighbours(step: Step, emitted: list[Emitted | None], sent: list[Message], at: int, first: int) -> bool:
    """Whether two messages of one role met in the transcript already, tool rows and system rows aside."""
    before = at - 1
    unseen = ("system", "tool") if step.session.dialect.name == "openai-chat" else ("system",)
    while before >= 0 and sent[before].role in unseen:
        before -= 1
    if before < 0:
        return True
    left, right = _position(emitted[before], first, last=True), _position(emitted[at], first, last=False)
    if left is None or right is None:
        return False
    return all(message.role in unseen for message in step.messages[left + 1 : right])


def _position(item: Emitted | None, first: int, *, last: bool) -> int | None:
    if item is None:
        return None
    if isinstance(item, Kept):
        return first + item.index
    real = [index for index in item.indexes if index >= 0]
    return first + (real[-1] if last else real[0]) if real else None
