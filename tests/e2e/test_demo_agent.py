"""The demo's scripted agent makes a transcript that any agent could have made."""

import json
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

SMALL = 8_000


@pytest.fixture(scope="module")
def transcript(root: Path, tmp_path_factory: pytest.TempPathFactory) -> list[dict]:
    out = tmp_path_factory.mktemp("agent") / "session.jsonl"
    command = [sys.executable, root / "demo/agent.py", out, "--tokens", str(SMALL), "--seed", "3"]
    subprocess.run(command, check=True, capture_output=True)
    return [json.loads(line) for line in out.read_text("utf-8").splitlines()]


def test_roles_are_right(transcript: list[dict]) -> None:
    roles = [message["role"] for message in transcript]
    assert roles[:2] == ["system", "user"]
    assert roles[-1] == "assistant"
    assert roles.count("system") == 1
    assert set(roles) == {"system", "user", "assistant", "tool"}
    pairs = set(pairwise(roles))
    assert pairs <= {
        ("system", "user"),
        ("user", "assistant"),
        ("assistant", "tool"),
        ("tool", "tool"),
        ("tool", "assistant"),
        ("assistant", "user"),
    }


def test_every_call_has_its_result_right_after_it(transcript: list[dict]) -> None:
    for place, message in enumerate(transcript):
        calls = message.get("tool_calls", [])
        results = transcript[place + 1 : place + 1 + len(calls)]
        assert [each.get("tool_call_id") for each in results] == [call["id"] for call in calls]
        assert [each["name"] for each in results] == [call["function"]["name"] for call in calls]
        if message["role"] == "tool":
            assert message["content"]
    ids = [call["id"] for message in transcript for call in message.get("tool_calls", [])]
    assert len(ids) == len(set(ids)) == sum(message["role"] == "tool" for message in transcript)


def test_every_message_is_text_with_a_time(transcript: list[dict]) -> None:
    assert all(isinstance(message["content"], str) and message["content"] for message in transcript)
    stamps = [message["ts"] for message in transcript]
    assert stamps == sorted(stamps)


def test_it_saw_a_true_failure_and_repaired_it(transcript: list[dict]) -> None:
    runs = [
        transcript_result["content"]
        for transcript_result in transcript
        if transcript_result.get("name") == "shell" and "test_trigger_rule.py" in transcript_result["content"]
    ]
    assert "FAILED practice/test_trigger_rule.py::test_exactly_the_trigger_is_not_due_yet" in runs[0]
    said = [message["content"] for message in transcript if message["role"] == "assistant"]
    assert any("practice/test_trigger_rule.py passes." in text for text in said)
    assert "The Makefile is untouched." in said[-1]


def test_it_reaches_the_size_that_was_asked_for(transcript: list[dict]) -> None:
    size = sum(len(json.dumps(message)) for message in transcript) // 4
    assert size >= SMALL
