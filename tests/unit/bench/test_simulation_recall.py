"""What is remembered while a made lineage is compacted again and again, and in which state that ends."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from requirement import requirement
from unit.bench.talk import lineage
from vademecum.bench.answerers.reader import Read
from vademecum.bench.arms.arm import Job, Kept, Row
from vademecum.bench.arms.table import chosen
from vademecum.bench.passages import reading_of
from vademecum.bench.simulation.pool import Pool, pool_of
from vademecum.bench.simulation.setting import Setting
from vademecum.bench.simulation.simulate import simulate

SETTING = Setting(window=32_000, trigger=16_000, target=6_000)


def lines(arm: str | Row, setting: Setting, pool: Pool) -> list[dict[str, Any]]:
    (row,) = chosen([arm]) if isinstance(arm, str) else (arm,)
    return list(simulate(pool, row, setting))


@pytest.fixture(scope="module")
def pool() -> Pool:
    return pool_of(lineage(700), 1)


@requirement("B-9")
def test_questions_are_about_all_that_was_seen(pool: Pool) -> None:
    asked = pool.asked(1_900, 60)
    thirds = [one.third for one in asked]
    assert thirds.count("early") == thirds.count("middle") == thirds.count("late") == 20
    assert max(one.probe.message for one in asked) < 1_900
    again = {one.probe.id for one in pool.asked(2_000, 60)}
    assert len(again & {one.probe.id for one in asked}) > 50
    one = next(one for one in pool.changed if len(one.values) > 1)
    second = one.values[1][0]
    before, after = one.at(second), one.at(second + 1)
    assert before is not None
    assert after is not None
    assert (before.gold, before.stale) == (one.values[0][1], ())
    assert (after.gold, after.stale) == (one.values[1][1], (one.values[0][1],))


@requirement("B-9")
def test_of_what_the_tail_has_nothing_is_asked() -> None:
    short = pool_of(lineage(40), 1)
    assert short.changed == ()
    *cycles, _ = lines("uncompacted", replace(SETTING, trigger=8_000, probes=10, every=1), short)
    assert cycles
    assert {row["recall"]["asked"] for row in cycles} == {0}
    assert {row["recall"]["closed"] for row in cycles} == {None}


@requirement("B-9")
def test_recall_of_everything_seen(pool: Pool) -> None:
    setting = replace(SETTING, trigger=60_000, window=120_000, probes=40, every=2, cycles=3)
    found = {arm: lines(arm, setting, pool) for arm in ("vademecum", "recency", "drop-results", "uncompacted")}
    for arm, (*cycles, _) in found.items():
        assert [row["cycle"] for row in cycles if row["recall"]] == [1, 2]
        assert all(row["recall"]["asked"] >= 36 for row in cycles[:2]), arm
        assert all((row["recall"]["search"] is None) == (arm == "uncompacted") for row in cycles[:2])
    recency, plain = found["recency"][1]["recall"], found["drop-results"][1]["recall"]
    assert recency["closed"] < 0.1 < plain["closed"]
    assert recency["search"] > 0.5
    assert found["vademecum"][1]["recall"]["search"] > 0.5
    assert found["uncompacted"][1]["recall"]["closed"] > 0.8
    stale = found["drop-results"][1]["stale"]
    assert stale["asked"] >= stale["right"] + stale["stale"] > 0


def forgets(job: Job) -> Kept:
    """An arm that keeps what it is told to, of the newest."""
    return Kept(job.messages[job.tail_from(int(job.options["tail"])) :])


@requirement("B-9")
@pytest.mark.parametrize(
    ("row", "state"),
    [
        (Row("little", forgets, {"tail": 6_000}), "working"),
        (Row("much", forgets, {"tail": 13_000}), "degrading"),
        (Row("all", forgets, {"tail": 1_000_000}), "stuck"),
        (replace(chosen(["decision"])[0], options={"ceiling": 100}), "fallback"),
    ],
)
def test_each_end_state_is_reached_with_recall(pool: Pool, row: Row, state: str) -> None:
    small = Setting(trigger=16_000, probes=12, every=2, cycles=4, seed=1)
    setting = replace(small, trigger=40_000, window=52_000) if state == "fallback" else small
    *cycles, end = lines(row, setting, pool)
    assert end["end_state"] == state
    assert all((cycle["recall"] is None) == (cycle["cycle"] not in (1, 2, 4)) for cycle in cycles)
    last = [cycle["recall"] for cycle in cycles if cycle["recall"]][-1]
    if last["asked"]:
        assert 0 <= last["closed"] <= last["search"] <= 1
        assert last["found"] >= 0.5


@requirement("B-9")
def test_recall_says_whether_what_was_not_answered_was_found(pool: Pool) -> None:
    setting = replace(SETTING, trigger=60_000, window=120_000, probes=40, every=1, cycles=3)
    *cycles, _ = lines("recency", setting, pool)
    recalls = [cycle["recall"] for cycle in cycles]
    first = recalls[0]
    assert {mode: first["again"][mode] for mode in ("asked", "closed", "search", "found", "full")} == {
        mode: first[mode] for mode in ("asked", "closed", "search", "found", "full")
    }
    assert {recall["again"]["asked"] for recall in recalls} == {first["asked"]}
    assert all(recall["search"] <= recall["found"] for recall in recalls)
    assert all(recall["full"] > 0.8 and recall["closed"] < 0.1 for recall in recalls)


@requirement("B-9")
def test_the_reader_of_everything_has_read_what_was_seen_and_no_more(pool: Pool) -> None:
    asked = pool.asked(1_500, 12)
    words = {word for one in asked for word in one.probe.words}
    part = pool.everything(1_500, asked)
    whole = Read(reading_of(pool.lineage.messages[:1_500]))
    assert part.total == whole.total
    assert set(part.words) == words & set(whole.words)
    assert all(len(part.words[word]) == len(whole.words[word]) for word in part.words)
    assert {shape: found.names for shape, found in part.shapes.items()} == {
        shape: found.names for shape, found in whole.shapes.items()
    }


@requirement("B-9")
def test_in_a_later_pass_each_name_is_right_and_the_newest_value(pool: Pool) -> None:
    messages = pool.size(1)
    assert messages == len(pool.lineage.messages)
    seen = messages + 900
    texts = [reading_of(taken) for taken in pool.taken(2)]
    (one, *_) = asked = pool.asked(seen, 60)
    assert len(asked) == 60
    assert len(one.golds) == 2
    assert all(any(gold in text for text in texts) for question in asked for gold in question.golds)
    assert {len(question.golds) for question in pool.again(asked, messages)} == {1}
    assert {len(question.golds) for question in pool.again(asked, 2 * messages)} == {3}
    before, after = ({one.id: one for one in pool.settings(at)} for at in (messages, pool.size(2)))
    changed = [id for id in before if after[id].gold != before[id].gold]
    assert len(changed) > 5
    for id in changed:
        assert after[id].gold in texts[1]
        assert {before[id].gold, *before[id].stale} <= {*after[id].stale}


@requirement("B-9")
def test_a_lineage_is_gone_through_until_so_many_compactions_were_made(pool: Pool) -> None:
    setting = Setting(trigger=60_000, window=120_000, target=6_000, probes=12, every=5, passes=9, cycles=15)
    *cycles, end = lines("recency", setting, pool)
    assert len(cycles) == 15
    assert end["messages"] > 2 * pool.size(1)
    recalls = [cycle["recall"] for cycle in cycles if cycle["recall"]]
    assert recalls[-1]["full"] == recalls[-2]["full"]
    assert recalls[-1]["search"] > 0.5
