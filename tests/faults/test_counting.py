"""What is counted: all prompt tokens once, pictures as pictures, every kind of content."""

import pytest

from fault import fault
from faults.talk import calls, result, said, text_of, tokens_of, user, worked
from vademecum import Archive, Compactor, compact
from vademecum.core.tokens import TokenCounter, estimate
from vademecum.models.tokenizer import count_tokens
from vademecum.testing import sample
from vademecum.wire import dialect
from vademecum.wire.usage import usage_of

PIXELS = "QUJD" * 500_000
PICTURE = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PIXELS}"}}


@fault(14)
def test_cached_tokens_are_part_of_the_prompt() -> None:
    compactor = Compactor(window=140_000, trigger=70_000)
    rows = sample(turns=3)
    compactor.fit(rows)
    usage = compactor.observe(
        {"usage": {"prompt_tokens": 38_196, "prompt_tokens_details": {"cached_tokens": 38_153}}}
    )
    assert usage is not None
    assert usage.prompt_tokens == 38_196
    assert compactor.fit([*rows, user("go on")]).receipt.outcome == "nothing_needed"


@fault(15)
def test_anthropics_cached_tokens_are_not() -> None:
    reply = {"input_tokens": 206, "cache_read_input_tokens": 98_432, "cache_creation_input_tokens": 1_200}
    usage = usage_of({"usage": reply})
    assert usage is not None
    assert usage.prompt_tokens == 99_838


@fault(17)
def test_a_report_of_before_the_compaction_counts_no_longer() -> None:
    compactor = Compactor(window=400_000, trigger=60_000)
    rows = sample(turns=60)
    small = compactor.fit(rows[:200])
    late = compactor.sent
    done = compactor.fit(rows)
    assert (small.receipt.cycle, done.receipt.cycle) == (0, 1)
    usage = usage_of({"usage": {"prompt_tokens": small.receipt.tokens_after + 2_000}})
    assert usage is not None
    compactor.take_usage(usage, late)  # the reply of before ends only now
    done = compactor.fit([*rows, said("It is done."), user("go on")])
    assert done.receipt.cycle == 1
    assert done.receipt.tokens_after < 0.7 * small.receipt.tokens_after


@fault(18)
@pytest.mark.parametrize(
    "reply", [{}, {"usage": None}, {"usage": {"prompt_tokens": 0}}, {"choices": [{}]}, {"model": "m"}]
)
def test_no_report_is_none_and_not_zero(reply: dict) -> None:
    compactor = Compactor(window=16_000)
    rows = sample(turns=40)
    before = compactor.fit(rows[:4]).receipt.tokens_after
    assert compactor.observe(reply) is None
    assert compactor.fit(rows[:4]).receipt.tokens_after == before
    assert compactor.fit(rows).receipt.outcome == "compacted"


@fault(18)
def test_a_report_inside_the_first_choice_is_found() -> None:
    usage = usage_of({"choices": [{"usage": {"prompt_tokens": 321}}]})
    assert usage is not None
    assert usage.prompt_tokens == 321


@fault(20)
def test_base64_inside_a_text_is_dense() -> None:
    text = "data:image/png;base64," + "iVBORw0KGgo" * 95_102
    assert 0.9 < estimate(text) / len(text) < 1.1
    rows = [user("Take the screenshot."), calls("a"), result("a", text), said("I see it."), user("Go on.")]
    done = compact(rows, window=1_000_000)
    assert done.receipt.tokens_before > 250_000
    assert done.receipt.tokens_after < 20_000


@fault(21)
def test_a_picture_is_no_text_and_the_newest_message_stays() -> None:
    rows = [user([{"type": "text", "text": "What is on this picture?"}, PICTURE])]
    done = compact(rows, window=128_000)
    assert list(done.messages) == rows
    assert done.receipt.outcome == "nothing_needed"
    assert 100 < done.receipt.tokens_before < 5_000


