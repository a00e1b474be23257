"""The compactor records what replies report, call by call."""

from dataclasses import replace
from typing import Any

import pytest

from requirement import requirement
from vademecum import Archive, Compactor
from vademecum.archive import ModelUsage
from vademecum.core.summary_check import SECTIONS
from vademecum.models.model import Reply
from vademecum.testing import ScriptedModel, sample


@requirement("M-9")
def test_every_reply_is_recorded() -> None:
    session = Archive.memory().session("s", format="openai-chat")
    compactor = Compactor(window=64_000, session=session, now=lambda: 7.0)
    messages = list(sample(turns=3))
    details = {"prompt_tokens_details": {"cached_tokens": 40}, "completion_tokens_details": {"reasoning_tokens": 3}}
    reply: dict[str, Any] = {"model": "m", "usage": {"prompt_tokens": 100, "completion_tokens": 9, **details}}
    compactor.fit(messages)
    compactor.observe(reply)
    messages.append({"role": "user", "content": "go on"})
    compactor.fit(messages)
    compactor.observe(reply)
    compactor.observe({"model": "m"})
    assert session.usage() == (ModelUsage("m", 2, 200, 80, 0, 18, 6),)


@requirement("M-9", "C-36")
@pytest.mark.parametrize("used", [True, False])
def test_what_a_summary_cost_is_recorded_whether_it_is_used_or_not(used: bool) -> None:
    session = Archive.memory().session("s", format="openai-chat")
    good = "\n".join(f"## {section}\nService svc-{at} is up." for at, section in enumerate(SECTIONS))
    model = ScriptedModel([Reply(good if used else "", "stop", 900, 70)], name="writer")
    compactor = Compactor(window=8_000, session=session, summarizer=model)
    done = compactor.fit(sample(turns=24))
    assert (done.receipt.summary_model == "writer") is used
    assert done.receipt.summary_tokens == (900 * len(model.prompts), 70 * len(model.prompts))
    (told,) = session.usage()
    assert (told.model, told.kind, told.calls) == ("writer", "summary", len(model.prompts))
    assert (told.prompt_tokens, told.output_tokens) == done.receipt.summary_tokens
    with session.archive.connection.reading() as db:
        assert [kind for (kind,) in db.execute("SELECT DISTINCT kind FROM usage")] == ["summary"]


@requirement("M-9", "C-16")
def test_all_calls_of_a_folded_summary_are_paid_for() -> None:
    good = "\n".join(f"## {section}\nService svc-{at} is up." for at, section in enumerate(SECTIONS))
    model = ScriptedModel([Reply(good, "stop", 100, 10)], window=4_000)
    done = Compactor(window=64_000, trigger=16_000, summarizer=model).fit(sample(turns=200))
    assert len(model.prompts) > 3
    assert done.receipt.summary_tokens == (100 * len(model.prompts), 10 * len(model.prompts))


@requirement("M-9")
def test_a_plan_that_is_only_shown_records_nothing() -> None:
    session = Archive.memory().session("s", format="openai-chat")
    compactor = Compactor(window=8_000, session=session, summarizer=ScriptedModel([Reply("", "stop", 9, 7)]))
    compactor._options = replace(compactor._options, dry_run=True)
    assert compactor.fit(sample(turns=24)).receipt.summary_tokens != (0, 0)
    assert session.usage() == ()
