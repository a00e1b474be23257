from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from requirement import requirement
from unit.bench.summing import summarizes, summary_of
from unit.bench.talk import lineage
from vademecum.bench.arms.arm import Job, Kept
from vademecum.bench.arms.table import ARMS, chosen
from vademecum.bench.calls.batch import read, write
from vademecum.bench.calls.request import Request
from vademecum.bench.calls.store import Ask, Given
from vademecum.bench.interview.interview import Interview
from vademecum.bench.interview.prepare import plan_of, prepare
from vademecum.bench.lineage import save
from vademecum.bench.price import price_of
from vademecum.bench.run import Run, run
from vademecum.bench.scorecard import scorecard
from vademecum.bench.setting import Setting
from vademecum.bench.summaries.desk import Desk
from vademecum.bench.summaries.drive import summarized
from vademecum.bench.summaries.plan import Plan
from vademecum.bench.summaries.summarizer import KeptSummarizer
from vademecum.core.requests import Summarize
from vademecum.core.tokens import TokenCounter
from vademecum.errors import ConfigError, Unavailable
from vademecum.models.model import Prompt, Reply
from vademecum.models.scripted import ScriptedModel
from vademecum.models.tokenizer import count_tokens
from vademecum.wire import dialect

SETTING = Setting(tokens=30_000, window=30_000, target=6_000, cloze=40, others=5)
#: The summariser's window is so small that a region is summarised in stretches, whose notes are joined.
PLAN = Plan("small", window=9_000)
WITH_MODEL = tuple(row.name for row in ARMS if row.needs_model)
BOTH = ("summary-only", "vademecum-active")


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A run whose arms without a model are done."""
    folder = tmp_path_factory.mktemp("summaries")
    names = ("recency", "uncompacted", *WITH_MODEL)
    asked = Run(folder / "run", {"made": save(lineage(90), folder)}, SETTING, chosen(names, model=True))
    run(asked)
    return asked


def copied(begun: Run, folder: Path, arms: tuple[str, ...] = BOTH) -> Run:
    shutil.copytree(begun.folder, folder)
    return Run(folder, begun.lineages, SETTING, chosen(arms, model=True))


def finish(asked: Run, ask: Ask, plan: Plan = PLAN) -> Desk:
    plan.begin(asked.folder)
    desk = Desk(asked.folder, plan, ask=ask)
    assert summarized(asked, desk) == 0
    return desk


def bytes_of(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.name.endswith((".timing.json", "faults.jsonl"))
    }


@pytest.fixture(scope="module")
def done(begun: Run, tmp_path_factory: pytest.TempPathFactory) -> Run:
    asked = copied(begun, tmp_path_factory.mktemp("done") / "run", WITH_MODEL)
    finish(asked, summarizes)
    return asked


@requirement("B-3", "B-8", "C-15", "C-20")
def test_every_arm_with_a_model_keeps_its_summary_and_says_whose_it_is(done: Run) -> None:
    card = scorecard(done.folder, price=price_of("3/15/0.3/3.75"))
    arms = {arm["arm"]: arm for arm in card["arms"]}
    assert set(WITH_MODEL) == {name for name, arm in arms.items() if arm["model"] == "small"}
    tiers = {name: arms[name]["details"]["made"]["tiers"] for name in WITH_MODEL}
    assert tiers["summary-only"] == ["summary: helped"]
    for name in ("summary-recovery", "agent-summary", "vademecum-active"):
        assert tiers[name][0] in ("summary: helped", "summary: fits"), name
    assert {"local_summary: helped", "local_summary: fits"} & {*tiers["vademecum-local"]}
    assert "summary: off" in tiers["vademecum-local"]
    for name in WITH_MODEL:
        usage, cost = arms[name]["details"]["made"]["usage"], arms[name]["cost"]
        assert usage["calls"] >= 3, "stretches, and their notes joined"
        assert (usage["input"], usage["output"], usage["cached"]) == tuple(usage["calls"] * n for n in (900, 100, 50))
        assert usage["origin"] == "reported"
        assert cost["calls"] == usage["calls"]
        assert cost["usd_per_compaction"] == pytest.approx(usage["calls"] * (900 * 3 + 100 * 15 + 50 * 0.3) / 1e6)
        assert arms[name]["closed"]["overall"]["value"] > arms["recency"]["closed"]["overall"]["value"]
        assert arms[name]["closed"]["where"]["result"]["reader"]["value"] < 0.5
    assert card["summaries"]["model"] == "small"
    assert card["summaries"]["answered_by"] == ["small-1"]
    assert card["summaries"]["calls"] > 0
    assert arms["recency"]["model"] is None


@requirement("B-3")
def test_a_bare_summary_has_no_way_back_and_the_others_have(done: Run) -> None:
    prepare(done, plan_of(done, 3, 1, 1))
    with Interview(done.folder) as interview:
        shown = {name: interview.desks["made"].shown(name, "plain").text for name in WITH_MODEL}
    assert "session_search" not in shown["summary-only"]
    for name in WITH_MODEL:
        assert "depends on delegation run-" in shown[name]
        assert name == "summary-only" or "session_search" in shown[name]


@requirement("B-6", "B-11")
def test_batch_files_lead_to_the_same_bytes_round_by_round(begun: Run, done: Run, tmp_path: Path) -> None:
    arms = ("summary-only", "vademecum-local")
    asked = copied(begun, tmp_path / "run", arms)
    PLAN.begin(asked.folder)
    rounds = 0
    while True:
        desk = Desk(asked.folder, PLAN)
        if rounds:
            desk.take(read(tmp_path / "answers.jsonl"))
            assert desk.faults == {"malformed": 1, "error": 1}
        if not summarized(asked, desk):
            break
        made = write(desk.pending.values(), tmp_path / "requests.jsonl", {"summarizer": "m"})
        assert made.counts.total() == len(desk.pending) > 0
        # Every second one is answered; one comes back with an error, one line is torn.
        told = [json.dumps(answer_to(request)) for request in list(desk.pending.values())[::2]]
        unanswered = (["summarizer-0", *desk.pending])[len(desk.pending) if len(desk.pending) % 2 == 0 else 0]
        lost = json.dumps({"custom_id": unanswered, "error": {"code": "batch_expired"}})
        (tmp_path / "answers.jsonl").write_text("\n".join([*told, lost, '{"torn']) + "\n")
        rounds += 1
        assert rounds < 30
    assert rounds > 3, "notes are joined after all stretches are summarised"
    found, wanted = bytes_of(asked.folder), bytes_of(done.folder)
    for name in arms:
        assert found[f"made/{name}.json"] == wanted[f"made/{name}.json"], name
    assert {*found["summary_answers.jsonl"].splitlines()} <= {*wanted["summary_answers.jsonl"].splitlines()}


def answer_to(request: Request) -> dict[str, object]:
    """The scripted model's answer as a line of a provider's batch output."""
    given = summarizes(request)
    usage = {"prompt_tokens": 950, "completion_tokens": 100, "prompt_tokens_details": {"cached_tokens": 50}}
    choice = {"message": {"content": given.text}, "finish_reason": "stop"}
    body = {"model": given.model, "choices": [choice], "usage": usage}
    return {"custom_id": request.id, "response": {"status_code": 200, "body": body}, "error": None}


@requirement("B-6", "B-11")
def test_what_breaks_off_goes_on_and_ends_in_the_same_bytes(begun: Run, tmp_path: Path) -> None:
    whole = copied(begun, tmp_path / "whole")
    finish(whole, summarizes)
    asked = copied(begun, tmp_path / "broken")
    sent: list[str] = []

    def breaks(request: Request) -> Given:
        sent.append(request.id)
        if len(sent) == 5:
            raise Unavailable("nobody is there")
        return summarizes(request)

    PLAN.begin(asked.folder)
    with pytest.raises(Unavailable):
        summarized(asked, Desk(asked.folder, PLAN, ask=breaks))
    assert not asked.result("made", BOTH[-1]).exists()
    finish(asked, breaks)
    assert bytes_of(asked.folder) == bytes_of(whole.folder)
    assert len(sent) == len(set(sent)) + 1, "what was answered is not asked again"


@requirement("B-6")
def test_no_more_calls_than_allowed(begun: Run, tmp_path: Path) -> None:
    asked = copied(begun, tmp_path / "run")
    PLAN.begin(asked.folder)
    sent: list[Request] = []

    def counted(request: Request) -> Given:
        sent.append(request)
        return summarizes(request)

    for most in (0, 2, 3):
        desk = Desk(asked.folder, PLAN, ask=counted, most=most)
        assert summarized(asked, desk) == len(BOTH)
        assert (len(sent), desk.room()) == (most, 0)
        assert desk.refused == len(desk.pending) > 0


@requirement("B-6")
def test_what_brings_no_text_is_counted_and_waits(begun: Run, tmp_path: Path) -> None:
    asked = copied(begun, tmp_path / "run", ("summary-only",))
    PLAN.begin(asked.folder)
    desk = Desk(asked.folder, PLAN, ask=lambda request: Given(request.id, "", fault="refused"))
    assert summarized(asked, desk) == 1
    assert desk.faults["refused"] == len(desk.pending)
    assert scorecard(asked.folder)["summaries"]["faults"] == dict(desk.faults)
    finish(asked, summarizes)


@requirement("B-3")
def test_a_summary_that_is_no_use_is_told_and_a_truncated_one_asked_for_again(begun: Run, tmp_path: Path) -> None:
    def asked_with(ask: Ask, name: str) -> tuple[list[str], int]:
        asked = copied(begun, tmp_path / name, ("summary-only",))
        finish(asked, ask, Plan("small", window=100_000))
        held = json.loads(asked.result("made", "summary-only").read_text())
        return held["details"]["tiers"], held["details"]["usage"]["calls"]

    def chats(request: Request) -> Given:
        return Given(request.id, "I'm sorry, I cannot do that.")

    def long(request: Request) -> Given:
        whole = "at most 1875 tokens" in request.system.lower() or "1875" in request.system
        return Given(request.id, summary_of(request.prompt), finish="stop" if whole else "length")

    assert asked_with(chats, "chats") == (["summary: failed: refusal"], 1)
    assert asked_with(long, "long") == (["summary: helped"], 2)


@requirement("B-7")
def test_replicates_ask_anew_and_their_mean_is_told(begun: Run, tmp_path: Path) -> None:
    asked = copied(begun, tmp_path / "run", ("summary-only",))
    seen: list[str] = []

    def varies(request: Request) -> Given:
        seen.append(request.prompt)
        return Given(request.id, summary_of(request.prompt, last=0 if seen.count(request.prompt) == 1 else 40))

    def summary_of(text: str, last: int) -> str:
        from unit.bench.summing import summary_of as made

        return made(text, last=last) if last else made("")

    finish(asked, varies, Plan("small", window=100_000, replicates=2))
    assert len(seen) == 2 * len(set(seen))
    (arm,) = (arm for arm in scorecard(asked.folder)["arms"] if arm["arm"] == "summary-only")
    first, second = arm["closed"]["replicates"]
    assert first < second
    assert arm["closed"]["overall"]["value"] == pytest.approx((first + second) / 2, abs=1e-4)
    assert arm["closed"]["needed"] > 0
    with pytest.raises(ConfigError, match="another plan"):
        Plan("large", window=100_000, replicates=2).begin(asked.folder)


@requirement("B-6")
def test_one_interface_is_driven_by_a_scripted_model_too(begun: Run, tmp_path: Path) -> None:
    model = ScriptedModel([lambda prompt: Reply(summary_of(prompt.user))])
    asked = copied(begun, tmp_path / "run", ("summary-only",))

    def ask(request: Request) -> Given:
        reply = model.complete(Prompt(request.system, request.prompt, request.max_tokens))
        return Given(request.id, reply.text)

    desk = finish(asked, ask, Plan("small", window=9_000, max_tokens=700))
    assert {prompt.max_tokens for prompt in model.prompts} == {700}
    held = json.loads(asked.result("made", "summary-only").read_text())
    usage = held["details"]["usage"]
    assert usage["origin"] == "counted", "the model told nothing"
    assert usage["input"] > 5_000
    assert not desk.pending


def by_others(job: Job) -> Kept:
    assert job.summarizer is not None
    reply = job.summarizer(Summarize("active", job.messages[:9], "", "", max_tokens=500))
    return Kept((*job.messages[-1:], job.lineage.dialect.load(job.lineage.dialect.user([reply.text]), 1)))


by_others.__dict__["needs_model"] = True


@requirement("B-3")
def test_somebodys_own_arm_may_ask_for_summaries(begun: Run, tmp_path: Path) -> None:
    name = f"{__name__}:by_others"
    with pytest.raises(ConfigError, match="no model is there"):
        chosen([name])
    asked = copied(begun, tmp_path / "run", (name,))
    finish(asked, summarizes, Plan("small"))
    arms = {arm["arm"]: arm for arm in scorecard(asked.folder)["arms"]}
    assert arms[name.replace(":", ".")]["cost"]["calls"] == 1


@requirement("B-3")
def test_a_model_is_needed_where_it_is_needed() -> None:
    with pytest.raises(ConfigError, match="summary-only: no model"):
        chosen(["summary-only"])
    assert not {row.name for row in chosen()} & {*WITH_MODEL}
    assert {*WITH_MODEL} < {row.name for row in chosen(model=True)}


def test_iterators_are_taken_once(begun: Run, tmp_path: Path) -> None:
    """Answers of other runs and to questions of the interview do no harm."""
    asked = copied(begun, tmp_path / "run")
    PLAN.begin(asked.folder)
    desk = Desk(asked.folder, PLAN)

    def given() -> Iterator[Given]:
        yield Given("answerer-0", "not for summaries")
        yield Given("summarizer-1", "of another run")

    assert desk.take(given()) == 1
    assert desk.take(given()) == 0


@requirement("B-6", "B-11")
def test_secrets_reach_no_model_and_their_marks_are_the_same_each_time() -> None:
    format = dialect("openai-chat")
    secret = "ghp_" + "a1B2c3D4e5F6" * 3
    texts = ("JWT_SECRET=[redacted secret {}]", "again [redacted secret {}], not [redacted token {}]")
    seen: list[str] = []
    for salt in ("e24fc8", "bc1b48"):
        rows = [*(text.format(salt, salt) for text in texts), f"my token is {secret}"]
        ask = Summarize(
            "active", tuple(format.load(format.user([row]), at) for at, row in enumerate(rows)), "", "", 500
        )
        desk = Desk(Path("nowhere"), PLAN)
        KeptSummarizer(desk, TokenCounter(count_tokens))(ask)
        (request,) = desk.pending.values()
        seen.append(f"{request.id} {request.prompt}")
    assert seen[0] == seen[1]
    assert secret not in seen[0]
    assert "JWT_SECRET=[redacted secret 000000]" in seen[0]
    assert "again [redacted secret 000000], not [redacted token 000001]" in seen[0]
