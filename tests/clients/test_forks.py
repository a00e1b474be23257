"""Sub-agents from a shared beginning, answers written anew, and a smaller model in between."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from clients.recordings import Request
from clients.replay import COUNTER, Judge
from clients.router import Router
from clients.talk import Talk, Wire, cleared
from requirement import requirement
from vademecum import Archive, Compactor
from vademecum.wire import dialect

FORMAT = "openai-chat"
WINDOW = 32_000


def request(number: int, messages: Sequence[Wire]) -> Request:
    return Request(number, FORMAT, "", list(messages), None, None, None, side=False)


@requirement("P-3", "C-35")
def test_two_sub_agents_from_one_beginning_never_mix() -> None:
    archive = Archive.memory()
    router = Router(archive, WINDOW)
    shared = Talk(FORMAT, 21)
    judges: dict[str, Judge] = {}
    number = 0

    def send(messages: Sequence[Wire]) -> str:
        nonlocal number
        number += 1
        asked = request(number, messages)
        lineage = router.lineage(asked)
        done = lineage.compactor.fit(asked.messages)
        judges.setdefault(lineage.name, Judge(FORMAT, WINDOW)).judge(done, asked.messages)
        return lineage.name

    for _ in range(60):
        shared.round()
        parent = send(shared.messages)
    agents = {name: Talk(FORMAT, seed) for name, seed in (("first", 22), ("second", 23))}
    for talk in agents.values():
        talk.messages = list(shared.messages)
        assert send(talk.messages) == parent  # byte for byte the same request
    names: dict[str, set[str]] = {name: set() for name in agents}
    for _ in range(70):
        for name, talk in agents.items():
            talk.round()
            names[name].add(send(talk.messages))
    # One goes on in the session that both began in, the other in a fork of it; each in one lineage.
    assert [len(found) for found in names.values()] == [1, 1]
    assert names["first"] != names["second"]
    for judge in judges.values():
        assert judge.tally.wrong == []
        assert judge.tally.unhelpful == 0
        assert judge.tally.reapplied >= 10 * judge.tally.planned
    for name, other in (("first", "second"), ("second", "first")):
        session = archive.session(next(iter(names[name])))
        assert session.search(words_of(agents[name].messages[-1]))
        for message in agents[other].messages[len(shared.messages) :]:
            for hit in session.search(words_of(message), limit=3):
                assert message["content"][:80] not in hit.text
        assert session.search(words_of(shared.messages[2]))


def words_of(message: Wire) -> str:
    return " ".join(message["content"].split()[-6:])


@requirement("P-3")
def test_the_fork_stands_on_the_compaction_of_its_parent() -> None:
    archive = Archive.memory()
    talk = Talk(FORMAT, 24)
    parent = Compactor(window=WINDOW, session=archive.session("parent", format=FORMAT))
    while True:
        talk.round()
        done = parent.fit(talk.messages)
        if done.plan is not None:
            break
    session = parent.session
    assert session is not None
    # It leaves the parent two messages before the end of what the compaction covers.
    archive.fork(session.ranges[-1].run, len(talk.messages) - 2, "child")
    branch = Talk(FORMAT, 25)
    branch.messages = talk.messages[:-2]
    branch.round()
    child = Compactor(window=WINDOW, session=archive.session("child"))
    found = child.fit(branch.messages)
    assert found.plan is None
    assert found.receipt.cycle == 1
    kept = len(done.messages) - 2
    assert [json.dumps(message) for message in found.messages[:kept]] == [
        json.dumps(message) for message in done.messages[:kept]
    ]
    assert parent.fit(talk.messages).messages == done.messages


@requirement("C-39")
def test_undo_in_a_branch_does_not_bring_back_what_was_left() -> None:
    talk = Talk(FORMAT, 26)
    compactor = Compactor(window=WINDOW, session=Archive.memory().session("s", format=FORMAT))
    while compactor.fit(talk.messages or [talk.user()]).receipt.cycle < 1:
        talk.round()
    del talk.messages[-2:]
    talk.round()
    assert compactor.fit(talk.messages).receipt.cycle == 1
    assert compactor.undo() == 0
    session = compactor.session
    assert session is not None
    assert session.compaction() is None
    assert [json.loads(raw) for raw in session.context()] == talk.messages


@requirement("C-35")
def test_a_smaller_model_in_between_leaves_the_large_ones_context_as_it_was() -> None:
    archive = Archive.memory()
    large = Compactor(window=200_000, session=archive.session("s", format=FORMAT))
    small = Compactor(window=8_000, session=archive.session("s", format=FORMAT))
    talk = Talk(FORMAT, 27)
    while large.fit(talk.messages or [talk.user()]).receipt.cycle < 2:
        talk.round(least=8_000, most=24_000)
    for _ in range(4):
        talk.round()
        before = large.fit(talk.messages)
    said = len(talk.messages)
    for number in range(10):
        talk.round(least=200, most=3_000)
        if number == 5:  # and one answer is written anew meanwhile
            del talk.messages[-2:]
            talk.round(least=200, most=3_000)
        done = small.fit(talk.messages)
        assert size_of(done.messages) <= 8_000
    talk.round()
    after = large.fit(talk.messages)
    assert after.plan is None
    assert after.receipt.cycle == before.receipt.cycle
    assert list(after.messages) == [*before.messages, *talk.messages[said:]]
    # Another process finds the same.
    again = Compactor(window=200_000, session=archive.existing("s")).fit(json.loads(json.dumps(talk.messages)))
    assert list(again.messages) == list(after.messages)


def size_of(messages: Sequence[Any]) -> int:
    return sum(COUNTER.messages([dialect(FORMAT).load(wire, at) for at, wire in enumerate(messages)]))


@requirement("P-3")
def test_what_a_fork_clears_stays_as_it_was_in_its_parent() -> None:
    archive = Archive.memory()
    talk = Talk(FORMAT, 28)
    talk.rounds(8)
    parent = Compactor(window=WINDOW, session=archive.session("parent", format=FORMAT))
    parent.fit(talk.messages)
    session = parent.session
    assert session is not None
    archive.fork(session.ranges[-1].run, len(talk.messages), "child")
    child = Compactor(window=WINDOW, session=archive.session("child"))
    theirs = [cleared(message) for message in talk.messages[:-2]] + talk.messages[-2:]
    child.fit([*theirs, {"role": "user", "content": "And now?"}])
    assert [json.loads(raw) for raw in archive.session("child").context()][:-1] == theirs
    assert [json.loads(raw) for raw in archive.session("parent").context()] == talk.messages
