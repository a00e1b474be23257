"""Recorded clients of every format, replayed in order through `fit` with small triggers."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from clients.recordings import Request, recorded
from clients.replay import COUNTER, Judge, Tally
from clients.router import Lineage, Router
from requirement import requirement
from vademecum import Archive
from vademecum.compactor import outside_tokens
from vademecum.core.text import clean
from vademecum.wire import dialect

NAMES = (
    "aider-0.86.2-session",
    "claude-code-2.1.197-apiclear",
    "claude-code-2.1.197-autocompact",
    "claude-code-2.1.197-big",
    "claude-code-2.1.197-opus48",
    "claude-code-2.1.197-parallel",
    "claude-code-2.1.197-sonnet45",
    "cline-3.0.65-openai",
    "codex-0.171.0-openai",
    "codex-0.171.0-session",
    "gemini-cli-0.61.0-session",
    "opencode-1.18.33-anthropic",
    "opencode-1.18.33-chat",
    "opencode-1.18.33-chat-big",
    "opencode-1.18.33-chat-prune",
    "opencode-1.18.33-responses",
    "pi-0.73.1-anthropic",
    "pi-0.73.1-responses",
    "qwen-code-0.15.10-session",
)
#: The share of what lies above the overhead of a session's largest request at which it is compacted.
SHARE = 0.4


@dataclass
class Replayed:
    """A recording after it was replayed."""

    archive: Archive
    router: Router
    tallies: dict[str, Tally]

    @property
    def tally(self) -> Tally:
        return sum(self.tallies.values(), Tally())


def trigger_for(requests: list[Request]) -> int:
    sizes: list[tuple[int, int]] = []
    for request in requests:
        loaded = [dialect(request.format).load(wire, at) for at, wire in enumerate(request.messages)]
        overhead = sum(outside_tokens(COUNTER, request.system, request.tools))
        overhead += sum(COUNTER.messages([message for message in loaded[:1] if message.role == "system"]))
        sizes.append((overhead + sum(COUNTER.messages(loaded)), overhead))
    largest, overhead = max(sizes)
    return overhead + int(SHARE * (largest - overhead))


def replayed(requests: list[Request]) -> Replayed:
    archive = Archive.memory()
    main = [request for request in requests if not request.side]
    trigger = trigger_for(main)
    router = Router(archive, window=3 * trigger, trigger=trigger)
    judges: dict[str, Judge] = {}
    for request in main:
        lineage = router.lineage(request)
        done = lineage.compactor.fit(
            request.messages, system=request.system, tools=request.tools, format=request.format
        )
        judge = judges.setdefault(lineage.name, Judge(request.format, 3 * trigger))
        judge.judge(done, request.messages, (request.system, request.tools))
    return Replayed(archive, router, {name: judge.tally for name, judge in judges.items()})


@pytest.fixture(scope="module")
def replays(clients_folder: Path) -> dict[str, Replayed]:
    return {name: replayed(recorded(clients_folder / f"{name}.jsonl.xz")) for name in NAMES}


@requirement("P-2", "C-29", "C-27")
@pytest.mark.parametrize("name", NAMES)
def test_every_request_is_sound(replays: dict[str, Replayed], name: str) -> None:
    tally = replays[name].tally
    print(tally.line(name))
    assert tally.wrong == []


@requirement("P-2", "C-32")
@pytest.mark.parametrize("name", NAMES)
def test_compactions_are_applied_again_and_the_prefix_is_stable(replays: dict[str, Replayed], name: str) -> None:
    tally = replays[name].tally
    assert tally.planned >= 1
    # aider rewrites its files near the front at every request: of its seven hardly two stand on the same history.
    most = 5 if name.startswith("aider") else 3
    assert tally.planned + tally.unhelpful <= max(most, tally.requests // 5)
    assert sum(tally.shares) >= sum(tally.clients)


@requirement("P-3")
@pytest.mark.parametrize("name", NAMES)
def test_no_lineage_finds_what_another_one_said(replays: dict[str, Replayed], name: str) -> None:
    lineages = replays[name].router.lineages
    texts = {lineage.name: own_text(lineage) for lineage in lineages}
    for lineage in lineages:
        session = lineage.compactor.session
        assert session is not None
        for other in lineages:
            lines = sorted({line.strip() for line in texts[other.name].splitlines() if 40 <= len(line) <= 300})
            foreign = [line for line in lines if line not in texts[lineage.name]]
            for line in foreign[:5]:
                assert not any(line in hit.text for hit in session.search(line, limit=3)), (lineage.name, other.name)


def own_text(lineage: Lineage) -> str:
    """Everything that a lineage has in its archive, what the caller made of it later included."""
    session = lineage.compactor.session
    assert session is not None
    edited = [version.load(session.dialect) for versions in session.revised().values() for version in versions]
    return "\n".join(clean(part.text) for message in (*session.messages(), *edited) for part in message.parts)


def test_no_recording_is_left_out(clients_folder: Path) -> None:
    assert {path.name.removesuffix(".jsonl.xz") for path in clients_folder.glob("*.jsonl.xz")} == {*NAMES}
