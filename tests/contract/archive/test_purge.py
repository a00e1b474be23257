"""Purging single parts: the words are gone, the transcript and its contexts keep their form."""

import json
from pathlib import Path

import pytest

from contract.archive.build import append, assistant, calling, commit, compaction, filled, ids_of, raws, result, user
from contract.archive.test_removal import SECRET, trace, words
from requirement import requirement
from vademecum import Compactor
from vademecum.archive import Archive, Session
from vademecum.errors import PartNotFound
from vademecum.testing import sample

LARGE = "A line of a long log, 0123456789.\n" * 400


def fill(archive: Archive, id: str = "s") -> Session:
    return filled(
        archive,
        user("look at src/app.py:42"),
        calling("c1", "Bash", {"command": f"deploy --key {SECRET}-77 --to host"}),
        result("c1", f"{LARGE}token {SECRET}-77 was accepted by the server today"),
        assistant("It went well, the port is 5433."),
        id=id,
    )


@requirement("A-9")
def test_a_purged_part_is_gone_and_says_so(path: Path) -> None:
    with Archive.open(path) as archive:
        session = fill(archive)
        ids, nodes = ids_of(session), session.nodes()
        archive.purge(ids[1], vacuum=False)
        done = archive.purge(ids[2])
        assert (done.messages, done.parts, done.quoted_by, done.log_emptied) == (1, 1, (), True)
        assert trace(path) == 0
        assert SECRET not in words(archive)
        assert archive.search(f"{SECRET}-77") == []
        assert archive.search("log line 0123456789") == []
        assert archive.restore(ids[2]).data.startswith(b"[vademecum: purged on 20")
        assert archive.restore(ids[2]).tool == "Bash"
        assert "purged" in archive.restore(ids[1]).data.decode()
        assert session.nodes() == nodes
        assert json.loads(raws(session)[1])["tool_calls"][0]["id"] == "c1"
        assert json.loads(json.loads(raws(session)[1])["tool_calls"][0]["function"]["arguments"])
        assert archive.search("port 5433")
        assert archive.status().counts["blobs"] == 0
        assert archive.verify() == []


@requirement("A-9")
def test_a_purge_takes_all_copies_or_those_of_one_session(archive: Archive) -> None:
    one, two = fill(archive), fill(archive, "two")
    id = ids_of(one)[2]
    assert archive.purge(id, session="s").messages == 1
    assert SECRET.encode() in two.stored(2, 3)[0].raw
    assert archive.status().counts["blobs"] == 1
    assert archive.purge(id).messages == 2
    assert SECRET.encode() not in two.stored(2, 3)[0].raw
    assert archive.verify() == []


@requirement("A-9")
def test_one_part_of_several(archive: Archive) -> None:
    parts = [{"type": "text", "text": f"the first has {SECRET}"}, {"type": "text", "text": "the second stays"}]
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}}
    session = filled(archive, user([*parts, image]), format="anthropic")
    (id,) = ids_of(session)
    archive.purge(f"{id}.1")
    archive.purge(f"{id}.3")
    texts = [part.text for part in session.messages()[0].parts]
    assert texts[1] == "the second stays"
    assert all("purged on" in texts[at] for at in (0, 2))
    assert archive.restore(f"{id}.2").data == b"the second stays"
    assert archive.verify() == []
    with pytest.raises(PartNotFound):
        archive.purge(f"{id}.4")


@requirement("A-9")
def test_what_compactions_quote_goes_too_and_they_still_project(archive: Archive) -> None:
    session = fill(archive)
    quoted = {"role": "user", "content": f"carry: token {SECRET}-77 was accepted by the server; the port is 5433"}
    assert commit(session, compaction(session, 3, carry=json.dumps(quoted).encode()))
    assert SECRET.encode() in session.context()[0]
    done = archive.purge(ids_of(session)[2])
    assert done.compactions == 1
    (carry, last) = session.context()  # also where it was read before
    assert SECRET.encode() not in carry
    assert b"[purged]" in carry
    assert b"; the port is 5433" in carry
    assert last == raws(session)[3]
    assert archive.verify() == []


