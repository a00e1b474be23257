"""Replaying recorded clients through the proxy with a window so small that it has to compact."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from clients.judging import ours
from proxy.harness import Between, Reply, between
from proxy.recordings import Recorded, recorded
from vademecum.core.calibration import UNKNOWN_RATIO
from vademecum.core.case import leading_system_rows
from vademecum.core.messages import Message
from vademecum.core.tokens import TokenCounter
from vademecum.models.families import family_of
from vademecum.models.tokenizer import count_tokens
from vademecum.wire import dialect
from vademecum.wire.bodies import BODIES, outside_of
from vademecum.wire.values import encoded

COUNTER = TokenCounter(count_tokens)
#: Where between overhead and the largest request the trigger is put.
SHARE = 0.4
#: What the format allows.
MARKS = 4


@dataclass
class Line:
    """What happened to one session.

    Attributes:
        requests: Its requests.
        planned: Those that were compacted anew.
        reapplied: Those whose context stood on an earlier compaction.
        failed: Those whose compaction did not help or did not come about.
        shares: For each request that was not compacted anew, how much of the one before it begins with.
        runs: The parts of the recording that it took in.
    """

    requests: int = 0
    planned: int = 0
    reapplied: int = 0
    failed: int = 0
    shares: list[float] = field(default_factory=list)
    runs: set[str] = field(default_factory=set)


@dataclass
class Replayed:
    """A recording replayed.

    Attributes:
        name: The client.
        trigger: The trigger that was used.
        lines: Session → what happened to it.
        bodies: What the upstream was sent, in order.
        wrong: What must not be.
    """

    name: str
    trigger: int
    lines: dict[str, Line] = field(default_factory=lambda: defaultdict(Line))
    bodies: list[bytes] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    def row(self) -> dict[str, object]:
        """The row of the table."""
        lines = self.lines.values()
        shares = [share for line in lines for share in line.shares]
        return {
            "client": self.name,
            "requests": sum(line.requests for line in lines),
            "sessions": len(self.lines),
            "longest": max(line.requests for line in lines),
            "trigger": self.trigger,
            "planned": sum(line.planned for line in lines),
            "reapplied": sum(line.reapplied for line in lines),
            "not_helped": sum(line.failed for line in lines),
            "prefix": round(sum(shares) / len(shares), 3) if shares else None,
            "prefix_whole": f"{sum(share == 1 for share in shares)}/{len(shares)}",
        }


def loaded(format: str, body: bytes) -> list[Message]:
    rows = json.loads(body)[BODIES[format].messages]
    return [dialect(format).load(wire, at) for at, wire in enumerate(rows)]


def trigger_for(requests: Sequence[Recorded]) -> int:
    """A trigger between what every request of the client has and its largest one."""
    largest = overhead = 0
    for request in requests:
        assert request.fields is not None
        beside = outside_of(request.format, request.fields)
        outside = sum(COUNTER.texts([json.dumps(value or "") for value in beside]))
        messages = loaded(request.format, request.body)
        head = sum(COUNTER.messages(messages[: leading_system_rows(messages)]))
        # The recordings have no reports: sizes of another vocabulary are taken to be larger throughout (C-12).
        ratio = 1.0 if family_of(request.fields.get("model", "")).own else UNKNOWN_RATIO
        overhead = max(overhead, round(ratio * (outside + head)))
        largest = max(largest, round(ratio * (outside + sum(COUNTER.messages(messages)))))
    return max(overhead + int(SHARE * (largest - overhead)), int(SHARE * largest))


async def replay(path: Path, db: Path, *, restart: int = 0) -> Replayed:
    """Sends a recording's requests one after the other.

    Args:
        path: The recording.
        db: The archive's file.
        restart: After how many requests the proxy is started anew; 0 for never.
    """
    requests = recorded(path)
    trigger = trigger_for([request for request in requests if request.compacted])
    done = Replayed(path.name.removesuffix(".jsonl.xz"), trigger)
    before: dict[str, list[tuple[bytes, int]]] = {}
    for part in (requests[:restart], requests[restart:]) if restart else (requests,):
        async with between(db, window=max(2 * trigger, 4_000), trigger=trigger) as proxy:
            for request in part:
                reply = await proxy.send(request.target, request.body, method=request.method, headers=request.headers)
                done.bodies.append(proxy.last.body)
                if request.compacted:
                    _note(done, request, reply, proxy, before)
                elif proxy.last.body != request.body:
                    done.wrong.append(f"request {request.number}: not ours to change")
    return done


def _note(
    done: Replayed, request: Recorded, reply: Reply, proxy: Between, before: dict[str, list[tuple[bytes, int]]]
) -> None:
    line, outcome = done.lines[reply.session], reply.headers["x-vademecum-outcome"]
    line.requests += 1
    line.runs.add(request.run)
    line.planned += outcome in ("compacted", "above_trigger", "crowded")
    line.reapplied += outcome in ("nothing_needed", "breaker_open") and reply.cycle > 0
    line.failed += outcome not in ("compacted", "nothing_needed")
    got = proxy.last
    sent, raw = loaded(request.format, got.body), loaded(request.format, request.body)
    done.wrong += [f"request {request.number}: {text}" for text in ours(dialect(request.format), sent, raw)]
    if outcome == "failed":
        done.wrong.append(f"request {request.number}: failed")
    if reply.cycle == 0 and json.loads(got.body)[BODIES[request.format].messages] != request.rows:
        done.wrong.append(f"request {request.number}: changed without a compaction")
    marks, own = got.body.count(b'"cache_control":{'), request.body.count(b'"cache_control":{')
    if marks > max(MARKS, own):
        done.wrong.append(f"request {request.number}: {marks} marks, the client had {own}")
    now = [(message.identity, len(encoded(message.wire))) for message in sent]
    last = before.get(reply.session)
    if last is not None and outcome in ("nothing_needed", "breaker_open"):
        line.shares.append(_share(last, now))
    before[reply.session] = now


def _share(before: list[tuple[bytes, int]], now: list[tuple[bytes, int]]) -> float:
    """Share of a request that the next one begins with; marks that move are no change to a provider's cache."""
    same = 0
    while same < min(len(before), len(now)) and before[same][0] == now[same][0]:
        same += 1
    return sum(size for _, size in before[:same]) / sum(size for _, size in before)
