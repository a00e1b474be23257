"""Everything that left can be had back, and what was made once is made again."""

import json
from pathlib import Path

import pytest
from hypothesis import given

from properties.walking import FEW, FORMATS, Walk, applied, part_ids, same, walked, walks
from requirement import requirement
from vademecum import Archive
from vademecum.testing import sample
from vademecum.wire.values import at


@requirement("I5", "C-24")
@FEW
@given(walks(sound=False))
def test_every_part_can_be_restored_exactly(walk: Walk) -> None:
    *_, step = walked(walk)
    for id, (message, number) in part_ids(step.messages).items():
        part = step.messages[message].parts[number]
        data = step.session.restore(id).data
        if part.plain:
            assert data == part.text.encode("utf-8", "surrogatepass")
        else:
            assert json.loads(data) == at(walk.rows[message], part.place)


@requirement("I5", "C-36")
@FEW
@given(walks(sound=False))
def test_the_receipts_name_everything_that_left(walk: Walk) -> None:
    named: set[str] = set()
    for step in walked(walk):
        named |= set(step.done.receipt.removed)
        ids = part_ids(step.messages)
        assert set(step.done.receipt.removed) <= ids.keys()
        if applied(step) and step.done.plan is not None:
            plan = step.done.plan
            head = sum(1 for _ in _leading(walk))
            left = {id for id, (message, _) in ids.items() if head <= message < plan.first + plan.fold}
            assert left <= named


def _leading(walk: Walk):
    for row in walk.rows:
        if row["role"] != "system":
            return
        yield row


@requirement("I10", "C-35")
@FEW
@given(walks(sound=False))
def test_the_archive_gives_the_context_that_was_sent(walk: Walk) -> None:
    for step in walked(walk):
        again = step.session.archive.session("walk")
        assert same(step, map(json.loads, again.context())) == same(step, step.done.messages)


@requirement("I10")
@FEW
@given(walks(sound=False))
def test_the_same_walk_gives_the_same_bytes(walk: Walk) -> None:
    first = [(step.done.messages, step.done.receipt.removed, step.session.context()) for step in walked(walk)]
    second = [(step.done.messages, step.done.receipt.removed, step.session.context()) for step in walked(walk)]
    assert first == second


@requirement("I10", "C-6")
@FEW
@given(walks(sound=True))
def test_asking_again_changes_nothing(walk: Walk) -> None:
    archive = Archive.memory()
    last = list(walked(walk, archive))[-1]
    if last.done.receipt.outcome in ("compacted", "crowded"):
        again = list(walked(Walk(walk.format, walk.rows, walk.stops[-1:], walk.window), archive))[-1]
        assert again.done.receipt.outcome == "nothing_needed"
        assert list(again.done.messages) == list(last.done.messages)
        assert again.session.context() == last.session.context()


@requirement("I10")
@pytest.mark.parametrize("format", FORMATS)
def test_a_file_gives_the_same_context_after_it_was_closed(format: str, tmp_path: Path) -> None:
    path = tmp_path / "sessions.db"
    rows = sample(format, turns=14)
    with Archive.open(path) as archive:
        *_, last = walked(Walk(format, rows, (40, 80, len(rows)), 8_000), archive)
        before = last.session.context()
        assert last.done.receipt.cycle >= 2
    with Archive.open(path) as archive:
        again = archive.session("walk")
        assert again.context() == before
        *_, more = walked(Walk(format, rows, (len(rows),), 8_000), archive)
        assert more.done.receipt.outcome == "nothing_needed"
        assert list(more.done.messages) == list(last.done.messages)