@requirement("A-9")
def test_who_still_says_the_same_is_told(archive: Archive) -> None:
    session = fill(archive)
    append(session, assistant(f"I have used the key {SECRET}-77 for it."))
    ids = ids_of(session)
    assert set(archive.purge(ids[2]).quoted_by) == {ids[1], ids[4]}
    assert archive.purge(ids[1]).quoted_by == (ids[4],)
    assert archive.purge(ids[4]).quoted_by == ()


@requirement("A-9")
def test_versions_that_edits_made_go_too(path: Path) -> None:
    with Archive.open(path) as archive:
        session = filled(archive, user(f"the key is {SECRET}"), user("b"))
        edited = filled(archive, user(f"the key was {SECRET}"), id="other")
        session.revise(0, edited.messages(), [10])
        archive.remove("other")
        archive.purge(ids_of(session)[0])
        assert trace(path) == 0
        assert [b"purged on" in raw for raw in session.context()] == [True, False]
        assert archive.verify() == []


@requirement("A-9")
@pytest.mark.parametrize("format", ["openai-chat", "anthropic"])
def test_every_part_of_every_format_can_be_purged(archive: Archive, format: str) -> None:
    rows = sample(format, turns=3)
    session = filled(archive, *rows, format=format)
    nodes = session.nodes()
    before = [[part.kind for part in message.parts] for message in session.messages()]
    for id in ids_of(session):
        archive.purge(id, vacuum=False)
    after = session.messages()
    assert [len(message.parts) for message in after] == [len(kinds) for kinds in before]
    assert all("purged on" in part.text for message in after for part in message.parts)
    assert [call.call_id for message in after for call in message.calls()] == [
        call.call_id for message in session.messages() for call in message.calls()
    ]
    assert session.nodes() == nodes
    left = archive.connection.db.execute("SELECT kind, text FROM facts").fetchall()
    assert {text.strip() for _, text in left} <= {"", "edit_file:", "read_file:", "run_command:"}
    assert archive.verify() == []


@requirement("A-9")
def test_a_transcript_is_recognised_after_a_purge(archive: Archive) -> None:
    rows = [user(f"message {number} with some words in it") for number in range(8)]
    compactor = Compactor(window=32_000, session=archive.session("s", format="openai-chat"))
    compactor.fit(rows)
    session = archive.existing("s")
    archive.purge(ids_of(session)[3], vacuum=False)
    again = Compactor(window=32_000, session=archive.existing("s"))
    assert again.fit([*rows, user("one more")]).messages[-1] == user("one more")
    assert len(archive.existing("s")) == 9
    assert archive.existing("s").ranges == session.ranges[:-1] + archive.existing("s").ranges[-1:]
    assert archive.verify() == []


@requirement("A-9")
def test_purging_again_changes_nothing(archive: Archive) -> None:
    session = filled(archive, user(f"{SECRET} one"), assistant("two words"))
    edited = filled(archive, user(f"{SECRET} edited"), id="other")
    session.revise(0, edited.messages(), [10])
    (id, other) = ids_of(session)
    assert archive.purge(id).parts == 1
    before = [archive.restore(id).data, session.context()]
    assert archive.purge(id).parts == 0
    assert [archive.restore(id).data, session.context()] == before
    archive.purge(other)
    assert archive.restore(id).data == before[0]
    assert archive.verify() == []


@requirement("A-9", "C-36")
@pytest.mark.parametrize("edited", [False, True])
def test_what_was_purged_does_not_come_back_when_it_is_sent_again(archive: Archive, edited: bool) -> None:
    rows = [user(f"message {number} has word{number}x and " + "more to say " * 60) for number in range(60)]
    done = Compactor(window=16_000, session=archive.session("s", format="openai-chat")).fit(rows, forced=True)
    assert done.receipt.cycle == 1
    session = archive.existing("s")
    before, run = session.context(), session.run
    for id in ids_of(session)[5:45]:
        archive.purge(id, vacuum=False)
    sent = [user("put in later"), *rows[1:]] if edited else rows
    again = Compactor(window=16_000, session=archive.existing("s")).fit(sent)
    assert (again.receipt.outcome, again.receipt.cycle) == ("nothing_needed", 1)
    held = archive.existing("s")
    assert (held.run, len(held), len(held.context())) == (run, 60, len(before))
    assert not archive.search("word10x")
    assert [row for (row,) in archive.connection.db.execute("SELECT message FROM revisions")] == [1 << 24] * edited
    assert archive.verify() == []


