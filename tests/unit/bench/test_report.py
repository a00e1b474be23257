"""The report page: what is in it, that nothing in it can act, and that it is the same each time."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import zlib
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from requirement import requirement
from unit.bench.runs import ARMS, HOSTILE, NAME, lines, probes, small_cycles, small_run
from vademecum.bench.report.drilldown import PRESENT, STALE, Cut, around, drilldown
from vademecum.bench.report.page import CUTS, Report, report
from vademecum.bench.score import Outcome
from vademecum.errors import ConfigError


class Elements(HTMLParser):
    """Start tags, and the text of each script, as a browser takes them apart."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=False)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag == "script":
            self.scripts.append("")

    def handle_data(self, data: str) -> None:
        if self.cdata_elem == "script":
            self.scripts[-1] += data


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_run(tmp_path_factory.mktemp("report") / "run")


@pytest.fixture(scope="module")
def cycles(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_cycles(tmp_path_factory.mktemp("report") / "cycles")


@pytest.fixture(scope="module")
def made(run: Path, cycles: Path) -> Report:
    return report(run, cycles)


def data_of(text: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """The summary and the probes that a page holds."""
    shown = re.search(r'id="summary">(.*?)</script>', text, re.S)
    packed = re.search(r'id="details">(.*?)</script>', text, re.S)
    assert shown is not None
    assert packed is not None
    return json.loads(shown[1]), json.loads(zlib.decompress(base64.b64decode(packed[1])))


@requirement("B-10")
def test_no_text_of_a_transcript_becomes_markup(made: Report) -> None:
    page = Elements(made.text)
    tags = [tag for tag, _ in page.tags]
    assert tags.count("script") == 4
    assert "img" not in tags
    assert "svg" not in tags
    assert not [attribute for _, attributes in page.tags for attribute in attributes if attribute.startswith("on")]
    assert "<title>Compaction bench: demo &lt;i&gt;run&lt;/i&gt;</title>" in made.text
    details = data_of(made.text)[1]
    assert HOSTILE[1] in details["probes"][1]["question"], "what was escaped is whole"
    assert any(HOSTILE[0] in text for text in details["texts"])


@requirement("B-10")
def test_the_page_asks_for_nothing_and_runs_only_its_own_scripts(made: Report) -> None:
    page = Elements(made.text)
    metas = [attributes for tag, attributes in page.tags if tag == "meta"]
    (policy,) = (meta["content"] for meta in metas if "http-equiv" in meta)
    assert policy is not None
    assert policy.startswith("default-src 'none'; ")
    rule = next(part for part in policy.split("; ") if part.startswith("script-src"))
    hashes = [hashlib.sha256(script.encode()).digest() for script in page.scripts[2:]]
    digests = {f"'sha256-{base64.b64encode(one).decode()}'" for one in hashes}
    assert set(rule.split()[1:]) == digests
    linked = [value for _, attributes in page.tags for key, value in attributes.items() if key in ("src", "href")]
    assert all(value is not None and value.startswith(("#", "data:")) for value in linked)


@requirement("B-11")
def test_the_same_run_gives_the_same_bytes(run: Path, cycles: Path, made: Report) -> None:
    assert report(run, cycles).text == made.text


@requirement("B-10")
def test_what_is_embedded(made: Report, run: Path) -> None:
    shown, details = data_of(made.text)
    assert shown["schema"] == "vademecum.bench.report/1"
    assert set(shown) == {"schema", "card", "cheats", "cycles", "cut", "terms"}
    assert shown["card"]["schema"] == "vademecum.bench.scorecard/1"
    assert shown["card"]["front"]["closed"] == ["nothing", "recency"], "uncompacted does not fit the window"
    assert [(arm["arm"], len(arm["cycles"]), arm["end"]["end_state"]) for arm in shown["cycles"]] == [
        ("drop-results", 12, "stuck"),
        ("vademecum", 12, "working"),
    ]
    assert {"present", "reader", "relative", "stale", "holdout gap"} <= set(shown["terms"])
    assert (made.arms, made.probes, made.cycles) == (5, 64, 24)
    assert set(details) == {"texts", "probes", "arms", "models"}
    assert details["models"] == {}, "no model was asked"
    assert list(details["arms"]) == sorted(ARMS)
    assert details == drilldown(run, CUTS[0])


@requirement("B-10")
def test_a_probe_can_be_followed_to_its_answer(made: Report) -> None:
    details = data_of(made.text)[1]
    texts = details["texts"]
    first, second = details["probes"][0], details["probes"][1]
    assert (first["lineage"], first["gold"], first["stale"]) == (NAME, "gate-0a", ["gate-0old"])
    bits, answer, evidence = details["arms"]["vademecum"]["closed"][0]
    assert (bits, texts[answer]) == (2 + PRESENT, "gate-0a")
    assert texts[evidence].endswith("listens on gate-0a")
    assert details["arms"]["nothing"]["closed"][0][0] == STALE
    assert details["arms"]["vademecum"]["closed"][1][0] == 0
    assert details["arms"]["uncompacted"]["search"][0] is None
    (_, holds, text), (_, other, _) = second["found"]
    assert (holds, other) == (True, False)
    assert "gate-1a" in texts[text]


@requirement("B-10")
def test_a_page_has_no_more_than_there_is_room_for(run: Path, made: Report) -> None:
    small = report(run, most=1)
    assert small.cut == CUTS[-1]
    assert len(small.text) < len(made.text)
    assert made.cut == CUTS[0]
    assert {len(text) for _, _, text in ((0, 0, t) for t in drilldown(run, Cut(40, 20))["texts"])} <= set(range(43))


def test_two_probes_of_one_id_keep_their_answers_apart(tmp_path: Path) -> None:
    run = small_run(tmp_path / "run")
    for path in (run / NAME).iterdir():
        path.write_text(path.read_text("utf-8").replace("c_0003", "c_0002"), "utf-8")
    details = drilldown(run, Cut(100, 100))
    assert [probe["id"] for probe in details["probes"][2:4]] == ["c_0002", "c_0002"]
    assert [answer[0] for answer in details["arms"]["vademecum"]["closed"][2:4]] == [2 + PRESENT, 0]


def test_facts_that_a_model_asked_are_among_the_probes(tmp_path: Path) -> None:
    run = small_run(tmp_path / "run")
    fact = replace(probes(1)[0], id="f_1", kind="fact", question="Which gateway?", gold="gate-9z")
    told = {"probe": "f_1", "closed": Outcome(True, 2, False, "gate-9z", "it was gate-9z").as_dict()}
    (run / NAME / "kept").mkdir()
    lines(run / NAME / "kept/facts.jsonl", [{"schema": "head"}, fact.as_dict()])
    lines(run / NAME / "kept/fact_answers.jsonl", [{"arm": "vademecum", "answers": [told]}])
    details = drilldown(run, Cut(100, 100))
    assert details["probes"][-1]["question"] == "Which gateway?"
    assert details["texts"][details["arms"]["vademecum"]["closed"][-1][1]] == "gate-9z"
    assert details["arms"]["recency"]["closed"][-1] is None


def test_a_cut_keeps_what_is_wanted() -> None:
    text = "a" * 100 + "KEY" + "b" * 100
    assert around(text, "KEY", 11) == "…aaaaKEYbbbb…"
    assert around(text, "absent", 5) == "aaaaa…"
    assert around(text, "b" * 100, 4)[1:5] == "bbbb"
    assert around("short", "", 10) == "short"


def test_a_folder_without_simulation_is_refused(run: Path, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="holds no simulation"):
        report(run, tmp_path)
