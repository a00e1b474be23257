"""Removing sessions for good: nothing of them is left, and what others share stays."""

import json
import random
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from string import ascii_letters

import pytest

from contract.archive.build import (
    append,
    calling,
    commit,
    compaction,
    filled,
    follow,
    ids_of,
    loaded,
    raws,
    result,
    user,
)
from requirement import requirement
from vademecum.archive import Archive, Session
from vademecum.errors import PartNotFound, SessionNotFound

LARGE = "A line of a long log, 0123456789.\n" * 400
SECRET = "xylophonequartz"


def trace(path: Path) -> int:
    """How often a secret stands in the file and in what SQLite keeps beside it; the index has it in lower case."""
    files = [path, path.with_name(path.name + "-wal"), path.with_name(path.name + "-journal")]
    return sum(file.read_bytes().lower().count(SECRET.encode()) for file in files if file.exists())


def words(archive: Archive) -> set[str]:
    """The words of the index, also those of segments that are not merged yet."""
    db = archive.connection.db
    db.execute("CREATE VIRTUAL TABLE IF NOT EXISTS temp.words USING fts5vocab(main, passages, row)")
    return {word for (word,) in db.execute("SELECT term FROM temp.words")}


@requirement("A-9")
@pytest.mark.parametrize("others", [0, 3, 40])
def test_nothing_of_a_removed_session_is_left_in_the_file(path: Path, others: int) -> None:
    with Archive.open(path) as archive:
        for number in range(others):
            filled(archive, user(f"before {number} " + "words " * number), id=f"before{number}")
        session = filled(archive, *[user(f"{SECRET} {number} {SECRET}_{number}.py") for number in range(300)])
        append(session, user(f'{SECRET} "' + LARGE), calling("c", "Bash", {"command": f"echo {SECRET}"}))
        append(session, result("c", f"{SECRET}: done"))
        session.revise(0, session.messages(1, 2), [10])
        session.remember_state("note", {"text": SECRET})
        assert commit(session, compaction(session, 4, carry=f'{{"role":"user","content":"{SECRET}"}}'.encode()))
        for number in range(others):
            filled(archive, user(f"after {number} " + "words " * number), id=f"after{number}")
        assert SECRET in words(archive)
        done = archive.remove("s")
        assert (done.messages, done.log_emptied) == (303, True)
        assert SECRET not in words(archive)
        assert archive.verify() == []
        assert trace(path) == 0
        assert archive.search(SECRET) == []
        assert len(archive.sessions()) == 2 * others
    assert trace(path) == 0


@requirement("A-9")
def test_what_another_session_goes_on_from_stays(archive: Archive) -> None:
    session = filled(archive, *[user(f"m{number} {LARGE if number == 1 else ''}") for number in range(10)])
    assert commit(session, compaction(session, 2))
    assert commit(session, compaction(session, 6, cycle=2))
    child = archive.existing(archive.fork(session.run, 4, "child"))
    append(child, user("its own"))
    expected, context, ids = raws(child), child.context(), ids_of(child)
    assert archive.remove("s").messages == 6
    assert raws(child) == expected
    assert child.context() == context
    assert [archive.find(id).node for id in ids] == child.nodes()
    assert {hit.session for hit in archive.search("m1 m2 line log")} == {"child"}
    assert archive.verify() == []
    assert [info.id for info in archive.sessions()] == ["child"]
    assert archive.remove("child").messages == 5
    assert archive.verify() == []
    assert archive.status().counts["messages"] == archive.status().counts["blobs"] == 0


@requirement("A-9")
def test_branches_go_with_their_session_and_strings_that_are_shared_stay(archive: Archive) -> None:
    session = filled(archive, user(LARGE), user("b"))
    follow(session, [user(LARGE), user("c"), user("d")])
    other = filled(archive, user("x"), user(LARGE), id="other")
    before = raws(other)
    archive.remove("s")
    assert raws(other) == before
    assert archive.verify() == []
    archive.remove("other")
    assert archive.status().counts["blobs"] == 0


@requirement("A-9")
def test_names_of_removed_sessions_do_not_count_any_more(archive: Archive) -> None:
    session = filled(archive, *[user(f"see src/shared.py and src/only_{number}.py") for number in range(6)])
    child = archive.existing(archive.fork(session.run, 3, "child"))
    archive.remove("s")
    (count,) = archive.connection.db.execute(
        "SELECT messages FROM names WHERE run = ? AND name = 'src/shared.py'", (child.ranges[0].run,)
    ).fetchone()
    assert count == 3
    left = {name for (name,) in archive.connection.db.execute("SELECT name FROM names")}
    assert {"src/only_2.py"} <= left
    assert not {"src/only_3.py", "src/only_5.py"} & left


