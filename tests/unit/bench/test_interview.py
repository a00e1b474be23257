from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from requirement import requirement
from unit.bench.answering import RECORD, reply_to
from unit.bench.talk import lineage
from vademecum.bench.arms.table import chosen
from vademecum.bench.calls.request import Request
from vademecum.bench.calls.store import Given
from vademecum.bench.interview.drive import drive
from vademecum.bench.interview.interview import Interview
from vademecum.bench.interview.plan import Plan
from vademecum.bench.interview.prepare import plan_of, prepare
from vademecum.bench.lineage import save
from vademecum.bench.report.drilldown import Cut, drilldown
from vademecum.bench.run import Run, run
from vademecum.bench.scorecard import scorecard
from vademecum.bench.setting import Setting
from vademecum.errors import ConfigError
from vademecum.models.model import Prompt
from vademecum.models.scripted import ScriptedModel

SETTING = Setting(tokens=60_000, window=40_000, target=8_000, cloze=10, others=5)
ARMS = ("nothing", "recency", "vademecum", "uncompacted")


def reply(request: Request | Prompt) -> str:
    return reply_to(request.prompt if isinstance(request, Request) else request.user)


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("interview")
    made = Run(folder / "run", {"made": save(lineage(200), folder)}, SETTING, chosen(ARMS))
    run(made)
    prepare(made, plan_of(made, 12, 4, 2))
    return made


def fresh(asked: Run, folder: Path) -> Path:
    """A copy of the run before any model was asked."""
    shutil.copytree(asked.folder, folder)
    for path in (*folder.glob("answers.jsonl"), *folder.glob("*/kept/fact*")):
        path.unlink()
    return folder


def by(function: Callable[[Request], str]) -> Callable[[Request], Given]:
    return lambda request: Given(request.id, function(request))


