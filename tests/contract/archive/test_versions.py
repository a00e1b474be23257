"""What a caller made of a message later is found and restored like what it said before."""

import pytest

from contract.archive.build import append, assistant, calling, filled, ids_of, loaded, result, sizes, user
from contract.archive.test_removal import SECRET, trace, words
from requirement import requirement
from vademecum.archive import Archive, Session
from vademecum.core.identity import node, short
from vademecum.core.requests import QueryFacts


def revise(session: Session, position: int, *rows: object) -> list[str]:
    """Puts rows in a message's place; their ids."""
    messages = loaded(rows, session.dialect.name)
    session.revise(position, messages, sizes(messages))
    (original,) = session.stored(position, position + 1)
    return [short(node(original.node, message.identity)) for message in messages]


@pytest.fixture
def session(archive: Archive) -> Session:
    return filled(
        archive,
        user("the listener is on port 5431 of hostalpha"),
        calling("c", "Read", {"path": "src/app.py"}),
        result("c", "def main(): return 5431"),
        assistant("It is 5431."),
    )


@requirement("A-4", "A-7")
def test_an_edited_message_is_found_and_restored(archive: Archive, session: Session) -> None:
    (id,) = revise(session, 0, user("the listener is on port 5999 of hostomega"))
    (hit,) = session.search("hostomega")
    assert (hit.id, hit.position, hit.in_context) == (id, 0, True)
    assert "5999" in hit.text
    assert session.restore(id).data == b"the listener is on port 5999 of hostomega"
    (old,) = session.search("hostalpha")
    assert (old.id, old.in_context) == (ids_of(session)[0], False)
    assert archive.verify() == []


@requirement("A-5")
def test_each_version_and_each_message_in_ones_place_counts(session: Session) -> None:
    first = revise(session, 2, result("c", "the first clearing of wordone"))
    second = revise(session, 2, result("c", "the second clearing of wordtwo"), user("a reminder of wordthree"))
    assert [hit.id for hit in session.search("wordone")] == first
    assert session.search("wordone")[0].tool == "Read"
    assert [hit.id for hit in session.search("wordtwo")] == second[:1]
    assert [(hit.id, hit.in_context) for hit in session.search("wordthree")] == [(second[1], True)]
    assert {hit.id for hit in session.search("clearing", tool="Read")} == {*first, second[0]}
    assert session.search("def main")[0].id == ids_of(session)[2]


@requirement("C-14")
def test_what_is_new_in_it_is_known_as_facts(session: Session) -> None:
    before = session.facts(QueryFacts(("statement", "constraint"), 9, 99))
    (id,) = revise(
        session, 0, user("the listener is on port 5431 of hostalpha\nNever touch /etc/omega.conf on port 5999.")
    )
    after = session.facts(QueryFacts(("statement", "constraint"), 9, 99))
    new = [fact for fact in after if fact.text not in {old.text for old in before}]
    assert {fact.id for fact in new} == {id}
    assert any("/etc/omega.conf" in fact.text for fact in new)
    assert len({(fact.kind, fact.text) for fact in after}) == len(after)
    count = session.archive.connection.db.execute("SELECT messages FROM names WHERE name = '5431'").fetchone()
    revise(session, 0, user("the listener is on port 5431 still"))
    assert session.archive.connection.db.execute("SELECT messages FROM names WHERE name = '5431'").fetchone() == count


@requirement("A-9")
def test_removing_takes_them_along(path) -> None:
    with Archive.open(path) as archive:
        session = filled(archive, user("a"), user("b"))
        revise(session, 0, user(f"{SECRET} stands in /srv/{SECRET}.conf"), user(f"again {SECRET}"))
        revise(session, 0)
        append(filled(archive, user("other"), id="other"), user("more"))
        assert SECRET in words(archive)
        archive.remove("s")
        assert SECRET not in words(archive)
        assert archive.verify() == []
        assert archive.connection.db.execute(
            "SELECT count(*) FROM names WHERE name LIKE '%' || ?", (SECRET,)
        ).fetchone() == (0,)
        assert trace(path) == 0


@requirement("A-9")
def test_purging_a_version_takes_all_of_the_message(path) -> None:
    with Archive.open(path) as archive:
        session = filled(archive, user(f"{SECRET} one"), user("b"))
        (id,) = revise(session, 0, user(f"{SECRET} two"))
        archive.purge(id)
        assert SECRET not in words(archive)
        assert trace(path) == 0
        assert session.restore(id).data.startswith(b"[vademecum: purged on ")
        assert archive.verify() == []
