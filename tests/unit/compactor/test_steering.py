"""Steering: a compaction that was asked for, one that was taken back, phases, and what may summarise."""

from dataclasses import dataclass
from typing import Any

import pytest

from requirement import requirement
from unit.core.cases import COUNTER, sent_text
from vademecum import ADVICE, Archive, Compactor, Session, compact
from vademecum.core.phases import phase_advice
from vademecum.core.requests import Summarize
from vademecum.core.summary_check import SECTIONS
from vademecum.errors import ConfigError
from vademecum.models.scripted import ScriptedModel
from vademecum.testing import sample

WINDOW = 64_000


def session() -> Session:
    return Archive.memory().session("steered", format="openai-chat")


def large() -> list[dict[str, Any]]:
    """Above the target of the window, below its trigger."""
    return sample(turns=19)


@requirement("C-41")
def test_a_compaction_that_was_asked_for_is_made_once_below_the_trigger() -> None:
    compactor = Compactor(window=WINDOW)
    compactor.request(focus="the staging port")
    done = compactor.fit(large())
    assert done.receipt.tokens_before < done.receipt.trigger_tokens
    assert (done.receipt.cause, done.receipt.outcome, done.receipt.cycle) == ("requested", "compacted", 1)
    again = compactor.fit(large())
    assert again.receipt.outcome == "nothing_needed"
    assert again.receipt.cycle == 1
    assert list(again.messages) == list(done.messages)


@requirement("C-41")
def test_the_focus_of_a_request_reaches_the_summariser() -> None:
    asked: list[Summarize] = []

    def write(ask: Summarize) -> str:
        asked.append(ask)
        return "Nothing."

    held = session()
    compactor = Compactor(window=WINDOW, session=held, summarizer=write, focus="what I always want")
    held.request_compaction("the staging port")
    assert held.requested_compaction() == "the staging port"
    compactor.fit(large())
    assert asked[0].focus == "the staging port"
    assert held.requested_compaction() is None


@requirement("C-41")
def test_a_request_within_the_target_does_nothing_and_says_so() -> None:
    compactor = Compactor(window=WINDOW)
    compactor.fit(sample(turns=3))
    compactor.request()
    done = compactor.fit(sample(turns=3))
    assert done.receipt.outcome == "nothing_needed"
    assert done.receipt.cause == "requested"
    assert "was asked for, but" in done.receipt.failure
    assert compactor.fit(sample(turns=3)).receipt.failure == ""


@requirement("C-41")
def test_a_request_is_kept_with_the_session(tmp_path: Any) -> None:
    with Archive.open(tmp_path / "a.db") as archive:
        archive.session("kept", format="openai-chat").request_compaction()
    with Archive.open(tmp_path / "a.db") as archive:
        done = compact(large(), window=WINDOW, session=archive.session("kept"))
        assert done.receipt.cause == "requested"


@requirement("C-41")
def test_the_carry_says_that_there_was_a_compaction_and_what_to_do() -> None:
    text = sent_text(compact(sample(turns=20), window=8_000))
    for said in ("was compacted", "Go on where the work stood", "Do not repeat", "get back what you miss"):
        assert said in text


@requirement("C-39")
def test_what_was_taken_back_is_not_made_again_without_a_reason() -> None:
    compactor = Compactor(window=32_000)
    rows = sample(turns=13)
    first = compactor.fit(rows)
    assert first.receipt.outcome == "compacted"
    assert compactor.undo() == 0
    held = compactor.fit(rows)
    assert held.receipt.outcome == "undone"
    assert "taken back" in held.receipt.failure
    assert list(held.messages) == rows
    # It has grown by a quarter.
    grown = compactor.fit(sample(turns=18))
    assert (grown.receipt.outcome, grown.receipt.cause) == ("compacted", "trigger")
    assert compactor.fit(sample(turns=18)).receipt.outcome == "nothing_needed"


