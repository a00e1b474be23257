"""Sessions that continue another one: search, facts and restoring reach it, contexts do not."""

import pytest

from contract.archive.build import append, assistant, commit, compaction, filled, ids_of, raws, result, user
from requirement import requirement
from vademecum.archive import Archive, Session
from vademecum.core.requests import QueryFacts, QueryRequests
from vademecum.errors import ConfigError, PartNotFound, SessionNotFound


@pytest.fixture
def child(archive: Archive) -> Session:
    """The third session of a chain, each with words of its own."""
    filled(archive, user("the first runs on port 5431 of db-alpha"), assistant("Done, alpha is up."), id="one")
    two = archive.session("two", format="openai-chat", parent="one")
    append(two, user("you must never restart db-beta on port 5432"), assistant("I will not restart db-beta."))
    three = archive.session("three", format="openai-chat", parent="two")
    append(three, user("go on with db-gamma on port 5433"))
    filled(archive, user("db-other on port 5431 is another matter"), id="other")
    return three


@requirement("A-6")
def test_a_search_reaches_the_sessions_that_one_continues(archive: Archive, child: Session) -> None:
    assert {hit.session for hit in child.search("port db")} == {"one", "two", "three"}
    assert {hit.session for hit in archive.search("port db", session="two")} == {"one", "two"}
    assert child.search("5431", limit=1)[0].text == "the first runs on port 5431 of db-alpha"
    assert [hit.session for hit in archive.search("another matter")] == ["other"]


@requirement("A-6")
def test_what_stands_in_the_context_is_the_sessions_own(archive: Archive, child: Session) -> None:
    found = {hit.session: hit.in_context for hit in child.search("port db")}
    assert found == {"one": False, "two": False, "three": True}
    assert commit(child, compaction(child, 1))
    assert not child.search("gamma")[0].in_context


@requirement("A-6", "A-7")
def test_restoring_reaches_them_too(archive: Archive, child: Session) -> None:
    (id, _) = ids_of(archive.existing("one"))
    assert child.restore(id).data == b"the first runs on port 5431 of db-alpha"
    assert child.restore(id).session == "one"
    assert [held.raw for held in child.around(id, 1)] == raws(archive.existing("one"))
    (other,) = ids_of(archive.existing("other"))
    with pytest.raises(PartNotFound):
        child.restore(other)
    with pytest.raises(PartNotFound):
        archive.existing("one").restore(ids_of(child)[0])


@requirement("A-6", "C-14")
def test_facts_of_them_stand_before_its_own(child: Session) -> None:
    asked = child.facts(QueryFacts(("request", "constraint"), 1, 50, newest_first=True))
    texts = [fact.text for fact in asked]
    assert [fact.position for fact in asked] == sorted((fact.position for fact in asked), reverse=True)
    assert {fact.position for fact in asked} == {0, -2, -4}
    assert "db-gamma" in texts[0]
    assert "5431" in texts[-1]
    assert child.facts(QueryFacts(("constraint",), 1, 50))[0].text == "you must never restart db-beta on port 5432"
    names = {name: stats for fact in asked for name, stats in fact.names}
    assert {name: names[name].last for name in ("5431", "5432", "5433")} == {"5431": -4, "5432": -2, "5433": 0}
    assert [fact.text for fact in child.requests(QueryRequests(1))] == ["go on with db-gamma on port 5433"]


def test_contexts_and_lengths_are_its_own(child: Session) -> None:
    assert len(child) == 1
    assert child.context() == raws(child)
    assert [part.run for part in child.ranges] == [child.run]


@requirement("A-1")
def test_the_list_shows_the_parent(archive: Archive, child: Session) -> None:
    assert {info.id: info.parent for info in archive.sessions()} == {
        "one": None,
        "two": "one",
        "three": "two",
        "other": None,
    }


def test_links_that_cannot_be(archive: Archive, child: Session) -> None:
    with pytest.raises(SessionNotFound):
        archive.session("four", format="openai-chat", parent="none")
    assert not archive.has("four")
    with pytest.raises(ConfigError, match="continues 'two' already"):
        archive.session("three", parent="one")
    with pytest.raises(ConfigError, match="cannot continue itself"):
        archive.session("one", parent="three")
    assert archive.session("three", parent="two").ranges == child.ranges
    assert archive.session("other", parent="three").id == "other"


@requirement("A-9")
def test_a_link_goes_past_a_session_that_was_removed(archive: Archive, child: Session) -> None:
    archive.remove("two")
    assert {info.id: info.parent for info in archive.sessions()}["three"] == "one"
    assert {hit.session for hit in child.search("port db")} == {"one", "three"}
    assert archive.verify() == []


@requirement("A-6")
def test_formats_may_differ(archive: Archive) -> None:
    filled(
        archive,
        {"role": "user", "content": [{"type": "text", "text": "blocks on port 5431"}]},
        id="one",
        format="anthropic",
    )
    two = archive.session("two", format="openai-chat", parent="one")
    append(two, result("c", "rows on port 5432"))
    assert {hit.session for hit in two.search("port")} == {"one", "two"}
    (id,) = ids_of(archive.existing("one"))
    assert two.restore(id).data == b"blocks on port 5431"
