"""Every cheating arm is exposed by a figure of the table that has a name."""

from __future__ import annotations

from typing import Any

import pytest

from requirement import requirement
from unit.bench.talk import lineage
from vademecum.bench.arms.table import chosen
from vademecum.bench.lineage import save
from vademecum.bench.run import Run, run
from vademecum.bench.scorecard import scorecard
from vademecum.bench.setting import Setting

SETTING = Setting(tokens=60_000, window=40_000, target=8_000, cloze=200, others=60)
ARMS = ("uncompacted", "nothing", "bag-of-identifiers", "archive-as-context", "leaked-golds", "stale-beside-new")


@pytest.fixture(scope="module")
def arms(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    folder = tmp_path_factory.mktemp("cheats")
    asked = Run(folder / "run", {"made": save(lineage(200), folder)}, SETTING, chosen(ARMS))
    run(asked)
    return {arm["arm"]: arm for arm in scorecard(asked.folder)["arms"]}


@requirement("B-4")
def test_a_bag_of_identifiers_is_present_and_says_nothing_to_a_reader(arms: dict[str, Any]) -> None:
    bag = arms["bag-of-identifiers"]["closed"]
    assert bag["present"]["value"] == 1
    assert bag["overall"]["value"] < 0.05


@requirement("B-5")
def test_the_archive_as_context_does_not_fit(arms: dict[str, Any]) -> None:
    whole = arms["archive-as-context"]
    assert whole["closed"]["relative"] > 0.95
    assert whole["fits"] is False
    assert arms["bag-of-identifiers"]["fits"] is True


@requirement("B-5")
def test_leaked_golds_are_not_known_for_questions_that_were_kept_back(arms: dict[str, Any]) -> None:
    leak = arms["leaked-golds"]["closed"]
    assert leak["overall"]["value"] > 0.9
    assert leak["holdout_gap"] > 0.8
    assert abs(arms["uncompacted"]["closed"]["holdout_gap"]) < 0.15


@requirement("B-2", "B-5")
def test_stale_values_beside_new_ones_are_counted(arms: dict[str, Any]) -> None:
    latest = arms["stale-beside-new"]["closed"]["kinds"]["latest"]
    assert latest["stale"] >= 10
    assert arms["uncompacted"]["closed"]["kinds"]["latest"]["stale"] == 0
    assert arms["uncompacted"]["closed"]["kinds"]["latest"]["reader"]["value"] == 1


@requirement("B-5")
def test_permuted_golds_are_answered_by_nobody(arms: dict[str, Any]) -> None:
    assert all(arm["closed"]["permuted"]["value"] < 0.02 for arm in arms.values())
    assert arms["nothing"]["closed"]["kinds"]["abstention"]["reader"]["value"] == 1
