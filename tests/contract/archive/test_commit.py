"""Compactions are committed whole or not at all, and only on what they were planned on."""

import json
from pathlib import Path

import pytest

from contract.archive.build import append, assistant, commit, compaction, filled, follow, raws, user
from requirement import requirement
from vademecum.archive import Archive, Piece, StoredCompaction


@requirement("A-1", "I10")
def test_a_projection_is_the_pieces_and_what_came_after(archive: Archive) -> None:
    session = filled(archive, *[user(f"m{number}") for number in range(8)])
    lines = raws(session)
    written = b'{"role":"user","content":"written"}'
    pieces = (Piece(0, 1), Piece(-1, -1, b'{"role":"user","content":"carry"}'), Piece(4, 5, written), Piece(5, 7))
    made = StoredCompaction(1, 4, 5, 8, 99, pieces, "told", '{"a":1}')
    assert session.commit(made, expected=0, created=5.0)
    append(session, assistant("after"))
    expected = [lines[0], pieces[1].data, written, *lines[5:7], raws(session)[8]]
    assert session.context() == expected
    standing = session.compaction()
    assert standing is not None
    assert (standing.pieces, standing.narrative, standing.receipt, standing.tokens) == (pieces, "told", '{"a":1}', 99)


@requirement("I10", "A-1")
def test_a_projection_is_the_same_in_a_reopened_archive(path: Path) -> None:
    with Archive.open(path) as archive:
        session = filled(archive, *[user(f"m{number} é\u2028") for number in range(9)])
        commit(session, compaction(session, covered=6, carry='{"role":"user","content":"日本 \u2028"}'.encode()))
        before = session.context()
    with Archive.open(path) as archive:
        assert archive.existing("s").context() == before


@requirement("A-2")
def test_commit_is_compare_and_swap(path: Path) -> None:
    with Archive.open(path) as one, Archive.open(path) as two:
        first = filled(one, user("a"), user("b"), user("c"))
        second = two.session("s")
        mine, theirs = compaction(first, 2), compaction(second, 3, carry=b'{"role":"user","content":"theirs"}')
        assert commit(first, mine)
        assert not commit(second, theirs)
        adopted = second.compaction()
        assert adopted == first.compaction()
        assert second.context() == first.context()
        assert commit(second, compaction(second, 3, cycle=2))
        assert not commit(first, compaction(first, 3, cycle=2)) or first.compaction() == second.compaction()


@requirement("A-2")
def test_views_do_not_know_each_other(archive: Archive) -> None:
    session = filled(archive, user("a"), user("b"), user("c"))
    assert session.commit(compaction(session, 2), expected=0, view="small")
    assert session.compaction() is None
    assert session.compaction("small") is not None
    assert len(session.context()) == 3
    assert len(session.context("small")) == 2


@requirement("A-2")
@pytest.mark.parametrize("table", ["compactions", "views"])
def test_a_half_written_compaction_does_not_exist(path: Path, table: str) -> None:
    with Archive.open(path) as archive:
        session = filled(archive, user("a"), user("b"))
        before = session.context()
        archive.connection.db.execute(
            f"CREATE TRIGGER stop BEFORE INSERT ON {table} BEGIN SELECT RAISE(ABORT, 'pulled the plug'); END"
        )
        with pytest.raises(Exception, match="pulled the plug"):
            commit(session, compaction(session, 2))
        archive.connection.db.execute("DROP TRIGGER stop")
        assert session.compaction() is None
        assert session.context() == before
        assert archive.connection.db.execute("SELECT count(*) FROM compactions").fetchone() == (0,)
        assert commit(session, compaction(session, 2))


@requirement("A-2")
@pytest.mark.parametrize("table", ["messages", "facts", "names", "blobs", "passages_data"])
def test_a_half_written_message_does_not_exist(path: Path, table: str) -> None:
    long = user("set PORT_NUMBER=5433 in src/app_config.py because of E0277. " + "words " * 2_000)
    with Archive.open(path) as archive:
        session = filled(archive, user("a"))
        if table == "passages_data":
            archive.connection.db.execute("DROP TABLE facts")
        else:
            archive.connection.db.execute(
                f"CREATE TRIGGER stop BEFORE INSERT ON {table} BEGIN SELECT RAISE(ABORT, 'no'); END"
            )
        with pytest.raises(Exception, match=r"no"):
            append(session, assistant("b"), long)
        assert len(session) == 1
    with Archive.open(path) as archive:
        db = archive.connection.db
        counts = [db.execute(f"SELECT count(*) FROM {each}").fetchone()[0] for each in ("messages", "blobs", "calls")]
        assert counts == [1, 0, 0]
        assert [hit.position for hit in archive.search("words")] == []


@requirement("A-1")
def test_cycles_are_listed_with_the_session(archive: Archive) -> None:
    session = filled(archive, user("a", ts="2026-01-01T00:00:00Z"), user("b", ts="2026-01-02T00:00:00Z"))
    commit(session, compaction(session, 1))
    commit(session, compaction(session, 2, cycle=2))
    (info,) = archive.sessions()
    assert (info.id, info.messages, info.cycles, info.tokens) == ("s", 2, 2, 20)
    assert info.last is not None
    assert info.started is not None
    assert info.last - info.started == 86_400


@requirement("A-1")
def test_a_carry_in_the_callers_transcript_is_kept_as_it_is(archive: Archive) -> None:
    carry = user('<vademecum:carry session="s" cycle="1">old words</vademecum:carry>')
    session = archive.session("s")
    follow(session, [carry, assistant("go on")])
    assert json.loads(session.context()[0]) == carry