@requirement("C-39")
@pytest.mark.parametrize("reason", ["asked for", "forced", "no longer fits"])
def test_there_are_reasons_to_compact_after_an_undo(reason: str) -> None:
    compactor = Compactor(window=32_000)
    rows = sample(turns=22 if reason == "no longer fits" else 13)
    compactor.fit(rows)
    compactor.undo()
    if reason == "asked for":
        compactor.request()
    done = compactor.fit(rows, forced=reason == "forced")
    assert done.receipt.outcome == "compacted"
    cause = {"asked for": "requested", "forced": "forced"}.get(reason, "trigger")
    assert done.receipt.cause == cause


def test_where_nothing_stands_nothing_is_taken_back() -> None:
    held = session()
    assert held.undo() == -1
    assert held.undone("main") is None


@dataclass
class Past:
    covered: int
    tokens: int


@requirement("C-38")
@pytest.mark.parametrize(
    ("cycles", "said"),
    [
        ([(100, 10), (180, 10), (230, 10), (260, 10)], "sooner and sooner (80, 50, 30 messages apart)"),
        ([(100, 100), (200, 110), (300, 120), (400, 130)], "leaves more behind (100 → 110 → 120 → 130 tokens)"),
        ([(100, 10), (200, 10), (300, 10), (400, 10)], ""),
        ([(100, 10), (180, 10), (230, 10)], ""),
        ([(100, 100), (200, 140), (300, 90), (400, 130)], ""),
    ],
)
def test_it_is_time_for_a_new_phase(cycles: list[tuple[int, int]], said: str) -> None:
    advice = phase_advice([Past(*figures) for figures in cycles], "nightly")
    assert said in advice
    assert bool(said) == ("vademecum sessions continue nightly" in advice)


@requirement("C-38")
def test_a_receipt_tells_that_compactions_come_ever_sooner() -> None:
    held, rows, advice = session(), list[dict[str, Any]](), ""
    for stretch, turns in enumerate((40, 30, 20, 10, 5)):
        rows = rows + sample(turns=turns, start=1_000 * stretch)
        held.request_compaction()
        done = compact(rows, window=16_000, session=held)
        advice = done.receipt.phase
    assert done.receipt.cycle == 5
    assert "sooner and sooner" in advice


@requirement("C-42")
def test_a_model_or_a_function_may_summarise() -> None:
    text = "\n".join(f"## {section}\nService svc-{at} is kept running." for at, section in enumerate(SECTIONS))
    model = ScriptedModel([text])
    by_model = compact(sample(turns=20), window=8_000, summarizer=model)
    assert by_model.receipt.summary_model == "scripted"
    assert len(model.prompts) == 1
    by_function = compact(sample(turns=20), window=8_000, summarizer=lambda ask: f"{text} ({len(ask.messages)})")
    for done in (by_model, by_function):
        assert done.plan is not None
        assert text in done.plan.narrative
    assert by_function.receipt.coverage[0] == by_function.receipt.coverage[1] > 0


@requirement("C-42", "C-34")
def test_a_function_that_fails_leaves_the_structural_tiers() -> None:
    def write(ask: Summarize) -> str:
        raise ValueError("no network")

    done = compact(sample(turns=20), window=8_000, summarizer=write)
    assert done.receipt.outcome == "compacted"
    assert "unavailable: ValueError: no network" in [tier.outcome for tier in done.receipt.tiers]


@requirement("C-42")
@pytest.mark.parametrize("given", ["active", "somewhere", 7])
def test_what_cannot_summarise_is_refused(given: Any) -> None:
    with pytest.raises(ConfigError, match="summarizer"):
        Compactor(window=8_000, summarizer=given)


@requirement("C-38")
def test_the_advice_is_short_and_asks_for_identifiers_in_the_text() -> None:
    assert "in your own text" in ADVICE
    assert "error messages word for word" in ADVICE
    assert "\n" not in ADVICE
    assert COUNTER.texts((ADVICE,))[0] < 120
