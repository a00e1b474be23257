"""Which result belongs to which call, and where a transcript may be cut."""

from collections.abc import Sequence

import pytest
from hypothesis import HealthCheck, given, settings

from requirement import requirement
from vademecum.core.messages import Message
from vademecum.core.pairing import answered_before, pair, safe_cuts
from vademecum.testing import transcripts
from vademecum.wire import dialect


def read(*rows: str) -> tuple[Message, ...]:
    """`u` a user's text, `a` an assistant's, `a:x,y` its calls, `t:x` a result."""
    made: list[dict[str, object]] = []
    for row in rows:
        kind, _, ids = row.partition(":")
        if kind == "t":
            made.append({"role": "tool", "tool_call_id": ids, "content": "result"})
        elif kind == "a" and ids:
            calls = [{"id": id, "function": {"name": "f", "arguments": "{}"}} for id in ids.split(",")]
            made.append({"role": "assistant", "content": None, "tool_calls": calls})
        else:
            made.append({"role": "user" if kind == "u" else "assistant", "content": "text"})
    return tuple(dialect("openai-chat").load(row, at) for at, row in enumerate(made))


@requirement("C-29")
@pytest.mark.parametrize(
    ("rows", "cuts"),
    [
        (["u", "a:x", "t:x", "a", "u"], (0, 1, 3, 4, 5)),  # fault 51: not between call and result
        (["u", "a:x,y", "t:x", "t:y", "a"], (0, 1, 4, 5)),  # fault 52: nor inside a parallel batch
        (["u", "a:x,y", "t:y", "t:x", "a"], (0, 1, 4, 5)),
        (["u", "a:x,y", "t:x", "a", "u"], (0, 1, 3, 4, 5)),  # fault 54: a call without result holds nothing back
        (["u", "a:x", "u", "t:x", "a"], (0, 1, 4, 5)),  # the user spoke before the result came
        (["u", "t:z", "a", "u"], (0, 2, 3, 4)),  # an orphan stays with what stands before it
        (["t:z", "u"], (0, 1, 2)),
        (["u", "a:x", "t:x", "a:x", "t:x", "u"], (0, 1, 3, 5, 6)),  # the same id in every round
        (["u", "a:x", "a:x", "t:x", "u"], (0, 1, 2, 4, 5)),  # the later call is meant
        (["u", "a:x"], (0, 1, 2)),
        ([], (0,)),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_cuts_fall_between_complete_rounds(rows: list[str], cuts: tuple[int, ...]) -> None:
    messages = read(*rows)
    assert safe_cuts(messages, pair(messages)) == cuts


@requirement("C-29")
def test_reused_ids_pair_within_their_round() -> None:
    pairing = pair(read("a:x", "t:x", "a:x", "t:x"))
    assert pairing.call_of == {(1, 0): (0, 0), (3, 0): (2, 0)}
    assert pairing.open_calls == pairing.orphans == ()


@requirement("C-29")
def test_a_call_that_came_again_before_its_result_stays_open() -> None:
    pairing = pair(read("a:x", "a:x", "t:x"))
    assert pairing.call_of == {(2, 0): (1, 0)}
    assert pairing.open_calls == ((0, 0),)


@requirement("C-29")
def test_a_second_result_of_one_call_is_an_orphan() -> None:
    pairing = pair(read("a:x", "t:x", "t:x"))
    assert pairing.orphans == ((2, 0),)


@requirement("C-22")
@pytest.mark.parametrize(
    ("rows", "answered"),
    [(["u", "a:x", "t:x"], 2), (["u", "a:x", "t:x", "a"], 4), (["u"], 0), ([], 0), (["u", "a", "u", "u"], 2)],
)
def test_results_after_the_newest_reply_are_unanswered(rows: list[str], answered: int) -> None:
    assert answered_before(read(*rows)) == answered


@requirement("C-29", "I1")
@pytest.mark.parametrize("format", ["openai-chat", "anthropic"])
def test_no_cut_parts_a_pair_or_begins_with_an_orphan(format: str) -> None:
    @settings(max_examples=40, suppress_health_check=list(HealthCheck))
    @given(transcripts(format))
    def holds(rows: Sequence[dict[str, object]]) -> None:
        messages = tuple(dialect(format).load(row, at) for at, row in enumerate(rows))
        pairing = pair(messages)
        cuts = safe_cuts(messages, pairing)
        assert cuts[0] == 0
        assert list(cuts) == sorted(set(cuts))
        for cut in cuts:
            assert not any(call[0] < cut <= result[0] for call, result in pairing.result_of.items())
            assert cut == 0 or all(spot[0] != cut for spot in pairing.orphans)
        spots = {
            (at, number)
            for at, message in enumerate(messages)
            for number, part in enumerate(message.parts)
            if part.kind in ("tool_call", "tool_result")
        }
        parted = [*pairing.result_of, *pairing.call_of, *pairing.open_calls, *pairing.orphans]
        assert sorted(parted) == sorted(spots)

    holds()
