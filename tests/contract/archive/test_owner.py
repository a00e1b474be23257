"""Another owner's sessions do not exist: not searched, not listed, not restored, not hinted at."""

from pathlib import Path

import pytest

from contract.archive.build import append, assistant, filled, follow, ids_of, user
from requirement import requirement
from vademecum.archive import Archive
from vademecum.errors import ArchiveError, PartNotFound, SessionNotFound


@pytest.fixture
def two(path: Path):
    with Archive.open(path, owner="ada") as ada, Archive.open(path, owner="bob") as bob:
        yield ada, bob


@requirement("A-6")
def test_search_over_everything_is_over_ones_own(two) -> None:
    ada, bob = two
    filled(ada, user("the code word is heliotrope"))
    filled(bob, user("heliotrope is a colour"))
    assert [hit.text for hit in ada.search("heliotrope")] == ["the code word is heliotrope"]
    assert [hit.text for hit in bob.search("heliotrope")] == ["heliotrope is a colour"]


@requirement("A-6")
def test_sessions_of_others_are_not_listed(two) -> None:
    ada, bob = two
    filled(ada, user("a"), id="hers")
    filled(bob, user("b"), id="his")
    assert [info.id for info in ada.sessions()] == ["hers"]
    with pytest.raises(SessionNotFound) as caught:
        bob.existing("hers")
    assert set(caught.value.nearest) <= {"his"}
    with pytest.raises(SessionNotFound):
        bob.search("a", session="hers")


@requirement("A-6", "A-7")
def test_what_others_have_is_not_restored_and_not_near(two) -> None:
    ada, bob = two
    hers = filled(ada, *[user(f"secret {number}") for number in range(30)])
    (id, *_) = ids_of(hers)
    with pytest.raises(PartNotFound) as caught:
        bob.restore(id)
    assert caught.value.nearest == ()
    his = filled(bob, user("his own"))
    with pytest.raises(PartNotFound) as caught:
        bob.restore(id)
    assert set(caught.value.nearest) <= set(ids_of(his))
    with pytest.raises(ArchiveError):
        bob.restore(f"{id}..{id}")


@requirement("A-6")
def test_one_name_is_two_sessions(two) -> None:
    ada, bob = two
    filled(ada, user("hers"), id="same")
    filled(bob, user("his"), id="same")
    assert [hit.text for hit in ada.search("hers his", session="same")] == ["hers"]
    assert [hit.text for hit in bob.search("hers his", session="same")] == ["his"]


@requirement("A-6", "A-7")
def test_equal_messages_of_two_owners_are_each_ones_own(two) -> None:
    ada, bob = two
    same = [user("the very same words"), assistant("indeed")]
    hers, his = filled(ada, *same, id="hers"), filled(bob, *same, id="his")
    assert ids_of(hers) == ids_of(his)
    assert ada.restore(ids_of(hers)[0]).session == "hers"
    assert bob.restore(ids_of(his)[0]).session == "his"


@requirement("A-6")
def test_the_newer_words_of_others_do_not_crowd_out_ones_own(two, monkeypatch: pytest.MonkeyPatch) -> None:
    ada, bob = two
    monkeypatch.setattr("vademecum.archive.sqlite.candidates.MOST_ROWS", 50)
    filled(ada, user("a common word"))
    filled(bob, *[user(f"a common word {number}") for number in range(120)])
    assert [hit.session for hit in ada.search("common word")] == ["s"]


@requirement("A-6")
def test_branches_belong_to_their_owner(two) -> None:
    ada, bob = two
    session = filled(ada, user("one"), user("two"))
    follow(session, [user("one"), user("three")])
    append(session, user("four"))
    assert bob.search("one two three four") == []
