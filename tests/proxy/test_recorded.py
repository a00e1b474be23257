"""Recorded clients above the trigger: compactions are applied again, sessions do not mix, restarts change nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from proxy.harness import run
from proxy.recordings import recorded
from proxy.replay import Replayed, replay
from requirement import requirement

#: aider has no ids, no tool calls and rewrites its files near the front: its first requests are not recognised.
MOST_FORKS = {"aider-0.86.2-session": 4}
#: Clients that compact by themselves again and again begin anew each time.
BEGIN_ANEW = {"claude-code-2.1.197-autocompact", "qwen-code-0.15.10-session", "aider-0.86.2-session"}


def replayed(recording: Path, db: Path, **more: int) -> Replayed:
    return run(replay(recording, db, **more))


@requirement("P-2", "P-3")
def test_compactions_are_applied_again(recording: Path, db: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = replayed(recording, db)
    row = done.row()
    with capsys.disabled():
        print("\n" + json.dumps(row))
    assert done.wrong == []
    main = max(done.lines.values(), key=lambda line: line.requests)
    assert main.requests >= sum(line.requests for line in done.lines.values()) * 0.25
    if done.name not in BEGIN_ANEW:
        assert main.planned >= 1
        assert main.reapplied >= 2 * main.planned
        # Between compactions the upstream sees what it has seen: only what a client itself has changed differs.
        assert sum(share == 1 for share in main.shares) >= len(main.shares) - 2
        assert main.failed <= 1


@requirement("P-3")
def test_sub_agents_have_sessions_of_their_own(recording_with_agents: Path, db: Path) -> None:
    requests = [request for request in recorded(recording_with_agents) if request.compacted]
    agents = {request.header("x-claude-code-agent-id") for request in requests} - {""}
    own = {request.header("x-session-id") for request in requests if request.header("x-parent-session-id")}
    own |= {request.header("thread-id") for request in requests if request.header("x-codex-parent-thread-id")}
    assert agents or own
    done = replayed(recording_with_agents, db)
    for agent in agents:
        assert [name for name in done.lines if name.endswith(f"/{agent}")]
    assert own <= set(done.lines)


@requirement("P-2")
@pytest.mark.parametrize("share", [0.3, 0.6])
def test_a_restart_in_the_middle_gives_the_same_bodies(recording: Path, tmp_path: Path, share: float) -> None:
    whole = replayed(recording, tmp_path / "one.db")
    parted = replayed(recording, tmp_path / "two.db", restart=int(share * len(whole.bodies)))
    different = [at for at, (one, two) in enumerate(zip(whole.bodies, parted.bodies, strict=True)) if one != two]
    assert different == []
