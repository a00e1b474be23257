"""The call of the summariser: its size, its limits, its failures."""

import pytest

from fault import fault
from faults.talk import GOOD, calls, problems, result, said, text_of, tiers, user, worked
from vademecum import Archive, Compactor, compact
from vademecum.errors import ContextOverflow, RateLimited, Unavailable
from vademecum.models.model import Prompt, Reply
from vademecum.models.tokenizer import count_tokens
from vademecum.testing import ScriptedModel, sample


def size(prompt: Prompt) -> int:
    return sum(count_tokens([prompt.system, prompt.user])) + prompt.max_tokens


@fault(40)
def test_no_input_of_the_summariser_is_larger_than_its_window() -> None:
    """A history of three times the window: folded in pieces that fit, and nothing is left out silently."""
    model = ScriptedModel([GOOD], window=32_000)
    done = compact([user("go"), *worked(160)], window=32_000, summarizer=model)
    assert done.receipt.tokens_before > 70_000
    assert len(model.prompts) >= 3
    assert max(map(size, model.prompts)) <= 32_000
    assert done.receipt.coverage[0] == done.receipt.coverage[1] > 300


@fault(41)
@pytest.mark.parametrize("window", [8_192, 2_048, 600])
def test_a_smaller_summariser_gets_what_fits_it(window: int) -> None:
    model = ScriptedModel([GOOD], window=window)
    done = compact([user("go"), *worked(160)], window=96_000, trigger=40_000, summarizer=model)
    assert done.receipt.outcome == "compacted"
    assert all(size(prompt) <= window for prompt in model.prompts)


@fault(42)
def test_the_summary_asks_for_no_more_output_than_there_is_room() -> None:
    for window in (1_000_000, 128_000, 8_192):
        model = ScriptedModel([GOOD], window=window)
        compact(sample(turns=40), window=min(window, 64_000), trigger=4_000, max_output=250_000, summarizer=model)
        assert model.prompts
        for prompt in model.prompts:
            assert prompt.max_tokens >= 32
            assert size(prompt) < window


@fault(44)
def test_a_summariser_that_always_overflows_is_asked_a_few_times_only() -> None:
    model = ScriptedModel([ContextOverflow("too many tokens")])
    done = compact([user("go"), *worked(200)], window=64_000, summarizer=model)
    assert len(model.prompts) == 1
    assert done.receipt.outcome == "compacted"


@fault(45)
def test_a_summary_that_is_always_cut_off_is_asked_shorter_then_from_stretches_and_then_done_without() -> None:
    model = ScriptedModel([Reply(GOOD, "length")])
    compactor = Compactor(window=16_000, summarizer=model)
    rows = [user("go"), *worked(40)]
    done = compactor.fit(rows)
    assert tiers(done)["summary"] == "failed: truncated"
    assert done.receipt.outcome == "compacted"
    asked = len(model.prompts)
    assert asked == 3
    assert model.prompts[1].max_tokens < model.prompts[0].max_tokens
    assert size(model.prompts[2]) < size(model.prompts[1])
    compactor.fit(rows)
    assert len(model.prompts) == asked  # not again with the next request


@fault(45)
@pytest.mark.parametrize("reply", [Reply(GOOD, "refusal"), Reply("", "tool_call"), "no headings", ""], ids=repr)
def test_a_summary_that_is_refused_is_asked_for_once(reply: object) -> None:
    model = ScriptedModel([reply])  # type: ignore[list-item]
    done = compact([user("go"), *worked(40)], window=16_000, summarizer=model)
    assert tiers(done)["summary"].startswith("failed: ")
    assert len(model.prompts) == 1


@fault(47)
def test_pictures_are_named_for_the_summariser_and_not_sent() -> None:
    picture = {"type": "image_url", "image_url": {"url": "data:image/png;base64," + "QUJD" * 90_000}}
    rows = [user("Look at the charts.")]
    for at in range(20):
        rows += [calls(f"c{at}", tool="chart"), result(f"c{at}", [{"type": "text", "text": f"chart {at}"}, picture])]
        rows.append(said(f"Chart {at} rises. " * 100))
    model = ScriptedModel([GOOD])
    done = compact([*rows, user("Go on.")], window=40_000, trigger=9_000, summarizer=model)
    assert done.receipt.outcome in ("compacted", "crowded")
    assert model.prompts
    assert not any("QUJDQUJD" in prompt.user for prompt in model.prompts)
    assert "QUJDQUJD" not in text_of(done)
    assert any("chart 3" in prompt.user for prompt in model.prompts)


@fault(50)
def test_dialogue_without_any_tool_has_a_rung() -> None:
    rows = []
    for at in range(300):
        rows += [user(f"Question {at}? " + "words " * 450), said(f"Answer {at}. " + "words " * 550)]
    done = compact(rows, window=128_000)
    assert done.receipt.tokens_before > 280_000
    assert done.receipt.outcome == "compacted"
    assert done.receipt.tokens_after < 64_000
    assert "Question 299?" in text_of(done)


@fault(58)
def test_the_summarisers_input_has_no_half_of_a_pair() -> None:
    """Whatever stretch a model is given, it stands as text: no call without result can be sent as one."""
    model = ScriptedModel([ContextOverflow("too long"), GOOD], window=9_000)
    rows = [user("go"), *worked(60)]
    done = compact(rows, window=32_000, summarizer=model)
    assert all(isinstance(prompt.user, str) and "tool_call_id" not in prompt.user for prompt in model.prompts)
    assert problems(done) == set()


@fault(80)
@pytest.mark.parametrize(
    "error",
    [
        ConnectionError("reset"),
        TimeoutError("slow"),
        Unavailable("529 overloaded"),
        RateLimited("429"),
        ValueError("?"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_a_summary_that_fails_drops_nothing_that_need_not_go(error: Exception) -> None:
    def fails(_: object) -> str:
        raise error

    rows = [user("go"), *worked(62)]
    session = Archive.memory().session("s", format="openai-chat")
    done = compact(rows, window=32_000, session=session, summarizer=fails)
    without = compact(rows, window=32_000, session=Archive.memory().session("s", format="openai-chat"))
    assert tiers(done)["summary"].startswith("unavailable")
    assert done.receipt.outcome == "compacted"
    assert list(done.messages) == list(without.messages)
    assert len(session) == len(rows)
    assert "vademecum search" in text_of(done)
    hit = session.search("part 7", limit=1)[0]
    assert session.restore(hit.id).data


@fault(84)
def test_a_rate_limit_does_not_leave_the_context_too_large() -> None:
    # It waits for nobody's hour.
    model = ScriptedModel([RateLimited("session limit", retry_after_s=3_600)])
    rows = [user("go"), *worked(120)]
    done = compact(rows, window=40_000, summarizer=model)
    assert done.receipt.tokens_before > 1.3 * 40_000
    assert done.receipt.tokens_after <= 20_000
    assert "RateLimited" in tiers(done)["summary"]
