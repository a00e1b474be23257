"""Callers that edit their history in every way at once, seeded; and how what they send is recognised."""

from __future__ import annotations

import copy
import json
import random

import pytest

from clients.replay import Judge, restarted
from clients.talk import Talk, Wire, cleared, is_result
from requirement import requirement
from vademecum import Archive, Compactor
from vademecum.compactor.recognition import Recognised, recognise
from vademecum.wire import dialect

WINDOW, REQUESTS = 16_000, 120
FORMATS = ("openai-chat", "anthropic")


def edit(chance: random.Random, talk: Talk) -> None:
    """One more round, mostly; else something that some harness does to its history."""
    messages = talk.messages
    kind = chance.choices(
        ("round", "rewrite", "remove", "put in", "clear", "go back", "summarise", "nothing"),
        (72, 6, 4, 4, 4, 3, 2, 5),
    )[0]
    results = [at for at, message in enumerate(messages) if at and is_result(message)]
    if kind == "round" or len(messages) < 12 or not results:
        talk.round(most=2_500)
    elif kind == "rewrite":
        at = chance.randrange(len(messages))
        if isinstance(messages[at]["content"], str):
            messages[at] = {**messages[at], "content": f"{messages[at]['content']}\nedited {chance.randrange(999)}"}
    elif kind == "remove":
        at = chance.choice(results)
        if messages[at - 1]["role"] == "assistant":
            del messages[at - 1 : at + 1]
    elif kind == "put in":
        places = [at for at in range(len(messages)) if not is_result(messages[at])]
        messages.insert(chance.choice(places), {"role": "user", "content": f"Put in: {talk.text(40, 200)}"})
    elif kind == "clear":
        for at in chance.sample(results[:-3], min(13, len(results[:-3]))):
            messages[at] = cleared(messages[at])
    elif kind == "go back":
        del messages[chance.choice(results[-6:]) + 1 :]
    elif kind == "summarise":
        del messages[: chance.choice(results[len(results) // 2 :]) + 1]
        said = "This session is being continued from a previous conversation. " + talk.text(300, 900)
        messages.insert(0, {"role": "user", "content": said})


@requirement("C-27", "C-29", "C-35", "P-2")
@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("seed", [2, 16, 23, 31])
def test_whatever_a_caller_does_to_its_history(format: str, seed: int) -> None:
    chance, talk, judge = random.Random(seed), Talk(format, seed), Judge(format, WINDOW)
    first = Compactor(window=WINDOW, session=Archive.memory().session("s", format=format))
    second = Compactor(window=WINDOW, session=Archive.memory().session("s", format=format))
    for number in range(REQUESTS):
        edit(chance, talk)
        sent = list(talk.messages)
        done = first.fit(sent)
        judge.judge(done, sent)
        assert judge.tally.wrong == []
        # A process that ends leaves nothing behind that changes a byte, and the archive has the same context.
        if chance.random() < 0.15:
            second = restarted(second, window=WINDOW)
        again = second.fit(copy.deepcopy(sent))
        assert json.dumps(list(again.messages)) == json.dumps(list(done.messages)), number
        session = first.session
        assert session is not None
        if done.receipt.cycle:
            assert [json.loads(raw) for raw in session.context()] == json.loads(json.dumps(list(done.messages)))


def recognised(known: list[Wire], sent: list[Wire], compacted: int = 0) -> Recognised:
    load = dialect("openai-chat").load
    return recognise([load(wire, at) for at, wire in enumerate(known)], (), sent, compacted, load)


def said(*texts: str) -> list[Wire]:
    return [{"role": ("user", "assistant")[at % 2], "content": text} for at, text in enumerate(texts)]


def test_growth_is_only_growth() -> None:
    found = recognised(said("a", "b"), said("a", "b", "c"))
    assert (found.changed, found.fork, found.new) == ((), 2, 2)


def test_what_is_put_in_stands_at_the_place_of_what_follows() -> None:
    known = said(*"abcdef")
    put_in = [{"role": "user", "content": "new"}]
    for at in (0, 1, 3):
        found = recognised(known, [*known[:at], *put_in, *known[at:]])
        assert found.fork == 6
        assert found.changed == (at,)
        assert found.places[at] == found.places[at + 1] == at


def test_what_is_left_out_is_changed() -> None:
    known = said(*"abcdef")
    found = recognised(known, [*known[:2], *known[3:]])
    assert (found.changed, found.fork, len(found.places)) == ((2,), 6, 5)


def test_another_ending_is_a_fork() -> None:
    found = recognised(said(*"abcd"), said("a", "b", "c", "other", "e"))
    assert (found.changed, found.fork, found.new) == ((), 3, 3)


def test_a_reminder_that_moves_on_is_no_fork() -> None:
    known = said("a", "b", "c\n\nReminder.")
    found = recognised(known, said("a", "b", "c", "d", "e\n\nReminder."))
    assert (found.changed, found.fork, found.new) == ((2,), 3, 3)


def test_a_history_that_is_mostly_another_is_a_fork() -> None:
    known = said(*"abcdefghij")
    found = recognised(known, [{"role": "user", "content": "Summary."}, *known[7:]], compacted=6)
    assert (found.fork, found.new) == (0, 0)


def test_the_users_newest_words_are_never_hidden_behind_a_compaction() -> None:
    answers = [{"role": "assistant", "content": text} for text in "bcdefghi"]
    known = [{"role": "user", "content": "a"}, *answers]
    more = {"role": "user", "content": "And look at this."}
    assert recognised(known, [*known[:3], more, *known[3:]], compacted=8).fork == 3
    assert recognised(known, [*known, more], compacted=8).fork == len(known)
    # A reminder that is rewritten beside the words is another matter.
    assert recognised(known, [{"role": "user", "content": "a"}, answers[0], *answers[2:]], compacted=8).fork == 9
