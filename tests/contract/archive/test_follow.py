"""Following a transcript: growth is appended, an edited past becomes a branch, nothing is ever taken away."""

import json

from contract.archive.build import (
    append,
    assistant,
    calling,
    commit,
    compaction,
    filled,
    follow,
    ids_of,
    result,
    user,
)
from requirement import requirement
from vademecum.archive import Archive

ROWS = [user("first"), assistant("one"), user("second"), assistant("two"), user("third")]


def texts(session) -> list[str]:
    return [json.loads(raw)["content"] for raw in session.context()]


@requirement("A-1")
def test_growth_is_appended(archive: Archive) -> None:
    session = archive.session("s")
    assert [follow(session, ROWS[:length]) for length in (2, 2, 3, 5, 5)] == [2, 0, 1, 2, 0]
    assert texts(session) == [row["content"] for row in ROWS]


@requirement("A-8")
def test_the_same_transcript_twice_adds_nothing(archive: Archive) -> None:
    session = archive.session("s")
    follow(session, ROWS)
    assert follow(session, ROWS) == 0
    assert follow(archive.session("s"), ROWS) == 0
    with archive.connection.reading() as db:
        assert db.execute("SELECT count(*) FROM messages").fetchone() == (len(ROWS),)


@requirement("A-1")
def test_marks_that_move_are_the_same_message(archive: Archive) -> None:
    session = archive.session("s")
    marked = {"type": "text", "text": "first", "cache_control": {"type": "ephemeral"}}
    follow(session, [user([marked]), *ROWS[1:3]])
    assert follow(session, ROWS) == 2


@requirement("A-1")
def test_an_edited_past_branches_and_the_old_one_stays(archive: Archive) -> None:
    session = archive.session("s")
    follow(session, ROWS)
    old = ids_of(session)
    edited = [*ROWS[:3], assistant("another answer"), user("another third")]
    assert follow(session, edited) == 2
    assert texts(session) == [row["content"] for row in edited]
    assert ids_of(session)[:3] == old[:3]
    assert not set(old[3:]) & set(ids_of(session))
    assert [archive.restore(id).data.decode() for id in old] == [row["content"] for row in ROWS]


@requirement("A-1")
def test_the_session_goes_on_in_its_branch(archive: Archive) -> None:
    session = archive.session("s")
    follow(session, ROWS)
    edited = [*ROWS[:1], assistant("another answer")]
    follow(session, edited)
    again = archive.session("s")
    assert follow(again, [*edited, user("more")]) == 1
    assert texts(again) == ["first", "another answer", "more"]


@requirement("A-1")
def test_branches_of_branches(archive: Archive) -> None:
    session = archive.session("s")
    rows = list(ROWS)
    for number in range(6):
        follow(session, rows)
        assert texts(session) == [row["content"] for row in rows]
        rows = [*rows[: len(rows) - 1 - number % 3], user(f"edit {number}"), assistant(f"answer {number}")]
    follow(session, rows)
    assert texts(session) == [row["content"] for row in rows]


@requirement("A-1")
def test_a_shortened_transcript_stands_on_nothing_that_it_does_not_have(archive: Archive) -> None:
    session = archive.session("s")
    follow(session, ROWS)
    assert commit(session, compaction(session, covered=4))
    follow(session, ROWS[:3])
    assert session.compaction() is None
    assert texts(session) == ["first", "one", "second"]


@requirement("A-1", "A-2")
def test_a_compaction_of_a_shortened_transcript_is_found_again(archive: Archive) -> None:
    session = archive.session("s")
    follow(session, ROWS)
    follow(session, ROWS[:3])
    assert commit(session, compaction(session, covered=3))
    assert texts(session) == ["carry"]
    assert texts(archive.session("s")) == ["carry"]
    assert commit(session, compaction(session, covered=3, cycle=2, carry=b'{"role":"user","content":"later"}'))
    assert texts(session) == ["later"]


@requirement("A-1")
def test_a_branch_after_the_covered_part_keeps_the_compaction(archive: Archive) -> None:
    session = archive.session("s")
    follow(session, ROWS)
    commit(session, compaction(session, covered=2))
    follow(session, [*ROWS[:3], assistant("another answer")])
    assert texts(session) == ["carry", "second", "another answer"]


@requirement("A-1")
def test_a_branch_within_the_covered_part_goes_back_to_the_compaction_before(archive: Archive) -> None:
    session = archive.session("s")
    follow(session, ROWS)
    commit(session, compaction(session, covered=2))
    commit(session, compaction(session, covered=4, cycle=2, carry=b'{"role":"user","content":"second carry"}'))
    follow(session, [*ROWS[:3], assistant("another answer"), user("fourth")])
    assert texts(session) == ["carry", "second", "another answer", "fourth"]


@requirement("A-7")
def test_what_was_edited_away_is_still_restored_within_its_session(archive: Archive) -> None:
    session = archive.session("s")
    follow(session, ROWS)
    gone = ids_of(session)[3]
    follow(session, [*ROWS[:3], assistant("another answer")])
    assert session.restore(gone).data == b"two"


@requirement("A-6")
def test_around_what_was_edited_away_is_what_stood_around_it(archive: Archive) -> None:
    session = archive.session("s")
    follow(session, ROWS)
    gone = ids_of(session)[3]
    follow(session, [*ROWS[:3], assistant("another answer")])
    assert [json.loads(message.raw)["content"] for message in session.around(gone, 1)] == ["second", "two", "third"]


@requirement("A-7")
def test_a_result_edited_by_the_caller_still_knows_its_call(archive: Archive) -> None:
    session = archive.session("s")
    rows = [user("go"), calling("c1", "bash", {"command": "make"}), result("c1", "long output"), assistant("done")]
    follow(session, rows)
    follow(session, [*rows[:2], result("c1", "[cleared by the client]"), assistant("done")])
    found = archive.restore(ids_of(session)[2])
    assert (found.tool, found.data) == ("bash", b"[cleared by the client]")
    assert json.loads(found.arguments) == {"command": "make"}


@requirement("A-6")
def test_search_sees_the_branch_that_the_session_is_in(archive: Archive) -> None:
    session = filled(archive, user("the old plan was zebra"), assistant("fine"))
    follow(session, [user("the new plan is giraffe")])
    append(session, assistant("also fine"))
    assert session.search("zebra") == []
    assert [hit.text for hit in session.search("giraffe")] == ["the new plan is giraffe"]
    (left,) = archive.search("zebra")
    assert not left.in_context
    (shown,) = archive.search("giraffe")
    assert shown.in_context
