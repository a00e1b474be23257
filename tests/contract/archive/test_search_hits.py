"""Hits: the whole of what was said is looked through, windows stand around the match, nothing is told twice."""

import random

import pytest

from contract.archive.build import (
    assistant,
    calling,
    filled,
    result,
    user,
)
from requirement import requirement
from vademecum.archive import Archive

WORDS = ["alpha", "beta", "gamma", "delta", "epsilon", "iota", "kappa", "lambda", "sigma", "river", "stone", "cloud"]


def noise(chars: int, seed: int) -> str:
    chance = random.Random(seed)
    return "\n".join(" ".join(chance.choices(WORDS, k=12)) for _ in range(chars // 70))


@requirement("A-5")
@pytest.mark.parametrize("share", [0.0, 0.25, 0.5, 0.75, 1.0])
def test_a_fact_anywhere_in_a_long_result_is_found(archive: Archive, share: float) -> None:
    text = noise(300_000, 1)
    at = int(len(text) * share)
    text = f"{text[:at]}\nthe quorum port is 48123 since Friday\n{text[at:]}"
    session = filled(archive, user("go"), calling("1", "bash", {}), result("1", text), assistant("ok"))
    for query in ("quorum port", "48123", "quorum Friday"):
        (hit, *_) = session.search(query, max_chars=400)
        assert "quorum port is 48123" in hit.text
        assert len(hit.text) <= 400
        assert hit.text in text


@requirement("A-5")
@pytest.mark.parametrize("offset", range(1_700, 2_100, 25))
def test_a_sentence_on_the_edge_of_a_passage_is_found_whole(offset: int) -> None:
    text = ("filler " * 500)[:offset] + " quorum port is 48123 " + "filler " * 500
    with Archive.memory() as archive:
        (hit, *_) = filled(archive, user(text)).search("quorum 48123", limit=1, max_chars=300)
        assert "quorum port is 48123" in hit.text


@requirement("A-5")
@pytest.mark.parametrize("most", [1, 40, 200, 1_200, 2_500])
def test_a_window_has_the_match_and_no_more_than_was_asked_for(archive: Archive, most: int) -> None:
    session = filled(archive, user(noise(6_000, 2) + " quorum " + noise(6_000, 3)))
    (hit, *_) = session.search("quorum", max_chars=most)
    assert len(hit.text) <= most
    assert most < 40 or "quorum" in hit.text


@requirement("A-5")
@pytest.mark.parametrize(
    ("said", "query"),
    [
        ("le café est fermé", "cafe ferme"),
        ("the getUserName function", "user name"),
        ("written in C++ here", "C++"),
        ("调用getUserName函数", "user name"),
        ("数据库迁移", "数据库"),
        ("le cafe\u0301 est ferme\u0301", "cafe ferme"),
    ],
)
def test_the_window_stands_around_what_the_index_found(archive: Archive, said: str, query: str) -> None:
    session = filled(archive, user(noise(1_700, 4) + "\n" + said + "\n" + noise(4_000, 5)))
    (hit, *_) = session.search(query, limit=1, max_chars=120)
    assert said in hit.text


@requirement("A-5")
def test_the_window_is_where_the_words_meet(archive: Archive) -> None:
    parts = ["quorum " + noise(700, 6), "port " + noise(700, 7), "the quorum has port 48123", noise(300, 8)]
    (hit, *_) = filled(archive, user("\n".join(parts))).search("quorum port", max_chars=200)
    assert "48123" in hit.text


@requirement("A-5")
def test_what_is_told_ten_times_is_one_hit(archive: Archive) -> None:
    said = "The quorum port was moved because the firewall of the old rack drops it"
    rows = [
        user(said),
        *[assistant(f"As you say: {said}.") for _ in range(9)],
        user("another quorum matter entirely"),
    ]
    hits = filled(archive, *rows).search("quorum port firewall", limit=10)
    assert sum("firewall" in hit.text for hit in hits) == 1
    assert len(hits) == 2


@requirement("A-5")
def test_places_that_differ_are_hits_of_their_own(archive: Archive) -> None:
    rows = [assistant(f"deployment of svc-{n} finished with code E10{n}7 on host rack-{n}") for n in range(6)]
    hits = filled(archive, *rows).search("deployment finished with code", limit=6)
    assert {hit.position for hit in hits} == set(range(6))


@requirement("A-5")
def test_a_short_hit_does_not_hide_a_long_one_that_says_more(archive: Archive) -> None:
    session = filled(
        archive,
        user("where is the quorum port configured"),
        calling("1", "read", {"path": "quorum.toml"}),
        result("1", "where the quorum port is configured: the port of the quorum is 48123, see section nine"),
    )
    assert any("48123" in hit.text for hit in session.search("where is the quorum port configured", limit=3))


@requirement("A-5")
def test_windows_of_one_text_do_not_overlap_on_the_same_place(archive: Archive) -> None:
    text = noise(1_900, 9) + "\nthe quorum port is 48123\n" + noise(3_000, 10)
    hits = filled(archive, user(text)).search("quorum port", limit=5, max_chars=2_500)
    assert len(hits) == 1


@requirement("A-5")
def test_several_places_of_one_long_text_are_several_hits(archive: Archive) -> None:
    text = "\n".join(noise(6_000, seed) + f"\nthe quorum port of rack {seed} is 481{seed}" for seed in range(4))
    hits = filled(archive, user(text)).search("quorum port rack", limit=8, max_chars=300)
    assert all(any(f"481{seed}" in hit.text for hit in hits) for seed in range(4))


@requirement("A-5")
def test_a_rare_word_beats_common_ones(archive: Archive) -> None:
    rows = [assistant(f"the build of part {n} failed with an error in the test log") for n in range(200)]
    session = filled(archive, *rows[:70], user("heliotrope failed"), *rows[70:])
    assert session.search("error heliotrope", limit=1)[0].text == "heliotrope failed"


@requirement("A-5")
def test_the_exact_name_beats_its_relatives(archive: Archive) -> None:
    rows = [assistant(f"look at src/foo/bar_{n}.py and src/foo_bar.py.bak{n}") for n in range(30)]
    session = filled(archive, *rows[:15], user("the bug is in src/foo_bar.py:42"), *rows[15:])
    assert session.search("src/foo_bar.py:42", limit=1)[0].text == "the bug is in src/foo_bar.py:42"


@requirement("A-5")
def test_of_equals_the_newest_is_first(archive: Archive) -> None:
    rows = [assistant(f"the quorum port is {port}") for port in (4001, 4002, 4003)]
    hits = filled(archive, *rows).search("quorum port", limit=3)
    assert [hit.position for hit in hits] == [2, 1, 0]


@requirement("A-5")
@pytest.mark.parametrize(("limit", "count"), [(0, 0), (-1, 0), (1, 1), (3, 3), (100, 90)])
def test_as_many_hits_as_were_asked_for(archive: Archive, limit: int, count: int) -> None:
    session = filled(archive, *[user(f"quorum of rack r{n}x{n * 7}") for n in range(90)])
    assert len(session.search("quorum rack", limit=limit)) == count


@requirement("A-5")
def test_hits_are_safe_to_send(archive: Archive) -> None:
    (hit,) = filled(archive, user("quorum \ud83d \x00 half a pair")).search("quorum")
    hit.text.encode("utf-8")
    assert "\x00" not in hit.text


@requirement("A-5")
def test_words_that_meet_on_one_line_beat_words_of_several_lines(archive: Archive) -> None:
    rows = [
        assistant("the lantern, whose glass was cut at the harbour from one piece, has a frame of copper: L-1"),
        assistant("lantern: L-2\nharbour: H-2\ncopper: C-2"),
    ]
    (hit, *_) = filled(archive, *rows).search("lantern harbour copper", limit=2)
    assert "L-1" in hit.text


@requirement("A-5")
def test_the_order_of_the_query_tells_statements_of_the_same_words_apart(archive: Archive) -> None:
    rows = [assistant("copper replaces brass in rack 7"), assistant("brass replaces copper in rack 9")]
    session = filled(archive, *rows)
    assert "rack 7" in session.search("copper replaces brass", limit=1)[0].text
    assert "rack 9" in session.search("brass replaces copper", limit=1)[0].text


@requirement("A-5")
def test_the_same_lines_in_another_place_come_after_all_that_says_something_else(archive: Archive) -> None:
    line = "raise QuorumError('no majority in rack')"
    reads = [
        row
        for n in range(5)
        for row in (
            calling(str(n), "read", {"path": "quorum.py"}),
            result(str(n), "\n".join((noise(900, n), f"   {40 + n}\u2192    {line}", noise(900, n + 50)))),
        )
    ]
    note = assistant("A QuorumError again.\nIt lost its majority on Friday.\nSee INC-481 about the rack.")
    session = filled(archive, note, *reads)
    hits = session.search("QuorumError majority rack", limit=3, max_chars=1_200)
    assert line in hits[0].text
    assert "INC-481" in hits[1].text
    assert line in hits[2].text  # other places of it are not lost
    assert hits[2].position != hits[0].position


@requirement("A-5")
def test_lines_that_differ_in_a_figure_are_not_the_same_lines(archive: Archive) -> None:
    reads = [assistant(f"{noise(300, n)}\nquorum majority port 48{n}\n{noise(300, n + 50)}") for n in range(4)]
    hits = filled(archive, *reads).search("quorum majority port", limit=4, max_chars=500)
    assert all(any(f"port 48{n}" in hit.text for hit in hits) for n in range(4))
