"""Calls and their results: together, or not at all."""

import json

import pytest

from fault import fault
from faults.talk import calls, problems, result, said, text_of, user, worked
from vademecum import Archive, Compactor, compact
from vademecum.testing import sample
from vademecum.wire import dialect


def ids(done, key: str) -> list[str]:
    if key == "call":
        return [call["id"] for row in done.messages for call in row.get("tool_calls") or ()]
    return [row["tool_call_id"] for row in done.messages if row["role"] == "tool"]


@fault(51)
def test_no_result_stays_without_its_call() -> None:
    """At every length of the transcript, and so at every place where it may be cut."""
    rows = [user("go"), *worked(40), said("The parts are made."), user("Now test them.")]
    compactor = Compactor(window=8_000)
    for length in range(2, len(rows) + 1):
        if rows[length - 1].get("tool_calls"):
            continue
        done = compactor.fit(rows[:length])
        assert problems(done) == set(), length
        assert ids(done, "call") == ids(done, "result")


@fault(51)
def test_the_four_messages_of_anthropic() -> None:
    use = {"type": "tool_use", "id": "t1", "name": "bash", "input": {"command": "make"}}
    rows = [
        {"role": "user", "content": "go " * 1_000},
        {"role": "assistant", "content": [use]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "done " * 9_000}]},
        {"role": "assistant", "content": "It is done. " * 200},
        {"role": "user", "content": "Next."},
    ]
    for window in (4_000, 6_000, 8_000, 12_000, 16_000):
        done = compact(rows, window=window)
        assert done.receipt.outcome != "nothing_needed"
        assert problems(done, "anthropic") == set(), window


@fault(52)
@pytest.mark.parametrize("count", [2, 3, 8])
def test_a_parallel_batch_stays_whole(count: int) -> None:
    rows = [user("go")]
    for at in range(12):
        names = [f"b{at}_{number}" for number in range(count)]
        rows += [calls(*names), *(result(name, f"result of {name} " * 120) for name in names)]
    compactor = Compactor(window=8_000)
    for stop in range(2 + count, len(rows) + 1, count + 1):
        done = compactor.fit(rows[:stop])
        assert problems(done) == set()
        kept = ids(done, "call")
        assert kept == ids(done, "result")
        assert all(sum(id.startswith(name.rsplit("_", 1)[0] + "_") for id in kept) == count for name in kept)


@fault(54)
def test_a_call_that_never_got_its_result_blocks_nothing() -> None:
    rows = [user("go"), *worked(3), calls("lost"), user("It crashed. Go on."), *worked(100, start=10)]
    compactor = Compactor(window=16_000)
    cycles = 0
    for stop in (9, 60, 120, len(rows)):
        done = compactor.fit(rows[:stop])
        cycles = max(cycles, done.receipt.cycle)
        if done.receipt.cycle:
            assert problems(done) == set()
    assert cycles >= 2
    assert done.receipt.tokens_after < 16_000


@fault(54)
def test_a_call_without_result_that_stays_is_answered_in_its_place() -> None:
    rows = [user("go"), *worked(60), calls("lost"), user("It crashed. Go on."), said("I go on."), user("Well?")]
    done = compact(rows, window=16_000)
    assert done.receipt.outcome == "compacted"
    assert problems(done) == set()
    assert "no result was recorded for this call" in text_of(done)


@fault(55)
@pytest.mark.parametrize("answered", [(), ("o1",)])
def test_an_open_call_stays_open(answered: tuple[str, ...]) -> None:
    """A call whose result is on its way is neither folded nor answered in its place."""
    rows = [user("go"), *worked(60), calls("o1", "o2", command="deploy --once")]
    rows += [result(id, "deployed") for id in answered]
    done = compact(rows, window=16_000)
    assert done.receipt.outcome == "compacted"
    assert list(done.messages)[-1 - len(answered) :] == rows[-1 - len(answered) :]
    after = compact([*rows, *(result(id, "deployed") for id in ("o1", "o2") if id not in answered)], window=16_000)
    assert problems(after) == set()


@fault(57)
def test_the_text_beside_a_result_stays_and_the_result_goes() -> None:
    rows: list = [{"role": "user", "content": "go"}]
    for at in range(30):
        use = {"type": "tool_use", "id": f"t{at}", "name": "bash", "input": {"command": f"make {at}"}}
        back = {"type": "tool_result", "tool_use_id": f"t{at}", "content": f"part {at} is made. " * 90}
        more = [{"type": "text", "text": f"And now do X{at}, never Y{at}."}] if at == 29 else []
        rows += [{"role": "assistant", "content": [use]}, {"role": "user", "content": [back, *more]}]
    rows += [{"role": "assistant", "content": "Doing X29. " * 900}, {"role": "user", "content": "go on"}]
    done = compact(rows, window=8_000)
    assert done.receipt.outcome in ("compacted", "crowded")
    assert problems(done, "anthropic") == set()
    assert "And now do X29, never Y29." in text_of(done)


@fault(60)
@pytest.mark.parametrize("format", ["openai-chat", "anthropic"])
def test_the_pairs_hold_over_many_compactions(format: str) -> None:
    session = Archive.memory().session("s", format=format)
    compactor = Compactor(window=6_000, session=session)
    rows = sample(format, turns=70, rounds=1, chars=900)
    cycles = 0
    for stop in range(4, len(rows) + 1, 4):
        done = compactor.fit(rows[:stop])
        cycles = done.receipt.cycle
        loaded = [dialect(format).load(row, at) for at, row in enumerate(done.messages)]
        assert {problem.kind for problem in dialect(format).problems(loaded)} <= {"open_call"}
    assert cycles >= 10
    assert done.messages[-1] == rows[stop - 1]


@fault(61)
def test_a_batch_that_is_larger_than_the_budget_is_cut_inside() -> None:
    names = [f"p{number}" for number in range(6)]
    rows = [
        user("Read all six."),
        calls(*names),
        *(result(name, f"{name} says it again. " * 9_000) for name in names),
    ]
    done = compact(rows, window=128_000)
    assert done.receipt.tokens_before > 250_000
    assert done.receipt.tokens_after < 64_000
    assert ids(done, "call") == ids(done, "result") == names
    assert all("restore t_" in row["content"] for row in done.messages if row["role"] == "tool")


@fault(62)
@pytest.mark.parametrize("place", [1, 3, 20])
def test_a_message_put_in_moves_no_boundary(place: int) -> None:
    session = Archive.memory().session("s", format="openai-chat")
    compactor = Compactor(window=16_000, session=session)
    rows = [user("go"), *worked(40), said("Made."), user("Test them.")]
    first = compactor.fit(rows)
    assert first.receipt.cycle == 1
    reminder = {"role": "system", "content": "Reminder: the budget is tight."}
    put_in = [*rows[:place], reminder, *rows[place:], said("Tested."), user("Publish.")]
    done = compactor.fit(put_in)
    assert done.receipt.outcome != "failed"
    assert problems(done) <= {"late_system"}
    assert [json.dumps(row) for row in done.messages][-4:] == [json.dumps(row) for row in put_in[-4:]]
    assert "Publish." in text_of(done)
    shown = [sum(row["role"] == "tool" for row in context.messages) for context in (first, done)]
    assert shown[1] <= shown[0] < 40, shown  # what had left has not come back
