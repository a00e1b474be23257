"""Scripted clients that go on for hours, through `fit`; and the same with a process that ends in between."""

from __future__ import annotations

import copy
import json
from pathlib import Path

import pytest

from clients.replay import Judge, Tally, restarted
from clients.scripted import REQUESTS, SCRIPTS
from requirement import requirement
from vademecum import Archive, Compactor

WINDOW = 32_000
#: Requests before which the other process ends: while nothing is compacted, after a compaction, twice in a row.
RESTARTS = (20, 71, 140, 141)
#: More compactions than this, and something is planned anew that stands already.
MOST_CYCLES = 8


def run(name: str, folder: Path) -> tuple[Tally, list[int]]:
    format, script = SCRIPTS[name]
    judge, differ = Judge(format, WINDOW), []
    with Archive.open(folder / "whole.db") as whole, Archive.open(folder / "restarted.db") as other:
        first = Compactor(window=WINDOW, session=whole.session("client", format=format))
        second = Compactor(window=WINDOW, session=other.session("client", format=format))
        for number, sent in enumerate(script()):
            theirs = copy.deepcopy(sent.messages)
            done = first.fit(sent.messages, system=sent.system, tools=sent.tools, format=format)
            judge.judge(done, sent.messages, (sent.system, sent.tools))
            if number in RESTARTS:
                second = restarted(second, window=WINDOW)
            again = second.fit(theirs, system=sent.system, tools=sent.tools, format=format)
            if json.dumps(list(again.messages)) != json.dumps(list(done.messages)):
                differ.append(number)
    return judge.tally, differ


@requirement("P-2", "C-27", "C-29", "C-32", "C-35")
@pytest.mark.parametrize("name", SCRIPTS)
def test_hours_of_a_client(name: str, tmp_path: Path) -> None:
    tally, differ = run(name, tmp_path)
    print(tally.line(name))
    assert tally.wrong == []
    assert tally.requests >= REQUESTS
    assert 2 <= tally.planned <= MOST_CYCLES
    assert tally.unhelpful == 0
    assert tally.reapplied >= 10 * tally.planned
    # Between compactions the prefix breaks only where the client broke it itself.
    assert broken(tally.shares) <= broken(tally.clients)
    # A process that ends leaves nothing behind that changes a byte.
    assert differ == []


def broken(shares: list[float]) -> int:
    return sum(share < 0.9999 for share in shares)


@requirement("P-2")
@pytest.mark.parametrize("name", ["append-only, chat", "append-only, messages", "moving marks"])
def test_what_only_grows_keeps_its_prefix_byte_for_byte(name: str) -> None:
    format, script = SCRIPTS[name]
    compactor = Compactor(window=WINDOW, session=Archive.memory().session("client", format=format))
    before: list[str] = []
    for sent in script():
        done = compactor.fit(sent.messages, system=sent.system, tools=sent.tools, format=format)
        now = [bare(message) for message in done.messages]
        if done.plan is None:
            assert now[: len(before)] == before
        before = now


def bare(message: object) -> str:
    """A message as a provider's cache compares it: marks do not count, nor whether one text is a list."""
    wire = json.loads(json.dumps(message))
    if isinstance(wire["content"], list):
        for block in wire["content"]:
            block.pop("cache_control", None)
        if [block["type"] for block in wire["content"]] == ["text"]:
            wire["content"] = wire["content"][0]["text"]
    return json.dumps(wire, sort_keys=True)