@pytest.fixture(scope="module")
def done(asked: Run, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = fresh(asked, tmp_path_factory.mktemp("done") / "run")
    with Interview(folder) as interview:
        drive(interview, dict.fromkeys(("writer", "answerer", "judge"), by(reply)))
    return folder


@requirement("B-4", "B-5")
def test_the_controls_say_what_they_must_of_a_model_too(done: Path) -> None:
    card = scorecard(done)
    arms = {arm["arm"]: arm for arm in card["arms"]}
    assert arms["uncompacted"]["closed"]["model"]["overall"]["value"] == 1
    assert "search" not in arms["uncompacted"]
    assert arms["nothing"]["closed"]["model"]["overall"]["value"] == 0
    assert arms["nothing"]["search"]["model"]["overall"]["value"] > 0.5
    assert arms["recency"]["closed"]["model"]["overall"]["value"] == 0
    closed = arms["nothing"]["closed"]["model"]
    assert closed["abstention"]["value"] == 1
    assert closed["asked"] == 24
    assert closed["replicates"] == [0, 0]
    assert closed["lineages"]["made"]["asked"] == 12
    assert arms["uncompacted"]["closed"]["model"]["permuted"]["value"] == 0
    assert arms["uncompacted"]["closed"]["model"]["permuted"]["asked"] == 12
    assert {arm["closed"]["model"]["pending"] for arm in arms.values()} == {0}
    # The answerers without a model are asked the same.
    assert arms["uncompacted"]["closed"]["kinds"]["fact"]["present"]["value"] == 1
    assert arms["nothing"]["closed"]["kinds"]["fact"]["present"]["value"] == 0
    told = card["models"]["questions"]["made"]
    assert told["asked"] == 12
    assert told["rejects"]["not_there"] >= 1


@requirement("B-10")
def test_what_a_model_answered_can_be_looked_at(done: Path) -> None:
    details = drilldown(done, Cut(100, 100))
    texts, asked = details["texts"], details["probes"]
    closed, search = (details["models"]["nothing"][mode] for mode in ("closed", "search"))
    assert {asked[at]["kind"] for at in closed} == {"fact", "abstention"}
    facts = [at for at in closed if asked[at]["kind"] == "fact"]
    assert len(facts) == 12
    for at in facts:
        assert [(points, judge, texts[said]) for points, judge, said, _ in closed[at]] == [
            (0, "rule", "I do not know.")
        ] * 2
        assert all(texts[query].startswith("Which delegation") for *_, query in search[at])
    assert any(points == 2 and asked[at]["gold"] in texts[said] for at in facts for points, _, said, _ in search[at])
    assert "search" not in details["models"]["uncompacted"]


@requirement("B-2")
def test_questions_are_from_the_whole_region(done: Path) -> None:
    with Interview(done) as interview:
        desk = interview.desks["made"]
        assert desk.facts is not None
        thirds = [probe.third for probe in desk.facts]
        assert min(map(thirds.count, ("early", "middle", "late"))) >= 2
        for probe in desk.facts:
            assert probe.gold in desk.lineage.messages[probe.message].parts[0].text
            assert probe.gold not in probe.question


@requirement("B-6", "B-11")
def test_the_same_answers_are_the_same_bytes_in_whatever_order_they_came(
    asked: Run, done: Path, tmp_path: Path
) -> None:
    rows = [Given(**json.loads(line)) for line in (done / "answers.jsonl").read_text().splitlines()]
    folder = fresh(asked, tmp_path / "again")
    with Interview(folder) as interview:
        for part in (rows[1::3], rows[::3], rows):
            interview.take(reversed(part))
        assert list(interview.pending()) == []
    for name in ("answers.jsonl", "made/kept/facts.jsonl", "made/kept/fact_answers.jsonl"):
        assert (folder / name).read_bytes() == (done / name).read_bytes()


@requirement("B-6")
def test_one_interface_is_driven_by_a_scripted_model_too(asked: Run, done: Path, tmp_path: Path) -> None:
    model = ScriptedModel([reply])
    folder = fresh(asked, tmp_path / "scripted")

    def ask(request: Request) -> Given:
        return Given(request.id, model.complete(Prompt(request.system, request.prompt, request.max_tokens)).text)

    with Interview(folder) as interview:
        drive(interview, dict.fromkeys(("writer", "answerer", "judge"), ask))
    assert (folder / "answers.jsonl").read_bytes() == (done / "answers.jsonl").read_bytes()
    # Identical contexts and questions are asked once: no call was made twice.
    assert len(model.prompts) == len((folder / "answers.jsonl").read_text().splitlines())


@requirement("B-6", "B-11")
def test_what_breaks_off_goes_on(asked: Run, done: Path, tmp_path: Path) -> None:
    folder = fresh(asked, tmp_path / "broken")
    calls = 0

    def breaks(request: Request) -> Given:
        nonlocal calls
        calls += 1
        if calls == 40:
            raise ConnectionError
        return Given(request.id, reply(request))

    models = dict.fromkeys(("writer", "answerer", "judge"), breaks)
    with Interview(folder) as interview, pytest.raises(ConnectionError):
        drive(interview, models)
    with Interview(folder) as interview:
        drive(interview, models)
    assert (folder / "answers.jsonl").read_bytes() == (done / "answers.jsonl").read_bytes()
    assert calls == 1 + len((done / "answers.jsonl").read_text().splitlines())


@requirement("B-5")
def test_a_writer_that_cannot_be_read_is_asked_once_more_and_counted_apart(asked: Run, tmp_path: Path) -> None:
    folder = fresh(asked, tmp_path / "unread")
    tries: list[str] = []

    def mute(request: Request) -> Given:
        tries.append(request.id)
        return Given(request.id, "I would rather not.")

    with Interview(folder) as interview:
        slices = len(interview.desks["made"].slices)
        drive(interview, {"writer": mute})
        assert len(tries) == len(set(tries)) == 2 * slices
        assert interview.desks["made"].facts == ()
    assert scorecard(folder)["models"]["questions"]["made"]["unreadable"] == slices


@requirement("B-6")
def test_what_brings_no_text_stays_pending_and_is_counted(asked: Run, tmp_path: Path) -> None:
    folder = fresh(asked, tmp_path / "faults")
    with Interview(folder) as interview:
        first, *rest = list(interview.pending())
        lost = [
            Given(first.id, "", fault="error"),
            Given("", "", fault="malformed"),
            Given("judge-0", "", fault="empty"),
        ]
        taken = interview.take([*lost, Given("writer-0", "[]"), *(Given(one.id, reply(one)) for one in rest)])
        assert (taken.taken, taken.unknown) == (len(rest), 1)
        assert taken.faults == {"error": 1, "malformed": 1, "empty": 1}
        assert [one.id for one in interview.pending()] == [first.id]
        assert interview.take([Given(rest[0].id, "another text")]).known == 1
    with Interview(folder) as interview:
        assert interview.status()["faults"] == {"error": 1}
        assert interview.answers.text(rest[0].id) == reply(rest[0])


def test_another_plan_and_no_plan_are_refused(asked: Run, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="something else"):
        prepare(asked, Plan(3, 1, 1, ARMS))
    with pytest.raises(ConfigError, match="no run"):
        Interview(tmp_path)


def in_words(request: Request) -> str:
    """A writer whose golds are phrases, and an answerer that puts them in other words."""
    if request.role == "writer":
        count = int(request.prompt.rsplit("Write ", 1)[1].split()[0])
        made = [
            {
                "question": f"Since what does the {topic} build depend on a delegation of its own?",
                "gold": f"since the {other} change",
                "message": int(at),
            }
            for at, topic, _, other in RECORD.findall(request.prompt)[:count]
        ]
        return json.dumps(made)
    return "ever since that change was made"


@requirement("B-5")
def test_a_model_judges_what_is_no_identifier_and_sees_question_gold_and_answer_only(
    asked: Run, tmp_path: Path
) -> None:
    folder = fresh(asked, tmp_path / "words")
    seen: list[Request] = []

    def judge(request: Request) -> Given:
        seen.append(request)
        return Given(request.id, f'{{"score": {len(seen) % 3}}}')

    with Interview(folder) as interview:
        drive(interview, {"writer": by(in_words), "answerer": by(in_words), "judge": judge})
        assert {call.role for call in interview.calls()} == set()
    # The same question, gold and answer is judged once, for all arms, modes and replicates.
    assert len(seen) == 12
    for request in seen:
        assert len(request.prompt) < 400
        assert "ever since that change was made" in request.prompt
    arms = {arm["arm"]: arm for arm in scorecard(folder)["arms"]}
    told = arms["nothing"]["closed"]["model"]
    assert (told["overall"]["value"], told["partly"], told["by_rule"]) == (0.5, 8, 0)
    assert told["abstention"]["value"] == 0


@requirement("B-5")
def test_a_judgement_that_cannot_be_read_is_asked_for_once_more_and_counted_apart(asked: Run, tmp_path: Path) -> None:
    folder = fresh(asked, tmp_path / "unjudged")
    tries: dict[str, int] = {}

    def judge(request: Request) -> Given:
        tries[request.prompt] = tries.get(request.prompt, 0) + 1
        first = list(tries).index(request.prompt)
        if first >= 6 or (first >= 3 and tries[request.prompt] == 1):
            return Given(request.id, "Hm.")
        return Given(request.id, "2")

    with Interview(folder) as interview:
        drive(interview, {"writer": by(in_words), "answerer": by(in_words), "judge": judge})
    assert sorted(tries.values()) == [1, 1, 1] + [2] * 9
    told = {arm["arm"]: arm for arm in scorecard(folder)["arms"]}["nothing"]["closed"]["model"]
    # Six questions could be judged and are right; of the six others each replicate is counted apart, none as wrong.
    assert (told["overall"]["value"], told["asked"], told["parse_failures"]) == (1, 12, 12)