@requirement("A-9")
def test_an_edit_of_what_was_purged_does_not_bring_it_back(path: Path) -> None:
    """The caller changes a message that was purged here: its place stays empty, and the transcript is recognised."""
    rows = [user(f"message {number} with some words in it") for number in range(8)]
    rows[3] = user(f"the key of the server is {SECRET}-77")
    with Archive.open(path) as archive:
        Compactor(window=32_000, session=archive.session("s", format="openai-chat")).fit(rows)
        session = archive.existing("s")
        archive.purge(ids_of(session)[3])
        run, nodes = session.run, session.nodes()
        edited = [*rows[:3], user(f"the key of the server was {SECRET}-77, I think"), *rows[4:]]
        for sent in (edited, [*edited, assistant("so it is")], [*rows, assistant("so it is")]):
            done = Compactor(window=32_000, session=archive.existing("s")).fit(sent)
            assert list(done.messages) == sent
            held = archive.existing("s")
            assert (held.run, held.nodes()[:8]) == (run, nodes)
            assert archive.search(f"{SECRET}-77") == []
            assert b"purged on" in held.context()[3]
        archive.vacuum()
        assert trace(path) == 0
        assert archive.verify() == []


@requirement("A-9")
@pytest.mark.parametrize("way", ["another session", "said again", "put in", "branch"])
def test_the_same_text_in_another_place_does_not_come_back_either(path: Path, way: str) -> None:
    rows = [user(f"message {number} with some words in it") for number in range(8)]
    rows[3] = user(f"the key of the server is {SECRET}-77")
    with Archive.open(path) as archive:
        Compactor(window=32_000, session=archive.session("s", format="openai-chat")).fit(rows)
        archive.purge(ids_of(archive.existing("s"))[3])
        again = {
            "another session": [user("something else"), *rows],
            "said again": [*rows, assistant("which one?"), rows[3], assistant("thanks")],
            "put in": [*rows[:5], rows[3], *rows[5:]],
            "branch": [*rows[:2], user("quite another talk now"), rows[3], assistant("indeed")],
        }[way]
        name = "t" if way == "another session" else "s"
        compactor = Compactor(window=32_000, session=archive.session(name, format="openai-chat"))
        for sent in (again, [*again, user("one more")]):
            assert list(compactor.fit(sent).messages) == sent
        assert archive.search(f"{SECRET}-77") == []
        archive.vacuum()
        assert trace(path) == 0
        assert archive.search("message words")
        assert archive.verify() == []
        runs = archive.connection.db.execute("SELECT count(*) FROM runs").fetchone()[0]
        Compactor(window=32_000, session=archive.session(name)).fit([*again, user("one more"), assistant("fine")])
        assert archive.connection.db.execute("SELECT count(*) FROM runs").fetchone()[0] == runs, "it is recognised"


@requirement("A-9")
def test_what_anybody_could_say_is_purged_in_its_place_alone(archive: Archive) -> None:
    session = filled(archive, user("yes, go on"), assistant("done"))
    archive.purge(ids_of(session)[0])
    append(session, user("yes, go on"), assistant("done"))
    assert [b"purged on" in raw for raw in raws(session)] == [True, False, False, False]
    assert archive.verify() == []


@requirement("A-9", "P-3")
def test_what_one_owner_purged_is_no_news_to_another(path: Path) -> None:
    """A notice in the place of the same words would tell another owner that somebody had said them."""
    words = user(f"the key of the server is {SECRET}-77")
    with Archive.open(path, owner="ada") as ada, Archive.open(path, owner="bob") as bob:
        ada.purge(ids_of(filled(ada, words))[0])
        his = filled(bob, words, id="his")
        assert json.loads(raws(his)[0]) == words
        assert bob.search(f"{SECRET}-77")
        again = filled(ada, user("first"), words, id="hers")
        assert b"purged on" in raws(again)[1]
        assert bob.verify() == []
