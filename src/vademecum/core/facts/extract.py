"""From one message, the facts that a carry may need and the names it mentions. Pure and mechanical."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from vademecum.core.facts.actions import changes_something, runs_commands, target
from vademecum.core.facts.edited import edited_files
from vademecum.core.facts.names import WEIGHTS, names_in
from vademecum.core.facts.plans import plan_of_call, plan_of_result
from vademecum.core.facts.sentences import (
    error_lines,
    failed_exit,
    is_constraint,
    is_decision,
    sentences,
    tells,
)
from vademecum.core.facts.typed import typed_lines
from vademecum.core.facts.values import values_in
from vademecum.core.messages import Message, Part
from vademecum.core.pins import marked
from vademecum.core.text import clean, head, is_clean, one_line

FactKind = Literal[
    "request", "constraint", "outcome", "statement", "action", "failure", "error", "value", "standing",
    "pin", "plan", "edit", "typed", "seen",
]  # fmt: skip
Source = Literal["user", "assistant", "call", "result", "system"]

#: Longer texts are kept in the archive only; the fact ends with an ellipsis, in characters.
LONGEST_TEXT = 4_000
_MOST_ERRORS = 6
_MOST_NAMES = 400
#: Tool output is scanned for names this far from each end; all of it is searchable regardless.
_SCANNED = 60_000

#: Tool output has these by the thousand; they count once somebody writes or types them.
_NOISE = frozenset({"number", "symbol", "code"})

#: Names of output that are seldom typed again, and how long a name may be that is, in characters.
_FLEETING = frozenset({"number", "commit", "version", "uuid"})
_LONGEST_NAME = 120
#: Characters of the names of one output.
_SEEN = 12_000

# Pasted logs and JSON are full of words that sound like rules.
_LOG_LINE = re.compile(r'"\s*:|\d\d:\d\d:\d\d|\w=\w.*\w=\w')


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing worth carrying.

    Attributes:
        kind: What sort of fact it is.
        source: Who said it.
        part: The part of the message where it stands, from 0.
        text: Its wording, at most `LONGEST_TEXT` characters.
        key: For values, the name that has the value; for later system rows, their kind; for plans `goal`, `plan` or
            `step`; for pins `whole` where a marker pins the whole text.
        weight: Its standing before recency and rarity are known, greater is better.
        names: The names in it.
    """

    kind: FactKind
    source: Source
    part: int
    text: str
    key: str = ""
    weight: float = 1.0
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Mention:
    """A name that a message mentions, and where."""

    name: str
    kind: str
    source: Source


@dataclass(frozen=True, slots=True)
class Findings:
    """What one message gives."""

    facts: tuple[Fact, ...]
    mentions: tuple[Mention, ...]


def extract(message: Message, calls: Mapping[str, Part]) -> Findings:
    """Extracts the facts of a message.

    Args:
        message: The message.
        calls: Open calls by id, so that a result knows what it answers.
    """
    facts: list[Fact] = []
    mentions: dict[tuple[str, Source], Mention] = {}
    final = message.role == "assistant" and not message.calls()
    for number, part in enumerate(map(_safe, message.parts)):
        for fact in _facts(part, number, message, calls, final=final):
            facts.append(fact)
        source, scanned = _scan(part, message)
        names = list(names_in(scanned).items())
        if source == "result":
            facts += _seen(names, number, calls.get(part.call_id))
        for name, kind in names[:_MOST_NAMES]:
            if (source == "result" and kind in _NOISE) or (name, source) in mentions:
                continue
            mentions[name, source] = Mention(name, kind, source)
    return Findings(tuple(facts), tuple(mentions.values()))


def _seen(names: list[tuple[str, str]], number: int, call: Part | None) -> Iterator[Fact]:
    """The names that a tool's output shows, a line each: some will be typed though nobody has said them yet."""
    told = [name for name, kind in names if kind not in _FLEETING and len(name) <= _LONGEST_NAME]
    if told:
        key = target(_safe(call), 200) if call is not None else ""
        yield Fact("seen", "result", number, head("\n".join(told), _SEEN), key=key, weight=0.5)


def _safe(part: Part) -> Part:
    """The part without lone surrogates and NUL: facts are stored and sent as text."""
    if is_clean(part.text) and is_clean(part.tool):
        return part
    return replace(part, text=clean(part.text), tool=clean(part.tool))


