"""The cycle simulator on a made lineage: what crosses the trigger is compacted, and how that ends."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from requirement import requirement
from unit.bench.talk import lineage
from vademecum.bench.arms.arm import Job, Kept, Row
from vademecum.bench.arms.table import chosen
from vademecum.bench.lineage import save
from vademecum.bench.simulation.arms import simulated
from vademecum.bench.simulation.cycle import Cycle, end_state
from vademecum.bench.simulation.pool import Pool
from vademecum.bench.simulation.setting import Setting
from vademecum.bench.simulation.simulate import simulate
from vademecum.core.tokens import TokenCounter
from vademecum.errors import ConfigError
from vademecum.models.tokenizer import count_tokens

SETTING = Setting(window=32_000, trigger=16_000, target=6_000)
MADE = Pool(lineage(300))


def lines(arm: str | Row, setting: Setting = SETTING, pool: Pool = MADE) -> list[dict[str, Any]]:
    (row,) = chosen([arm]) if isinstance(arm, str) else (arm,)
    return list(simulate(pool, row, setting))


@requirement("B-9")
def test_a_compaction_comes_when_the_meter_crosses_the_trigger() -> None:
    *cycles, end = lines("vademecum")
    assert len(cycles) == end["cycles"] > 5
    assert [row["cycle"] for row in cycles] == list(range(1, len(cycles) + 1))
    for row in cycles:
        assert row["before"] > 16_000
        assert row["after"] < 8_000
        assert row["freed_ratio"] == pytest.approx(1 - row["after"] / row["before"], abs=1e-4)
        floor = row["floor"]
        assert sum(size for place, size in floor.items() if place != "text_floor") == row["after"]
        assert floor["text_floor"] == row["after"] - floor["call"] - floor["result"]
    assert end["end_state"] == "working"
    assert end["floor"]["last"] <= 1.1 * end["floor"]["fifth"]


@requirement("B-9")
def test_what_was_taken_and_billed_adds_up() -> None:
    *cycles, end = lines("recency")
    sizes = TokenCounter(count_tokens).messages(MADE.lineage.messages)
    assert end["consumed"] == sum(sizes)
    assert end["requests"] == sum(message.role == "assistant" for message in MADE.lineage.messages)
    assert sum(row["rows"] for row in cycles) <= end["messages"] == len(sizes)
    at = 0
    for row in cycles:
        at += row["rows"]
        assert row["consumed"] == sum(sizes[:at])
        assert row["after"] <= row["billed_per_request"] <= 16_000
    before = sum(row["requests"] for row in cycles)
    billed = sum(row["requests"] * row["billed_per_request"] for row in cycles)
    assert 0 < end["requests"] - before < 100
    assert billed < end["billed"] < billed + 100 * 16_000


@requirement("B-9")
def test_who_keeps_all_dialogue_frees_less_and_less_and_is_stuck() -> None:
    *cycles, end = lines("drop-results")
    assert end["end_state"] == "stuck"
    assert cycles[-1]["after"] >= 16_000
    assert end["consumed"] < sum(TokenCounter(count_tokens).messages(MADE.lineage.messages))
    floors = [row["floor"]["text_floor"] for row in cycles]
    assert floors[-1] > 1.2 * floors[0]
    freed = [row["freed_ratio"] for row in cycles]
    assert freed[-1] < freed[len(freed) // 2] < freed[0]


@requirement("B-9")
def test_end_states() -> None:
    def ended(*afters: int, fallback: bool = False) -> str:
        cycles = [
            Cycle("one", at, 100, after, {}, 1, 1, details={"fallback": fallback})
            for at, after in enumerate(afters, 1)
        ]
        return end_state(cycles, 90)

    assert ended() == "working"
    assert ended(40, 40, 40) == "working"
    assert ended(89, 89, 40, 40, 40) == "working"
    assert ended(10, 60, 60, 60) == "degrading"
    assert ended(10, 10, 90) == "stuck"
    assert ended(10, 10, fallback=True) == "fallback"
    assert ended(10, 90, fallback=True) == "stuck"


def keeps_half(job: Job) -> Kept:
    cut = min(at for at in job.cuts if at >= len(job.messages) // 2)
    return Kept(job.messages[cut:])


@requirement("B-9")
def test_any_arm_compacts_what_it_kept_and_what_came_since() -> None:
    *cycles, end = lines(Row("half", keeps_half))
    assert end["cycles"] > 5
    assert all(0.3 < row["freed_ratio"] < 0.6 for row in cycles)


@requirement("B-9")
def test_cycles_end_when_asked_for_and_windows_give_triggers() -> None:
    assert lines("recency", replace(SETTING, cycles=3))[-1]["cycles"] == 3
    assert lines("vademecum", Setting(window=64_000, cycles=1))[-1]["trigger"] == 32_000
    assert lines("hermes", Setting(window=64_000, cycles=1))[-1]["trigger"] > 32_000
    assert lines("hermes", Setting(window=64_000, preset="half", cycles=1))[-1]["trigger"] == 32_000
    with pytest.raises(ConfigError, match="above the trigger"):
        lines("recency", replace(SETTING, target=20_000))


@requirement("B-11")
def test_the_same_bytes_alone_and_in_parallel_and_interrupted(tmp_path: Path) -> None:
    file = save(lineage(160), tmp_path)
    rows = chosen(["vademecum", "drop-results"])
    for folder, jobs in (("one", 1), ("two", 2)):
        list(simulated([file], rows, SETTING, folder=tmp_path / folder, jobs=jobs))
    half = simulated([file], rows, SETTING, folder=tmp_path / "three")
    next(half)
    half.close()
    assert not (tmp_path / "three/drop-results.jsonl").exists()
    ended = list(simulated([file], rows, SETTING, folder=tmp_path / "three"))
    assert [one.end["end_state"] for one in ended] == ["working", "degrading"]
    files = [
        {path.name: path.read_bytes() for path in sorted((tmp_path / folder).iterdir())}
        for folder in ("one", "two", "three")
    ]
    assert files[0] == files[1] == files[2]
    assert json.loads(files[0]["vademecum.jsonl"].splitlines()[0])["schema"] == "vademecum.bench.cycle/1"
    with pytest.raises(ConfigError, match="another setting"):
        next(simulated([file], rows, replace(SETTING, seed=2), folder=tmp_path / "one"))
