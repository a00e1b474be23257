from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from requirement import requirement
from unit.bench.talk import lineage, rows
from vademecum.bench.lineage import build, load, manifest_of, save, verify
from vademecum.errors import ConfigError


def log(path: Path, made: list[dict[str, object]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in made), "utf-8")
    return path


@requirement("B-0", "B-1")
def test_a_prefix_ends_with_a_complete_round() -> None:
    whole = lineage(40)
    for tokens in (1_000, 3_333, 7_777):
        part = whole.prefix(tokens)
        assert part.chars <= tokens * 4
        assert part.messages[-1].results()
        assert len(part.messages) < len(whole.messages)
    assert whole.prefix(10**9) is whole


def test_a_prefix_that_has_no_room_for_a_round_is_refused() -> None:
    with pytest.raises(ConfigError, match="first round"):
        lineage(3).prefix(100)


@requirement("B-1")
def test_a_rotated_copy_is_not_taken_twice(tmp_path: Path) -> None:
    made = rows(6)
    first, second = log(tmp_path / "a.jsonl", made[:10]), log(tmp_path / "b.jsonl", made)
    found = build([first, second], name="x")
    assert len(found.messages) == len(made)
    assert (found.copies, found.dropped) == (10, 0)
    assert build([second, second], name="x").copies == len(made)
    held = load(save(found, tmp_path / "made"))
    assert (held.sources, held.copies) == (("a.jsonl", "b.jsonl"), 10), "its manifest tells what it is made of"
    assert held.prefix(1_000).sources == held.sources
    manifest_of(tmp_path / "made" / "x.jsonl.gz").write_text('{"schema": "of something else"}')
    assert load(tmp_path / "made" / "x.jsonl.gz").sources == ("x.jsonl.gz",)


@requirement("B-1")
def test_rows_of_earlier_compactions_are_left_out(tmp_path: Path) -> None:
    made = rows(2)
    made.insert(3, {"role": "user", "content": "summary", "meta": {"compact_summary": True}})
    found = load(log(tmp_path / "a.jsonl", made))
    assert found.dropped == 1
    assert len(found.messages) == len(made) - 1


@requirement("B-1", "B-11")
def test_a_lineage_is_written_with_a_manifest_that_proves_it(tmp_path: Path) -> None:
    path = save(lineage(4), tmp_path / "one")
    again = save(lineage(4), tmp_path / "two")
    assert path.read_bytes() == again.read_bytes()
    assert verify(path) == []
    changed = gzip.decompress(path.read_bytes()).replace(b"run-000b8", b"run-000b9", 1)
    path.write_bytes(gzip.compress(changed))
    assert [line.split(":")[0] for line in verify(path)] == ["sha256"]
    assert json.loads(manifest_of(path).read_text())["messages"] == 13
