"""Compactions that follow each other without end, or that are refused although they helped."""

import itertools
import json
from pathlib import Path

from fault import fault
from faults.talk import GOOD, calls, result, said, text_of, tiers, user, worked
from vademecum import Archive, Compactor, compact
from vademecum.testing import ScriptedModel, sample


@fault(30)
def test_overhead_above_the_trigger_is_one_clear_outcome() -> None:
    model = ScriptedModel([GOOD])
    compactor = Compactor(window=32_768, summarizer=model)
    tools = [{"name": f"tool_{at}", "description": "word " * 90} for at in range(290)]
    rows: list = []
    for _ in range(4):
        rows = [*rows, user("hello"), said("Hello.")]
        done = compactor.fit(rows, tools=tools)
        assert done.receipt.outcome == "nothing_compactable"
        assert list(done.messages) == rows
        assert f"{done.receipt.overhead_tokens:,}" in done.receipt.failure
    assert model.prompts == []


@fault(31)
def test_after_a_compaction_there_is_room_for_many_turns() -> None:
    compactor = Compactor(window=20_000)
    rows, made = [user("Port the module."), *worked(24)], []
    for at in range(30):
        done = compactor.fit(rows)
        made.append(done.receipt.cycle)
        rows = [*rows, user("Continue."), *worked(1, start=100 + at)]
    assert done.receipt.tokens_after <= done.receipt.trigger_tokens
    between = [after - before for before, after in itertools.pairwise(made)]
    assert sum(between) <= 6
    assert not any(first and second for first, second in itertools.pairwise(between))


@fault(31)
def test_asking_twice_compacts_once() -> None:
    compactor = Compactor(window=20_000)
    rows = [user("Port the module."), *worked(40)]
    first, again = compactor.fit(rows), compactor.fit(rows)
    assert (first.receipt.cycle, again.receipt.cycle, again.receipt.outcome) == (1, 1, "nothing_needed")
    assert list(first.messages) == list(again.messages)


@fault(32)
def test_a_context_that_cannot_shrink_is_told_so() -> None:
    """Five short events and a provider that always says overflow: nothing is compacted twice."""
    compactor = Compactor(window=32_000)
    rows = [user("hello"), said("Hello."), user("how are you"), said("Fine."), user("good")]
    compactor.fit(rows)
    sizes = []
    for _ in range(4):
        done = compactor.fit(rows, forced=True)
        sizes.append(done.receipt.tokens_after)
        assert done.receipt.cycle == 0
        assert done.receipt.outcome in ("nothing_compactable", "not_smaller")
    assert len(set(sizes)) == 1
    assert list(done.messages) == rows


@fault(34)
def test_a_small_reduction_that_fits_is_a_success() -> None:
    """Two thirds of the context are pinned by the system text; what can go is little, and enough."""
    system = {"role": "system", "content": "rule " * 12_000}
    done = compact([system, user("go"), *worked(9, chars=3_000)], window=32_000)
    share = 1 - done.receipt.tokens_after / done.receipt.tokens_before
    assert done.receipt.outcome == "compacted"
    assert 0.05 < share < 0.4


@fault(35)
def test_the_breaker_is_kept_with_the_session(tmp_path: Path) -> None:
    path = tmp_path / "sessions.db"
    rows = [user("the only words " * 1_500)]
    outcomes = []
    for _ in range(6):
        with Archive.open(path) as archive:  # each time as a new process would
            session = archive.session("s", format="openai-chat")
            done = Compactor(window=12_000, trigger=2_500, session=session).fit(rows)
            outcomes.append(done.receipt.outcome)
    assert "breaker_open" in outcomes
    assert outcomes.index("breaker_open") <= 3
    assert set(outcomes[3:]) == {"breaker_open"}


@fault(37)
def test_dialogue_that_only_grows_is_folded() -> None:
    compactor = Compactor(window=16_000)
    rows, floors, cycle = [], [], 0
    for at in range(400):
        rows += [
            user(f"And what about item {at}? " + "Some more words. " * 20),
            said(f"Item {at} is fine. " + "Well. " * 60),
        ]
        if at % 5:
            continue
        done = compactor.fit(rows)
        if done.receipt.cycle > cycle:
            cycle = done.receipt.cycle
            floors.append(done.receipt.tokens_after)
    assert cycle >= 8
    assert max(floors[len(floors) // 2 :]) <= 1.15 * max(floors[: len(floors) // 2])
    assert max(floors) < 8_000


@fault(38)
def test_a_tail_of_giants_shrinks_itself() -> None:
    """A small head and three large messages: no model is asked to summarise next to nothing in vain."""
    giants = [said("The report goes on with one more line of text. " * 1_900) for _ in range(2)]
    rows = [user("Write reports. " * 30), giants[0], user("One more."), giants[1], user("And another.")]
    rows += [calls("g"), result("g", "a long line of output, again\n" * 2_800)]
    done = compact(rows, window=60_000)
    assert done.receipt.outcome in ("compacted", "crowded"), tiers(done)
    assert done.receipt.tokens_after < done.receipt.tokens_before
    assert "And another." in text_of(done)


@fault(90)
def test_one_request_rewrites_the_context_once() -> None:
    """Stubs and folding come in one epoch: the cycle grows by one, and the next request changes nothing."""
    session = Archive.memory().session("s", format="openai-chat")
    compactor = Compactor(window=64_000, session=session)
    rows = sample(turns=90)
    done = compactor.fit(rows)
    assert len(done.receipt.tiers) > 1
    assert done.receipt.cycle == 1
    more = compactor.fit([*rows, user("Go on.")])
    assert list(more.messages)[:-1] == list(done.messages)
    assert len(session.past()) == 1
    assert json.loads(session.past()[0].receipt)["cycle"] == 1
