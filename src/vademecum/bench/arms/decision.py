"""The decision-model policy: a scorer judges each old call and result, dialogue stays word for word.

A scorer sees a *state*, one entry for each candidate, that must fit its ceiling. Entries are shortened in stages
until they do; a transcript that does not fit at the last stage falls back to a summary. What was judged, dropped and
at which stage it fitted is reported: a policy that drops every candidate is "delete every old tool result" by
another name.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast
from urllib.request import Request, urlopen

from vademecum.bench.arms.arm import Job, Kept
from vademecum.bench.arms.product import vademecum
from vademecum.core.messages import Message
from vademecum.core.pairing import Pairing, Spot, pair

#: Tokens that a state may have.
CEILING = 25_000
#: From this score on a candidate stays, where no budget decides.
THRESHOLD = 0.5
#: Characters of arguments and result that an entry shows, stage by stage.
STAGES = (400, 160, 60, 0)
_TIMEOUT_S = 60


@dataclass(frozen=True)
class Candidate:
    """One call with its result that may be dropped.

    Attributes:
        call: Spot of the call.
        tool: The tool.
        arguments: What it was called with.
        result: What it gave; empty where there is none.
        tokens: What both take.
        age: How many candidates are newer.
    """

    call: Spot
    tool: str
    arguments: str
    result: str
    tokens: int
    age: int

    def entry(self, chars: int) -> str:
        """What a scorer is shown of it."""
        return f"{self.age} {self.tool} {self.arguments[:chars]} → {self.result[:chars]}".rstrip()


#: (state, candidates, seed) → a score in [0, 1] for each candidate, 1 for what must stay.
Scorer = Callable[[Sequence[str], Sequence[Candidate], int], Sequence[float]]


def _constant(_state: Sequence[str], candidates: Sequence[Candidate], _seed: int) -> Sequence[float]:
    return [0.0] * len(candidates)


def _random(_state: Sequence[str], candidates: Sequence[Candidate], seed: int) -> Sequence[float]:
    chance = random.Random(seed)  # noqa: S311  # a control, not a secret
    return [chance.random() for _ in candidates]


def _local(_state: Sequence[str], candidates: Sequence[Candidate], _seed: int) -> Sequence[float]:
    """The newer the likelier to be needed; nothing that is older than the tail reaches the threshold."""
    return [THRESHOLD * (1 - (candidate.age + 1) / (len(candidates) + 1)) for candidate in candidates]


SCORERS: Mapping[str, Scorer] = {"constant": _constant, "random": _random, "local": _local}


def over_http(url: str) -> Scorer:
    """A scorer behind an address: it is sent `{"state": […]}` and answers `{"scores": […]}`, one for each entry."""

    def score(state: Sequence[str], _candidates: Sequence[Candidate], _seed: int) -> Sequence[float]:
        body = json.dumps({"state": list(state)}).encode()
        request = Request(url, body, {"content-type": "application/json"})  # noqa: S310  # the user's own address
        with urlopen(request, timeout=_TIMEOUT_S) as reply:  # noqa: S310
            return [float(value) for value in json.load(reply)["scores"]]

    return score


def decision(job: Job) -> Kept:
    """Keeps dialogue and what the scorer keeps: from the threshold on, or the best within `budget` tokens."""
    tail = job.tail_from(min(25_000, max(10_000, int(0.025 * job.window))))
    old = job.messages[:tail]
    pairing = pair(old)
    found = candidates(job, old, pairing)
    stage, state = _state(job, found)
    details: dict[str, Any] = {"candidates": len(found), "stage": stage}
    if state is None:
        # Whoever asks for a compaction has one due, whatever the preset's own trigger says.
        options = {"preset": "hermes", "trigger": min(sum(job.sizes), job.window) // 2}
        summarized = vademecum(Job(job.lineage, job.counter, job.window, job.target, options))
        return Kept(summarized.messages, {**details, "fallback": True, "dropped": len(found)})
    scores = _scorer(job)(state, found, job.seed)
    kept = _chosen(found, scores, job.options.get("budget"))
    details |= {"fallback": False, "dropped": len(found) - len(kept)}
    return Kept(_without(job, old, pairing, kept) + job.messages[tail:], details)


def _scorer(job: Job) -> Scorer:
    named = job.options.get("scorer", "local")
    if callable(named):
        return cast("Scorer", named)
    return SCORERS[named] if named in SCORERS else over_http(str(named))


def candidates(job: Job, messages: Sequence[Message], pairing: Pairing) -> list[Candidate]:
    """The calls of some messages with their results, oldest first."""
    spots = [
        (index, number)
        for index, message in enumerate(messages)
        for number, part in enumerate(message.parts)
        if part.kind == "tool_call"
    ]
    found: list[Candidate] = []
    for age, (index, number) in zip(range(len(spots) - 1, -1, -1), spots, strict=True):
        part = messages[index].parts[number]
        answer = pairing.result_of.get((index, number))
        result = messages[answer[0]].parts[answer[1]].text if answer is not None else ""
        tokens = sum(job.counter.texts((part.tool, part.text, result)))
        found.append(Candidate((index, number), part.tool, part.text, result, tokens, age))
    return found


def _state(job: Job, found: Sequence[Candidate]) -> tuple[int, list[str] | None]:
    """(stage, state) at the first stage at which it fits; no state when it does not fit at the last one."""
    for stage, chars in enumerate(STAGES, 1):
        state = [candidate.entry(chars) for candidate in found]
        if sum(job.counter.texts(state)) <= job.options.get("ceiling", CEILING):
            return stage, state
    return len(STAGES), None


def _chosen(found: Sequence[Candidate], scores: Sequence[float], budget: int | None) -> set[Spot]:
    if budget is None:
        return {one.call for one, score in zip(found, scores, strict=True) if score >= THRESHOLD}
    kept: set[Spot] = set()
    left = budget
    for _, one in sorted(zip(scores, found, strict=True), key=lambda row: (-row[0], row[1].age)):
        if one.tokens > left:
            break
        kept.add(one.call)
        left -= one.tokens
    return kept


def _without(job: Job, messages: Sequence[Message], pairing: Pairing, kept: set[Spot]) -> tuple[Message, ...]:
    """Messages without the calls that are not kept, their results, and old reasoning."""
    results = {pairing.result_of[spot] for spot in kept if spot in pairing.result_of}
    made: list[Message] = []
    for index, message in enumerate(messages):
        gone = {
            number: None
            for number, part in enumerate(message.parts)
            if part.kind == "reasoning"
            or (part.kind == "tool_call" and (index, number) not in kept)
            or (part.kind == "tool_result" and (index, number) not in results)
        }
        wire = job.lineage.dialect.edited(message, gone) if gone else message.wire
        if wire is not None:
            made.append(job.lineage.dialect.load(wire, index) if gone else message)
    return tuple(made)