def _scan(part: Part, message: Message) -> tuple[Source, str]:
    match part.kind:
        case "tool_call":
            return "call", part.text[:_SCANNED]
        case "tool_result":
            text = part.text
            return "result", text if len(text) <= 2 * _SCANNED else text[:_SCANNED] + "\n" + text[-_SCANNED:]
        case "text":
            source: Source = "user" if part.typed else "assistant" if message.role == "assistant" else "system"
            return source, part.text[:_SCANNED]
        case _:
            return "system", ""


def _facts(part: Part, number: int, message: Message, calls: Mapping[str, Part], *, final: bool) -> Iterator[Fact]:
    match part.kind:
        case "text" if part.typed:
            yield from _user(part.text, number)
        case "text" if message.role == "assistant":
            yield from _assistant(part.text, number, final=final)
        case "text" if message.role == "system":
            text = _kept(part.text)
            yield Fact("standing", "system", number, text, key=standing_kind(part.text), weight=2.0)
        case "tool_call":
            if changes_something(part):
                yield Fact("action", "call", number, f"{part.tool}: {target(part, 160)}", weight=1.5)
            yield from _working_state(part, number)
            for line, names in typed_lines(part):
                yield Fact("typed", "call", number, line, weight=_typed_weight(line, names), names=names)
        case "tool_result":
            call = calls.get(part.call_id)
            yield from _result(part, number, None if call is None else _safe(call))
            answered = plan_of_result(part, call)
            if answered is not None:
                yield Fact("plan", "result", number, _kept(answered[1]), key=answered[0])
        case _:
            return


def _user(text: str, number: int) -> Iterator[Fact]:
    yield Fact("request", "user", number, _kept(text), weight=3.0, names=tuple(names_in(text[:LONGEST_TEXT])))
    for sentence in sentences(text[:_SCANNED]):
        if is_constraint(sentence) and not sentence.endswith("?") and _LOG_LINE.search(sentence) is None:
            yield Fact("constraint", "user", number, sentence, weight=3.0)
    yield from _statements(text, number, "user", 5.0)
    for line, whole in marked(text):
        yield Fact("pin", "user", number, _kept(line), key="whole" if whole else "", weight=3.0)


def _working_state(call: Part, number: int) -> Iterator[Fact]:
    """What a call says about the plan, and the files that it writes."""
    planned = plan_of_call(call)
    if planned is not None:
        yield Fact("plan", "call", number, _kept(planned[1]), key=planned[0])
    for path in edited_files(call):
        yield Fact("edit", "call", number, path, key=path)


def _assistant(text: str, number: int, *, final: bool) -> Iterator[Fact]:
    if final and text.strip():
        yield Fact("outcome", "assistant", number, _kept(text), weight=2.0)
    yield from _statements(text, number, "assistant", 2.0)


def _statements(text: str, number: int, source: Source, weight: float) -> Iterator[Fact]:
    for sentence in sentences(text[:_SCANNED]):
        names = names_in(sentence)
        decided = is_decision(sentence)
        if names or (decided and len(sentence) > 30):
            gain = 0.5 * decided + 0.2 * min(3.0, sum(WEIGHTS[kind] for kind in names.values()))
            yield Fact("statement", source, number, sentence, weight=weight + gain, names=tuple(names))
        for key, value in values_in(sentence):
            yield Fact("value", source, number, value, key=key, weight=weight)


def _typed_weight(line: str, names: tuple[str, ...]) -> float:
    """Words tell what a name is, and a path tells that itself; what is only code comes last."""
    if tells(line, names):
        return 0.9
    return 0.7 if any("/" in name for name in names) else 0.4


def _result(part: Part, number: int, call: Part | None) -> Iterator[Fact]:
    what = f"{call.tool}: {target(call, 120)}" if call is not None else part.tool or "tool"
    # A file that was read may speak of exit codes too.
    failed = part.is_error or ((call is None or runs_commands(call)) and failed_exit(part.text))
    if not failed and call is not None and not changes_something(call):
        # Output that was only read is full of the word "error"; what really failed is what counts.
        return
    lines = error_lines(part.text, _MOST_ERRORS)
    if failed:
        shown = lines[0] if lines else one_line(part.text, 200)
        yield Fact("failure", "result", number, f"{what} → {one_line(shown, 240)}", weight=1.5)
    for line in lines:
        yield Fact("error", "result", number, line, weight=1.2, names=tuple(names_in(line)))


def standing_kind(text: str) -> str:
    """The kind of a later system row: its first words without digits, so that a newer one replaces it."""
    first = text.strip().splitlines()[0] if text.strip() else ""
    return re.sub(r"\d+", "", one_line(first, 40)).lower()


def _kept(text: str) -> str:
    return text if len(text) <= LONGEST_TEXT else head(text, LONGEST_TEXT) + " …"
