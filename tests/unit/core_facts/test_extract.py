"""What one message gives: facts with their source and part, names with where they were mentioned."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from requirement import requirement
from vademecum.core.facts import Fact, extract
from vademecum.core.facts.actions import arguments, changes_something, target
from vademecum.core.facts.extract import LONGEST_TEXT
from vademecum.core.facts.names import names_in
from vademecum.core.messages import Message, Part


def said(role: str, text: str, *more: Part) -> Message:
    return Message(role, (Part("text", text, typed=role == "user"), *more), {}, b"")


def call(tool: str, given: object = None, id: str = "1") -> Part:
    text = given if isinstance(given, str) else json.dumps({} if given is None else given)
    return Part("tool_call", text, call_id=id, tool=tool, plain=False)


def answered(text: str, asked: Part, *, error: bool = False) -> list[Fact]:
    message = Message("tool", (Part("tool_result", text, call_id=asked.call_id, is_error=error),), {}, b"")
    return [fact for fact in extract(message, {asked.call_id: asked}).facts if fact.kind != "seen"]


def kinds(message: Message) -> list[str]:
    return [fact.kind for fact in extract(message, {}).facts]


@requirement("C-23")
def test_what_a_user_says() -> None:
    found = extract(said("user", "Never delete backup_1.tar.\nThe port is 5433.\nThanks"), {})
    assert [fact.text for fact in found.facts if fact.kind == "request"] == [
        "Never delete backup_1.tar.\nThe port is 5433.\nThanks"
    ]
    assert [fact.text for fact in found.facts if fact.kind == "constraint"] == ["Never delete backup_1.tar."]
    assert [(fact.key, fact.text) for fact in found.facts if fact.kind == "value"] == [("port", "5433")]
    assert {fact.source for fact in found.facts} == {"user"}
    assert {mention.name for mention in found.mentions} >= {"backup_1.tar", "5433"}


@requirement("C-23")
def test_what_a_harness_wrote_is_no_request() -> None:
    message = Message("user", (Part("text", "Never delete backup_1.tar.", typed=False),), {}, b"")
    assert kinds(message) == []


@requirement("C-23")
def test_a_question_or_a_pasted_log_sets_no_rule() -> None:
    assert "constraint" not in kinds(said("user", "Should it never be deleted?"))
    assert "constraint" not in kinds(said("user", '{"level": "never", "a": 1}'))


@requirement("C-22")
def test_the_last_word_of_an_assistant_is_an_outcome() -> None:
    assert "outcome" in kinds(said("assistant", "The fix is in src/app.py."))
    assert "outcome" not in kinds(said("assistant", "I look at src/app.py.", call("read", {"path": "x"})))


@requirement("C-22")
@pytest.mark.parametrize(
    ("sentence", "key", "value"),
    [
        ("QUORUM_PORT=5433", "QUORUM_PORT", "5433"),
        ("the timeout is now 30s", "timeout", "30s"),
        ("branch: feat/x", "branch", "feat/x"),
        ("max_retries: 5", "max_retries", "5"),
        ("server.port = `8080`", "server.port", "8080"),
        ("limit → 100", "limit", "100"),
    ],
)
def test_values(sentence: str, key: str, value: str) -> None:
    facts = extract(said("assistant", sentence), {}).facts
    assert (key, value) in [(fact.key, fact.text) for fact in facts if fact.kind == "value"]


@requirement("C-22")
def test_facts_know_their_part() -> None:
    parts = (
        Part("reasoning", "hm"),
        Part("text", "We chose src/a.py because of E0277."),
        call("bash", {"command": "rm x"}),
    )
    found = extract(Message("assistant", parts, {}, b""), {})
    assert {(fact.kind, fact.part) for fact in found.facts} >= {("statement", 1), ("action", 2)}


@requirement("C-22")
@pytest.mark.parametrize(
    ("tool", "given", "changes"),
    [
        ("Write", {"file_path": "a"}, True),
        ("Edit", {"file_path": "a"}, True),
        ("Read", {"file_path": "a"}, False),
        ("mcp__github__create_issue", {}, True),
        ("Bash", {"command": "ls -la"}, False),
        ("Bash", {"command": "git commit -m x"}, True),
        ("Bash", {"command": "git status"}, False),
        ("Bash", {"command": "echo a > b.txt"}, True),
        ("Bash", {"command": "cmd 2>&1"}, False),
        ("Bash", {"command": "cd x && rm -rf y"}, True),
        ("Bash", {"command": "cat x | tee y"}, True),
        ("exec_command", {"cmd": "npm install left-pad"}, True),
        ("shell", {"command": ["git", "push"]}, True),
        ("shell", {"command": ["bash", "-lc", "git push"]}, True),
        ("shell", {"command": ["bash", "-lc", "git log"]}, False),
        ("write_stdin", {"text": "y"}, False),
        ("apply_patch", "*** Begin Patch", True),
        ("set_status", {}, True),
        ("reset", {}, False),
        ("Task", {"prompt": "rm everything"}, False),
    ],
)
def test_what_changes_something(tool: str, given: object, changes: bool) -> None:
    assert changes_something(call(tool, given)) == changes


@requirement("C-22")
@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"description": "d", "command": "make\n all"}, "make all"),
        ({"command": ["git", "push"]}, "git push"),
        ({"file_path": "/a", "content": "x"}, "/a"),
        ({"other": "value"}, "value"),
        ({"n": 3}, '{"n": 3}'),
        ({}, ""),
        ("no json", "no json"),
        ("", ""),
        ({"command": "x" * 500}, "x" * 119 + "…"),
        ({"command": "\ud83d half"}, "\ufffd half"),
    ],
)
def test_targets(given: object, expected: str) -> None:
    assert target(call("t", given)) == expected


@pytest.mark.parametrize("text", ["[1]", "1", "null", '"x"', "{", "[" * 100_000])
def test_arguments_that_are_no_object(text: str) -> None:
    assert arguments(call("t", text)) == {}


@requirement("C-22")
def test_a_failure_names_what_failed() -> None:
    facts = answered("boom: file not found\nExit code 1", call("Bash", {"command": "make"}))
    assert facts[0].kind == "failure"
    assert facts[0].text == "Bash: make → boom: file not found"
    assert answered("anything", call("Read", {"path": "x"}), error=True)[0].kind == "failure"


@requirement("C-22")
def test_a_file_that_speaks_of_exit_codes_did_not_fail() -> None:
    text = "# What the command returns\nexit code 2: the usage was wrong"
    assert answered(text, call("Read", {"path": "docs/exit.md"})) == []
    assert answered(text, call("Bash", {"command": "make"}))[0].kind == "failure"


@requirement("C-24")
def test_the_names_of_an_output_are_kept_with_what_showed_them() -> None:
    asked = call("Read", {"path": "src/load.py"})
    shown = Part("tool_result", "def load_rows(path): return RowReader(path, limit=4000)", call_id=asked.call_id)
    message = Message("tool", (shown,), {}, b"")
    (fact,) = [fact for fact in extract(message, {asked.call_id: asked}).facts if fact.kind == "seen"]
    assert (fact.text.split("\n"), fact.key) == (["load_rows", "RowReader"], "src/load.py")


@requirement("C-24")
def test_a_typed_line_that_tells_nothing_comes_after_one_that_does() -> None:
    lines = ["retries wait longer after each RateLimitError", "src/load.py", "x = load_rows(a)"]
    message = Message("assistant", (call("Write", {"text": "\n".join(lines)}),), {}, b"")
    weights = {fact.text: fact.weight for fact in extract(message, {}).facts if fact.kind == "typed"}
    told, path, code = (weights[line] for line in lines)
    assert told > path > code


@requirement("C-24")
def test_errors_of_the_operating_system_are_names() -> None:
    assert names_in("The port is taken (EADDRINUSE), said EVERYONE.") == {"EADDRINUSE": "id"}


@requirement("C-22")
def test_the_word_error_in_what_was_only_read_is_no_error() -> None:
    assert answered("def handle_error(): raise ValueError", call("Read", {"path": "x"})) == []
    assert [
        fact.kind for fact in answered("warning: conflict in a.py", call("Bash", {"command": "git merge x"}))
    ] == ["error"]


@requirement("C-22")
def test_numbers_in_tool_output_are_noise_and_names_are_not() -> None:
    asked = call("Bash", {"command": "ls"})
    message = Message("tool", (Part("tool_result", "12345 foo_bar src/app.py E0277", call_id="1"),), {}, b"")
    assert {mention.name for mention in extract(message, {"1": asked}).mentions} == {"src/app.py", "E0277"}


@requirement("C-22")
def test_long_texts_are_bounded() -> None:
    text = "Set FOO_BAR=1 in src/app.py because of it. " * 20_000
    found = extract(said("user", text), {})
    assert max(len(fact.text) for fact in found.facts) <= LONGEST_TEXT + 2
    assert len(found.facts) < 10_000


@requirement("C-22")
def test_names_at_both_ends_of_a_long_output() -> None:
    text = "src/first.py\n" + "word " * 60_000 + "\nsrc/last.py"
    message = Message("tool", (Part("tool_result", text, call_id="1"),), {}, b"")
    assert {mention.name for mention in extract(message, {}).mentions} == {"src/first.py", "src/last.py"}


@requirement("A-2")
@settings(max_examples=150)
@given(
    text=st.text(alphabet=st.characters(), max_size=200),
    role=st.sampled_from(["user", "assistant", "system", "tool"]),
    kind=st.sampled_from(["text", "reasoning", "tool_call", "tool_result", "opaque", "image"]),
)
def test_whatever_is_extracted_can_be_stored(text: str, role: str, kind: str) -> None:
    odd = f"`\ud83d{text}` http://\udc00{text} error: PORT={text} \x00 must never"
    asked = call(f"bash{text}\ud83d", {"command": odd})
    part = Part(kind, odd, call_id="1", tool=f"rm\ud83d{text}", is_error=True, typed=role == "user")
    found = extract(Message(role, (part,), {}, b""), {"1": asked})
    for fact in found.facts:
        "".join((fact.text, fact.key, *fact.names)).encode("utf-8")
        assert "\n" not in "".join(fact.names)
    for mention in found.mentions:
        mention.name.encode("utf-8")
