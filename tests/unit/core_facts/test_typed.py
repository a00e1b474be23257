from __future__ import annotations

import json

from requirement import requirement
from vademecum.core.facts.extract import extract
from vademecum.core.facts.typed import typed_lines
from vademecum.core.messages import Part
from vademecum.wire import dialect


def call(**arguments: object) -> Part:
    return Part("tool_call", json.dumps(arguments), tool="shell")


@requirement("C-24")
def test_lines_that_name_something_are_taken_with_what_they_say_of_it() -> None:
    found = dict(typed_lines(call(command="git status\ngrep -rn sess_9f3a src/billing/retry.py\necho done")))
    assert found == {"grep -rn sess_9f3a src/billing/retry.py": ("sess_9f3a", "src/billing/retry.py")}


def test_strings_inside_of_lists_and_objects_are_read_without_their_escapes() -> None:
    found = [line for line, _ in typed_lines(call(edits=[{"new": "retries = MAX_TRIES\nuse(port_5433)"}]))]
    assert found == ["retries = MAX_TRIES", "use(port_5433)"]


def test_a_long_line_is_divided_between_words_and_nothing_of_it_is_lost() -> None:
    line = " ".join(f"word{number}" for number in range(50))
    pieces = [piece for piece, _ in typed_lines(call(text=line))]
    assert " ".join(pieces) == line
    assert max(map(len, pieces)) <= 140


def test_a_call_gives_a_bounded_number_of_lines() -> None:
    assert len(list(typed_lines(call(text="\n".join(f"name_{number}" for number in range(5_000)))))) == 60
    assert list(typed_lines(Part("tool_call", "no json at_all", tool="shell"))) == [("no json at_all", ("at_all",))]


def test_they_are_facts_of_the_call() -> None:
    function = {"name": "shell", "arguments": json.dumps({"command": "run job_77aa1"})}
    wire = {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": "a", "type": "function", "function": function}],
    }
    message = dialect("openai-chat").load(wire, 0)
    facts = [fact for fact in extract(message, {}).facts if fact.kind == "typed"]
    assert [(fact.source, fact.text, fact.names) for fact in facts] == [("call", "run job_77aa1", ("job_77aa1",))]
