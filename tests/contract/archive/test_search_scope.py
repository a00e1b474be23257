"""Filters, scope, and what a hit says about where it stands."""

import pytest

from contract.archive.build import append, assistant, commit, compaction, filled, follow, ids_of, result, user
from requirement import requirement
from vademecum.archive import Archive
from vademecum.core.identity import part_id

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
