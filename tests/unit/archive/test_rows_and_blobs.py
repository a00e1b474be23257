"""Row ids and packing: small pure functions that everything stands on."""

import hashlib
import json
import zlib

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from requirement import requirement
from vademecum.archive.sqlite.blobs import LARGE, join, pack, split, unpack, value_of
from vademecum.archive.sqlite.lineage import clipped, within
from vademecum.archive.sqlite.rows import (
    MOST_NUMBERS,
    MOST_POSITIONS,
    Range,
    message_of,
    message_row,
    number_of,
    numbered_row,
    position_of,
    run_of,
    short_int,
    short_text,
    short_value,
)
from vademecum.core.identity import parse_part_id, short
from vademecum.errors import ArchiveCorrupt

positions, numbers = st.integers(0, MOST_POSITIONS), st.integers(0, MOST_NUMBERS)


@requirement("A-1")
@given(run=st.integers(1, (1 << 23) - 1), position=positions, number=numbers)
def test_row_ids_come_apart_again(run: int, position: int, number: int) -> None:
    message = message_row(run, position)
    row = numbered_row(message, number)
    assert (run_of(message), position_of(message)) == (run, position)
    assert (message_of(row), number_of(row)) == (message, number)
    assert row < 1 << 63  # SQLite's integers


@requirement("A-1")
@given(node=st.binary(min_size=32, max_size=32))
@example(node=b"\0" * 32)
@example(node=b"\xff" * 32)
def test_short_ids_are_the_same_everywhere(node: bytes) -> None:
    assert short_text(short_int(node)) == short(node)
    assert short_value(short(node)) == short_int(node)
    assert parse_part_id(short(node)) == (short(node), None)


@given(start=positions, length=st.integers(1, 50), position=positions)
def test_a_range_has_the_rows_of_its_positions(start: int, length: int, position: int) -> None:
    held = Range(7, start, min(start + length, MOST_POSITIONS))
    row = message_row(7, position)
    assert within(row, [held]) == (held.start <= position < held.stop)
    first, last = held.numbered
    inside = first <= numbered_row(row, MOST_NUMBERS) <= last and first <= numbered_row(row, 0) <= last
    assert inside == (held.start <= position < held.stop)


def test_ranges_are_clipped() -> None:
    lineage = [Range(1, 0, 5), Range(2, 5, 9)]
    assert clipped(lineage, 3, 7) == (Range(1, 3, 5), Range(2, 5, 7))
    assert clipped(lineage, 5, 5) == ()
    assert clipped(lineage, 9, 20) == ()


SPELLINGS = st.recursive(
    st.one_of(st.text(), st.text(min_size=1).map(lambda text: text * 5_000), st.integers(), st.none()),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(), inner, max_size=3)),
    max_leaves=6,
)


@requirement("A-1", "I10")
@given(value=SPELLINGS, escaped=st.booleans(), indent=st.sampled_from([None, 1]))
def test_split_and_join_are_exact(value: object, escaped: bool, indent: int | None) -> None:
    raw = json.dumps(value, ensure_ascii=escaped, indent=indent).encode("utf-8", "surrogatepass")
    skeleton, large = split(raw)
    held = dict(large)
    assert join(skeleton, held.__getitem__) == raw
    for digest, literal in large:
        assert hashlib.sha256(literal).digest() == digest
        assert len(literal) >= LARGE


@requirement("A-1")
@pytest.mark.parametrize(
    "raw",
    [b"", b"{}", b"\0", b"\0" * 10_000, b'"' + b"x" * 9_000, b'"' + b"\\" * 9_000, b'"\\"' * 3_000, b"\xff" * 9_000],
)
def test_what_is_no_json_stays_whole(raw: bytes) -> None:
    skeleton, large = split(raw)
    assert join(skeleton, dict(large).__getitem__) == raw


@requirement("A-1")
def test_equal_strings_have_one_hash() -> None:
    text = "x" * LARGE
    _, large = split(json.dumps([text, {"a": text}, "small"]).encode())
    assert len(large) == 2
    assert large[0] == large[1]


@given(data=st.binary(max_size=2_000))
def test_packing(data: bytes) -> None:
    how, packed = pack(data)
    assert unpack(how, packed) == data
    assert len(packed) <= len(data)


def test_packing_compresses_where_it_pays() -> None:
    assert pack(b"abc" * 10)[0] == 0
    how, packed = pack(b"abc" * 1_000)
    assert (how, zlib.decompress(packed)) == (1, b"abc" * 1_000)


@requirement("A-2")
@pytest.mark.parametrize("data", [b"", b"no zlib at all", b"x\x9c\xff\xff"])
def test_what_cannot_be_unpacked_is_damaged(data: bytes) -> None:
    with pytest.raises(ArchiveCorrupt, match="a row of the archive is damaged"):
        unpack(1, data)
    with pytest.raises(ArchiveCorrupt, match="a row of the archive is damaged"):
        value_of(data)
