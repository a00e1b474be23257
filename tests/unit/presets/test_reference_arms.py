"""The two published policies: what they keep, how their tails are sized, how often they compact."""

from functools import cache
from itertools import pairwise
from typing import Any

import pytest

from requirement import requirement
from unit.core.cases import case_of, compacted, driven
from vademecum import Archive, Compactor
from vademecum.core.breaker import Breaker
from vademecum.core.budget import Window, budget
from vademecum.core.plan import plan
from vademecum.core.tail import choose_tail, stubbable, tail_budget
from vademecum.models.scripted import ScriptedModel
from vademecum.models.tokenizer import count_tokens
from vademecum.presets import preset
from vademecum.summarizers import StructuredSummarizer, window_of
from vademecum.testing import sample


@cache
def rolled(name: str, window: int) -> list[tuple[int, Any]]:
    """The number of each request that was compacted in a scripted session, with its receipt."""
    rows = sample(turns=40, rounds=6, chars=1_500)
    compactor = Compactor(
        window=window, preset=name, session=Archive.memory().session("rolled", format="openai-chat")
    )
    requests = [at for at, row in enumerate(rows) if row["role"] == "assistant"]
    done = [compactor.fit(rows[:at]) for at in requests]
    return [(number, one.receipt) for number, one in enumerate(done, 1) if one.plan is not None]


@requirement("C-4", "C-31")
@pytest.mark.parametrize(
    ("window", "messages"), [(4_096, 6), (32_000, 6), (100_000, 8), (200_000, 16), (272_000, 21), (2_000_000, 21)]
)
def test_the_tail_of_agent_grows_with_its_trigger(window: int, messages: int) -> None:
    chosen = preset("agent")
    assert chosen.tail.messages_at(budget(chosen, window=Window(window)).trigger_tokens) == messages
    assert chosen.tail.messages_at(1_000_000) == 24
    assert preset("half").tail.messages_at(1_000_000) == 0


@requirement("C-4")
def test_agent_keeps_its_newest_messages_and_results() -> None:
    case = case_of(turns=30, window=64_000, preset="agent")
    most = case.preset.tail.messages_at(case.budget.acting_trigger)
    draft = driven(choose_tail(case))
    kept = len(case.live) - draft.cut
    assert draft.cut in case.cuts
    assert most - 3 <= kept <= most
    made = driven(plan(case))
    stubbed = {spot for spot, edit in made.edits.items() if edit.kind == "stub"}
    assert made.fold == 0
    assert set(stubbable(case, 0, len(case.live))) - stubbed == set(stubbable(case, 0, len(case.live))[-most:])


@requirement("C-4")
def test_one_giant_round_does_not_take_all_of_the_room() -> None:
    rows = [*sample(turns=6), *sample(turns=1, rounds=1, chars=90_000, start=90)]
    done = compacted(rows, window=32_000, preset="agent")
    assert done.receipt.outcome in ("compacted", "crowded")
    assert done.receipt.tokens_after <= 16_000


@requirement("C-4", "C-1")
@pytest.mark.parametrize(("name", "apart"), [("agent", 10), ("hermes", 20)])
def test_a_reference_arm_does_not_compact_every_turn(name: str, apart: int) -> None:
    found = rolled(name, 32_000)
    numbers = [number for number, _ in found]
    gaps = [later - earlier for earlier, later in pairwise(numbers)]
    assert len(found) >= 5
    assert min(gaps) >= apart
    assert {receipt.outcome for _, receipt in found} == {"compacted"}


@requirement("C-4", "C-23")
@pytest.mark.parametrize("name", ["agent", "hermes"])
def test_what_a_reference_arm_keeps_has_a_bound(name: str) -> None:
    """Reports of the turns fill its narrative by and by, since it has no ledger that takes what is left at once."""
    after = [receipt.tokens_after for _, receipt in rolled(name, 32_000)]
    assert max(after[len(after) // 2 :]) <= 1.25 * max(after[: len(after) // 2])
    assert max(after) <= rolled(name, 32_000)[0][1].trigger_tokens * 0.75


@requirement("C-4", "C-31")
@pytest.mark.parametrize(
    ("window", "tokens"), [(100_000, 10_000), (200_000, 10_000), (500_000, 12_500), (1_000_000, 25_000)]
)
def test_the_tail_of_hermes_has_ten_to_twenty_five_thousand_tokens(window: int, tokens: int) -> None:
    assert tail_budget(case_of(turns=2, window=window, preset="hermes")) == tokens


@requirement("C-4", "C-25")
def test_hermes_keeps_about_55_thousand_of_a_window_of_500_thousand() -> None:
    done = compacted(sample(turns=120, rounds=6, chars=1_600), window=500_000, preset="hermes", trigger=150_000)
    assert done.receipt.outcome == "compacted"
    assert {tier.name: tier.outcome for tier in done.receipt.tiers} == {"summary": "off", "local_summary": "fits"}
    assert done.receipt.tokens_after <= 60_000
    assert dict(done.receipt.sections)["recovery"] > 200
    case = case_of(turns=2, window=500_000, preset="hermes")
    assert tail_budget(case) + case.preset.carry.most == pytest.approx(55_000, rel=0.02)


@requirement("C-4")
def test_hermes_never_goes_above_the_window_of_the_summary_model() -> None:
    small = StructuredSummarizer(ScriptedModel(["x"], window=90_000), count_tokens)
    assert window_of(small) == 90_000
    assert window_of(None) is None
    found = {
        name: budget(preset(name), window=Window(1_000_000), summary_window=window_of(small)).trigger_tokens
        for name in ("half", "hermes")
    }
    assert found == {"half": 128_000, "hermes": 90_000}
    done = compacted(sample(turns=3), window=1_000_000, preset="hermes", summarizer=small)
    assert done.receipt.trigger_tokens == 90_000


@requirement("C-4", "C-33")
@pytest.mark.parametrize(("name", "failures"), [("agent", 0), ("half", 1)])
def test_any_reduction_counts_as_help_for_agent(name: str, failures: int) -> None:
    session = Archive.memory().session("kept", format="openai-chat")
    rows = [*sample(turns=8), {"role": "user", "content": "word " * 9_000}]
    done = compacted(rows, window=16_000, preset=name, session=session)
    assert done.receipt.outcome == "above_trigger"
    held = session.recall_state("breaker:main") or {}
    assert held.get("failures", 0) == failures


@requirement("C-33")
def test_the_breaker_of_a_preset_is_its_own() -> None:
    rule = preset("agent").breaker
    stopped = Breaker(rule.failures, 1_000, 8_000)
    assert not stopped.allows(1_250, 8_000, rule)
    assert stopped.allows(1_251, 8_000, rule)
    assert Breaker(rule.failures - 1, 1_000, 8_000).allows(1_001, 8_000, rule)
