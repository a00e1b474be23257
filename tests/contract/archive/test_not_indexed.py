"""What comes out of the archive does not go into its index again."""

import pytest

from contract.archive.build import assistant, calling, filled, result, user
from requirement import requirement
from vademecum.archive import Archive
from vademecum.core.requests import QueryFacts

CARRY = '<vademecum:carry session="s" cycle="1">\nthe quorum port is 48123, QUORUM_PORT=48123\n</vademecum:carry>'
FACT = "the quorum port is 48123, QUORUM_PORT=48123"


def facts(session) -> list[str]:
    kinds = ("request", "constraint", "outcome", "statement", "action", "failure", "error", "value", "standing")
    return [fact.text for fact in session.facts(QueryFacts(kinds, 1_000, 100))]


@requirement("A-4")
@pytest.mark.parametrize("tool", ["session_search", "restore_tool_result", "mcp__vademecum__session_search"])
def test_results_of_our_own_tools(archive: Archive, tool: str) -> None:
    session = filled(archive, user("go"), calling("1", tool, {"query": "port"}), result("1", FACT), assistant("ok"))
    assert session.search("48123") == []
    assert not any("48123" in text for text in facts(session))


@requirement("A-4")
@pytest.mark.parametrize(
    "command",
    [
        "vademecum search 'quorum port' --session s",
        "cd /srv && .venv/bin/vademecum --db x.db restore t_abcdefghij",
        "uv run vademecum show t_abcdefghij",
    ],
)
@pytest.mark.parametrize("key", ["command", "cmd"])
def test_results_of_our_own_command_line(archive: Archive, command: str, key: str) -> None:
    session = filled(archive, user("go"), calling("1", "bash", {key: command}), result("1", FACT), assistant("ok"))
    assert session.search("48123") == []


@requirement("A-4")
@pytest.mark.parametrize(
    "command", ["cat vademecum/search.txt", "grep 'vademecum search' notes", "vademecum compact x"]
)
def test_other_commands_are_content(archive: Archive, command: str) -> None:
    session = filled(archive, user("go"), calling("1", "bash", {"command": command}), result("1", FACT))
    assert [hit.role for hit in session.search("48123")] == ["tool"]


@requirement("A-4")
def test_a_carry_in_a_transcript(archive: Archive) -> None:
    session = filled(archive, user(CARRY), assistant("I go on"))
    assert session.search("48123") == []
    assert not any("48123" in text for text in facts(session))


@requirement("A-4")
def test_the_users_own_words_beside_a_carry_are_content(archive: Archive) -> None:
    content = [{"type": "text", "text": CARRY}, {"type": "text", "text": "and now paint the shed heliotrope"}]
    session = filled(archive, user(content), assistant("I go on"))
    assert session.search("48123") == []
    (hit,) = session.search("heliotrope")
    assert hit.text == "and now paint the shed heliotrope"
    assert session.restore(hit.id).data.decode() == hit.text
    assert any("heliotrope" in text for text in facts(session))


@requirement("A-4")
def test_one_of_two_results_in_a_message(archive: Archive) -> None:
    calls = [
        {"type": "tool_use", "id": "a", "name": "session_search", "input": {"query": "x"}},
        {"type": "tool_use", "id": "b", "name": "bash", "input": {"command": "ls"}},
    ]
    results = [
        {"type": "tool_result", "tool_use_id": "a", "content": FACT},
        {"type": "tool_result", "tool_use_id": "b", "content": "a heliotrope file"},
    ]
    session = filled(archive, user("go"), assistant(calls), user(results), format="anthropic")
    assert session.search("48123") == []
    assert [hit.text for hit in session.search("heliotrope")] == ["a heliotrope file"]


@requirement("A-4")
def test_dense_data_is_not_words(archive: Archive) -> None:
    url = "data:image/png;base64," + "QUJD" * 400
    session = filled(
        archive, user([{"type": "image_url", "image_url": {"url": url}}, {"type": "text", "text": "see"}])
    )
    assert session.search("QUJD" * 400) == []
    assert [hit.text for hit in session.search("see")] == ["see"]