@requirement("A-9")
def test_a_session_that_is_not_there(archive: Archive) -> None:
    filled(archive, user("a"))
    with pytest.raises(SessionNotFound):
        archive.remove("s", "none")
    assert [info.id for info in archive.sessions()] == ["s"]


@requirement("A-9", "A-3")
def test_a_process_that_has_the_session_open_is_told(path: Path) -> None:
    with Archive.open(path) as archive, Archive.open(path) as other:
        filled(archive, user("a"))
        held: Session = other.existing("s")
        gone = ids_of(held)
        archive.remove("s")
        new = filled(archive, user("b"), id="new")
        with pytest.raises(SessionNotFound):
            append(held, user("c"))
        with pytest.raises(SessionNotFound):
            held.refresh()
        with pytest.raises(PartNotFound):
            other.restore(gone[0])
        assert raws(new) == raws(archive.existing("new"))
        assert len(new) == 1


def aged(archive: Archive, id: str, last: float) -> None:
    filled(archive, user(id), id=id)
    archive.connection.db.execute("UPDATE sessions SET last = ? WHERE session = ?", (last, id))


@requirement("A-9")
def test_sessions_by_age(archive: Archive) -> None:
    for id, last in (("old", 100), ("older", 50), ("young", 1_000), ("begun", 60)):
        aged(archive, id, last)
    archive.connection.db.execute("UPDATE sessions SET parent = 'begun' WHERE session = 'young'")
    assert archive.outdated(500) == ["older", "old"]
    assert archive.outdated(20) == []


@requirement("A-9")
def test_eviction_leaves_ends_and_takes_the_oldest_outside_contexts(archive: Archive) -> None:
    def noise(seed: int) -> str:
        return "".join(random.Random(seed).choices(ascii_letters, k=60_000))  # not a secret

    session = archive.session("s", format="openai-chat")
    rows = [user(f"start{number} {noise(number)} end{number}") for number in range(9)]
    messages = [replace(message, ts=100.0 + at) for at, message in enumerate(loaded(rows))]
    session.append(messages, [10] * len(messages))
    assert commit(session, compaction(session, 7))
    whole = [archive.restore(id).data for id in ids_of(session)]
    count, freed = archive.evict(archive.in_use() - 90_000)
    assert 2 <= count < 7
    assert freed >= 90_000
    after = [archive.restore(id).data for id in ids_of(session)]
    assert [new == old for new, old in zip(after, whole, strict=True)] == [False] * count + [True] * (9 - count)
    assert after[0].startswith(b"start0 ")
    assert after[0].endswith(b" end0")
    assert b"characters evicted on " in after[0]
    assert archive.verify() == []
    assert archive.evict(1)[0] == 7 - count  # what stands in the context stays, whatever the cap
    assert session.context()[1:] == raws(session)[7:]
    append(session, user(f"start0 {noise(0)} end0"))  # it comes back whole where it is appended again
    assert archive.restore(ids_of(session)[0]).data == whole[0]
    assert archive.verify() == []


@requirement("A-3", "A-9")
def test_others_go_on_writing_while_sessions_are_removed(path: Path) -> None:
    with Archive.open(path) as archive:
        for number in range(6):
            filled(archive, *[user(f"{number} {at} {SECRET}") for at in range(300)], id=f"old{number}")
        command = [sys.executable, Path(__file__).with_name("writer.py"), path, "new", "writer", "400"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as writer:
            for number in range(6):
                archive.remove(f"old{number}")
            out, errors = writer.communicate()
        assert (writer.returncode, errors) == (0, "")
        assert [json.loads(raw)["content"] for raw in raws(archive.existing("new"))] == out.splitlines()
        archive.vacuum()
        assert archive.verify() == []
        assert trace(path) == 0


@requirement("A-9")
def test_what_was_evicted_is_searched_and_removed_as_it_is_now(archive: Archive) -> None:
    def noise(seed: int) -> str:
        return "".join(random.Random(seed).choices(ascii_letters + " ", k=60_000))

    session = archive.session("s", format="openai-chat")
    append(
        session, *[user(f"start{number} {noise(number)} middle{number} {noise(number)} end") for number in range(3)]
    )
    assert commit(session, compaction(session, 3))
    assert archive.search("middle1")
    assert archive.evict(1)[0] == 3
    assert not archive.search("middle1")
    assert archive.search("start1")
    assert archive.verify() == []
    (first, *_) = ids_of(session)
    archive.purge(first)
    again = archive.session("again", format="openai-chat")
    append(again, user(f"start1 {noise(1)} middle1 {noise(1)} end"))
    assert archive.search("middle1", session="s")  # it is whole again in both
    assert archive.search("middle1", session="again")
    assert archive.verify() == []
    archive.remove("s")
    assert archive.verify() == []
    assert not archive.search("start2")
    archive.remove("again")
    assert archive.verify() == []
    assert archive.connection.db.execute("SELECT count(*) FROM passages_docsize").fetchone() == (0,)
