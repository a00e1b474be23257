"""Hits: the whole of what was said is looked through, windows stand around the match, nothing is told twice."""

import random

import pytest

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
from vademecum.core.identity import part_id

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


SEVERAL = [
    {"role": "system", "content": "quorum rules", "ts": "2026-01-01T00:00:00Z"},
    user("quorum please", ts="2026-01-02T00:00:00Z"),
    {
        "role": "assistant",
        "content": "quorum follows",
        "tool_calls": [
            {"id": "a", "type": "function", "function": {"name": "Bash", "arguments": '{"command": "quorum ls"}'}},
            {"id": "b", "type": "function", "function": {"name": "Read", "arguments": '{"path": "quorum.toml"}'}},
        ],
        "ts": "2026-01-03T00:00:00Z",
    },
    result("a", "quorum listing", ts="2026-01-04T00:00:00Z"),
    result("b", "quorum file", ts="2026-01-05T00:00:00Z"),
    user("quorum without time"),
]


@requirement("A-6")
@pytest.mark.parametrize(
    ("filters", "positions"),
    [
        ({"role": "system"}, {0}),
        ({"role": "user"}, {1, 5}),
        ({"role": "assistant"}, {2}),
        ({"role": "tool"}, {3, 4}),
        ({"tool": "bash"}, {2, 3}),
        ({"tool": "Read"}, {2, 4}),
        ({"tool": "READ", "role": "tool"}, {4}),
        ({"tool": "Edit"}, set()),
        ({"since": 1_767_484_800.0}, {3, 4}),
        ({"since": 1_767_484_800.0, "tool": "Read"}, {4}),
        ({"role": "\ud83d"}, set()),
        ({"tool": "\ud83d"}, set()),
    ],
)
def test_filters(archive: Archive, filters: dict, positions: set[int]) -> None:
    hits = filled(archive, *SEVERAL).search("quorum", limit=20, **filters)
    assert {hit.position for hit in hits} == positions


@requirement("A-6")
def test_a_filter_reaches_what_many_better_places_hide(archive: Archive) -> None:
    rows = [assistant(f"quorum quorum quorum number {n}") for n in range(300)]
    session = filled(archive, user("one quorum"), *rows)
    assert [hit.position for hit in session.search("quorum", role="user")] == [0]


@requirement("A-6")
def test_the_tool_and_the_id_of_each_part(archive: Archive) -> None:
    session = filled(archive, *SEVERAL)
    node = session.nodes()[2]
    hits = {hit.id: hit for hit in session.search("quorum", role="assistant", limit=9)}
    assert {id: hit.tool for id, hit in hits.items()} == {
        part_id(node, 0, 3): "",
        part_id(node, 1, 3): "Bash",
        part_id(node, 2, 3): "Read",
    }
    assert session.restore(part_id(node, 0, 3)).data == b"quorum follows"


@requirement("A-6")
def test_results_of_several_tools_in_one_anthropic_message(archive: Archive) -> None:
    def block(kind: str, **more: object) -> dict[str, object]:
        return {"type": kind, **more}

    calls = [block("tool_use", id=id, name=name, input={"q": "x"}) for id, name in (("a", "Bash"), ("b", "Read"))]
    results = [block("tool_result", tool_use_id=id, content=f"quorum of {id}") for id in ("a", "b")]
    session = filled(archive, user("go"), assistant(calls), user(results), format="anthropic")
    assert {hit.text: hit.tool for hit in session.search("quorum")} == {"quorum of a": "Bash", "quorum of b": "Read"}
    assert [hit.text for hit in session.search("quorum", tool="read")] == ["quorum of b"]


@requirement("A-6")
def test_what_stands_in_the_context_is_marked(archive: Archive) -> None:
    session = filled(archive, *[user(f"quorum number {n}") for n in range(6)])
    assert all(hit.in_context for hit in session.search("quorum", limit=9))
    commit(session, compaction(session, 4))
    append(session, assistant("quorum at the end"))
    marked = {hit.position: hit.in_context for hit in session.search("quorum", limit=9)}
    assert marked == {0: False, 1: False, 2: False, 3: False, 4: True, 5: True, 6: True}


@requirement("A-6")
def test_the_scope_is_the_lineage(archive: Archive) -> None:
    filled(archive, user("quorum of one"), id="one")
    two = filled(archive, user("quorum of two"), id="two")
    assert [hit.session for hit in two.search("quorum")] == ["two"]
    assert {hit.session for hit in archive.search("quorum")} == {"one", "two"}
    follow(two, [user("quorum of two"), assistant("more quorum"), user("end")])
    follow(two, [user("quorum of two"), assistant("other quorum")])
    assert {hit.text for hit in two.search("quorum")} == {"quorum of two", "other quorum"}


@requirement("A-6")
def test_around(archive: Archive) -> None:
    session = filled(archive, *[user(f"m{n}") for n in range(9)])
    ids = ids_of(session)
    assert [message.position for message in session.around(ids[4], 2)] == [2, 3, 4, 5, 6]
    assert [message.position for message in session.around(ids[0], 2)] == [0, 1, 2]


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
