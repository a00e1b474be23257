"""Recorded clients of the responses and Gemini formats, replayed in order through `fit` with small triggers."""

from __future__ import annotations

from pathlib import Path

import pytest

from clients.replay import COUNTER, Judge, Tally
from clients.router import Router
from contract.wire.recordings import NAMES, Request, recorded
from requirement import requirement
from vademecum import Archive
from vademecum.compactor import outside_tokens
from vademecum.wire import dialect
from vademecum.wire.detect import detect

#: The share of what lies above the overhead of a session's largest request at which it is compacted.
SHARE = 0.4


def trigger_for(requests: list[Request]) -> int:
    sizes: list[tuple[int, int]] = []
    for request in requests:
        loaded = [dialect(request.format).load(wire, at) for at, wire in enumerate(request.messages)]
        overhead = sum(outside_tokens(COUNTER, request.system, request.tools))
        overhead += sum(COUNTER.messages([message for message in loaded[:2] if message.role == "system"]))
        sizes.append((overhead + sum(COUNTER.messages(loaded)), overhead))
    largest, overhead = max(sizes)
    return overhead + int(SHARE * (largest - overhead))


def replayed(requests: list[Request]) -> dict[str, Tally]:
    main = [request for request in requests if not request.side]
    trigger = trigger_for(main)
    router = Router(Archive.memory(), window=3 * trigger, trigger=trigger)
    judges: dict[str, Judge] = {}
    for request in main:
        lineage = router.lineage(request)  # type: ignore[arg-type]  # it has all that is asked of one
        done = lineage.compactor.fit(
            request.messages, system=request.system, tools=request.tools, format=request.format
        )
        judge = judges.setdefault(lineage.name, Judge(request.format, 3 * trigger))
        judge.judge(done, request.messages, (request.system, request.tools))
    return {name: judge.tally for name, judge in judges.items()}


@pytest.fixture(scope="module")
def replays(clients_folder: Path) -> dict[str, Tally]:
    return {name: sum(replayed(recorded(clients_folder, name)).values(), Tally()) for name in NAMES}


@requirement("P-2", "C-29", "C-27")
@pytest.mark.parametrize("name", NAMES)
def test_every_request_is_sound(replays: dict[str, Tally], name: str) -> None:
    print(replays[name].line(name))
    assert replays[name].wrong == []


@requirement("P-2", "C-32")
@pytest.mark.parametrize("name", NAMES)
def test_compactions_are_applied_again_and_the_prefix_is_stable(replays: dict[str, Tally], name: str) -> None:
    tally = replays[name]
    assert tally.planned >= 1
    assert tally.reapplied > tally.planned
    assert tally.planned + tally.unhelpful <= max(3, tally.requests // 5)
    assert sum(tally.shares) >= sum(tally.clients)


@requirement("P-2")
@pytest.mark.parametrize("name", NAMES)
def test_the_format_is_recognised_without_being_told(clients_folder: Path, name: str) -> None:
    requests = [request for request in recorded(clients_folder, name) if len(request.messages) > 3]
    assert {detect(request.messages) for request in requests} == {NAMES[name]}


@requirement("P-2")
@pytest.mark.parametrize("name", NAMES)
def test_a_session_goes_on_under_the_same_ids(clients_folder: Path, name: str) -> None:
    """Ordinary requests repeat the one before element by element, whatever happened to their annotations."""
    whole, matched = 0, 0
    last: dict[str, list[bytes]] = {}
    for request in (request for request in recorded(clients_folder, name) if not request.side):
        ids = [dialect(request.format).load(row, at).identity for at, row in enumerate(request.messages)]
        before = last.get(request.conversation, [])
        if before and len(ids) > len(before):
            whole += 1
            matched += ids[: len(before)] == before
        last[request.conversation] = ids
    assert whole >= 20
    assert matched >= 0.9 * whole