@fault(22)
def test_pictures_leave_once_they_are_old() -> None:
    """Where the bytes of pictures are what is too much, a forced compaction takes them out."""
    rows = [user("Watch the page.")]
    for at in range(45):
        rows += [
            calls(f"p{at}", tool="screenshot"),
            result(f"p{at}", [PICTURE]),
            said(f"Picture {at} is as expected."),
        ]
    rows.append(user("Go on."))
    compactor = Compactor(window=128_000)
    compactor.fit(rows)
    done = compactor.fit(rows, forced=True)
    assert done.receipt.cause == "forced"
    assert len(text_of(done)) < len(PIXELS) * 6


@fault(24)
def test_schemas_are_counted_as_a_sum_and_not_as_a_factor() -> None:
    tools = [{"name": f"tool_{at}", "description": "word " * 480} for at in range(50)]
    rows = [user("hello " * 180)]
    bare = compact(rows, window=200_000).receipt.tokens_before
    heavy = compact(rows, window=200_000, tools=tools).receipt
    assert heavy.overhead_tokens > 20_000
    assert heavy.tokens_before == bare + heavy.overhead_tokens
    rows = sample(turns=30)
    bare = compact(rows, window=200_000).receipt.tokens_before
    assert compact(rows, window=200_000, tools=tools).receipt.tokens_before - bare == heavy.overhead_tokens


@fault(24)
def test_an_overhead_seen_in_a_report_is_no_factor() -> None:
    """A report of 25,000 for a chat of 200 tokens says what stands outside, not that every count is wrong."""
    compactor = Compactor(window=400_000)
    rows = [user("hello " * 180)]
    compactor.fit(rows)
    compactor.observe({"usage": {"prompt_tokens": 25_000}})
    more = [*rows, said("word " * 10_000)]
    assert 34_000 < compactor.fit(more).receipt.tokens_after < 37_000


@fault(25)
@pytest.mark.parametrize(
    "content",
    [
        {"stdout": "word " * 2_000, "code": 0},
        [{"type": "text", "text": "word " * 2_000}],
        [{"type": "x_unknown", "payload": {"deep": ["word " * 2_000]}}],
        "word " * 2_000,
    ],
    ids=["object", "list", "unknown", "string"],
)
def test_every_form_of_content_has_a_cost(content: object) -> None:
    assert 1_800 < tokens_of([calls("a"), result("a", content)]) < 4_500


@fault(25)
def test_a_result_of_null_is_no_error() -> None:
    rows = [user("go"), calls("a"), result("a", None), *worked(30)]
    assert compact(rows, window=16_000).receipt.outcome == "compacted"


@fault(28)
def test_what_does_not_get_smaller_is_discarded() -> None:
    """A summary longer than what it replaces, and a floor that nothing can lower."""
    rows = [user("the only words " * 900)]
    session = Archive.memory().session("s", format="openai-chat")
    done = compact(rows, window=3_800, trigger=2_000, session=session)
    assert done.receipt.tokens_after <= done.receipt.tokens_before
    if done.plan is not None and not done.plan.applies:
        assert list(done.messages) == rows
    from vademecum.testing import ScriptedModel

    long = ScriptedModel(["word " * 60_000])
    done = compact([user("go"), *worked(20)], window=16_000, summarizer=long)
    assert done.receipt.tokens_after < done.receipt.tokens_before
    assert done.receipt.summary_model == ""


@fault(27)
def test_any_part_of_a_history_can_be_counted() -> None:
    """Also one that begins with thinking whose signature is empty: nobody is asked who could refuse it."""
    thought = {"type": "thinking", "thinking": "The log has to be read first. " * 30, "signature": ""}
    rows: list[dict[str, object]] = []
    for at in range(40):
        said = [thought, {"type": "text", "text": f"Step {at} is done. " * 40}]
        rows += [{"role": "user", "content": f"Do step {at}."}, {"role": "assistant", "content": said}]
    loaded = [dialect("anthropic").load(row, at) for at, row in enumerate(rows)]
    for counter in (TokenCounter(count_tokens), TokenCounter()):
        whole = counter.messages(loaded)
        assert all(size > 0 for size in whole)
        assert [counter.messages(loaded[start:]) for start in range(len(rows))] == [
            whole[start:] for start in range(len(rows))
        ]
    done = compact(rows[1:], window=8_000, format="anthropic")
    assert done.receipt.outcome == "compacted", done.receipt.failure
    assert done.receipt.tokens_after < done.receipt.tokens_before
