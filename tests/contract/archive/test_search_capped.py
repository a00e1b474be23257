"""Search in large scopes: of common words only the newest rows are read, and no telling place is lost by it."""

import pytest

from contract.archive.build import append, filled, user
from requirement import requirement
from vademecum.archive import Archive

CAP = "vademecum.archive.sqlite.candidates.MOST_ROWS"


@requirement("A-10")
@pytest.mark.parametrize("everywhere", [False, True])
def test_a_common_word_counts_beside_a_rarer_one_however_old(
    path, monkeypatch: pytest.MonkeyPatch, everywhere: bool
) -> None:
    monkeypatch.setattr(CAP, 200)
    with Archive.open(path) as archive:
        filler = [user(f"a common remark, number {number}") for number in range(150)]
        rare = [user(f"the needle again, {number} times") for number in range(90)]  # more than are read closely
        filled(archive, user("a common needle of gold"), *filler, *rare)
        hits = archive.search("common needle", session=None if everywhere else "s", limit=1)
    assert [hit.text for hit in hits] == ["a common needle of gold"]


@requirement("A-4", "A-10")
def test_a_name_of_common_words_is_found_however_old(path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CAP, 100)
    with Archive.open(path) as archive:
        filler = [user(f"the db of host {number} and the host of db {number}") for number in range(200)]
        filled(archive, user("it is db-host, remember"), *filler)
        hits = archive.search("db-host", session="s", limit=1)
    assert [hit.text for hit in hits] == ["it is db-host, remember"]


@requirement("A-10")
def test_a_lineage_of_several_stretches_is_read_from_its_end(path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CAP, 40)
    with Archive.open(path) as archive:
        first = filled(archive, *[user(f"old talk {number}") for number in range(60)])
        first.branch(50)
        append(first, *[user(f"new talk {number}") for number in range(30)])
        hits = first.search("talk", limit=30)
    assert len(hits) == 30
    assert all(hit.text.startswith("new talk") for hit in hits[:25])


@requirement("A-4")
def test_common_words_alone_still_give_the_newest(path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CAP, 50)
    with Archive.open(path) as archive:
        filled(archive, *[user(f"error in file {number}") for number in range(300)])
        hits = archive.search("error file", limit=3)
    assert [hit.text for hit in hits] == ["error in file 299", "error in file 298", "error in file 297"]


@requirement("A-4", "A-10")
@pytest.mark.parametrize("everywhere", [False, True])
@pytest.mark.parametrize("query", ["lantern harbour copper", "lantern harbour copper willow"])
def test_a_sentence_of_common_words_is_found_where_they_meet_however_old(
    path, monkeypatch: pytest.MonkeyPatch, everywhere: bool, query: str
) -> None:
    monkeypatch.setattr(CAP, 100)
    apart = ["a lantern of the night", "the harbour at noon", "copper by weight", "under a willow"]
    with Archive.open(path) as archive:
        old = user("beside the lantern the harbour is all copper")
        filled(archive, old, *[user(f"{apart[number % 4]}, {number}") for number in range(400)])
        (hit,) = archive.search(query, session=None if everywhere else "s", limit=1)
    assert hit.position == 0


@requirement("A-4")
def test_of_many_passages_with_all_words_those_where_they_stand_close_are_looked_at(
    path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vademecum.archive.sqlite.search.MOST_READ", 10)
    with Archive.open(path) as archive:
        far = [user(f"lantern {number} " + "and so it goes " * 20 + "copper") for number in range(60)]
        filled(archive, user("the lantern is of copper"), *far)
        (hit, *_) = archive.search("lantern copper", limit=3)
    assert hit.position == 0
