"""Made-up conversations of any length, for both formats."""

from __future__ import annotations

from typing import Any

from proxy.harness import CHAT, MESSAGES

SENTENCE = (
    "the service reads its settings from the table and writes a line for every row that it could not place "
    "before the worker closes the queue and the next batch begins with a count of what was left over"
)
WORDS = SENTENCE.split()


def prose(seed: int, words: int) -> str:
    """Words that differ by seed, the same for the same seed."""
    return " ".join(
        f"{WORDS[(seed * 7 + at * (3 + seed % 5)) % len(WORDS)]}{seed if at % 11 == 0 else ''}" for at in range(words)
    )


def chat(rounds: int, *, words: int = 120, tag: str = "a", system: str = "You are an agent.") -> list[dict[str, Any]]:
    """A conversation of the chat format: a task, then rounds of a call and its result."""
    messages: list[dict[str, Any]] = [
        {"role": "system", "content": system},
        {"role": "user", "content": f"Please port the module {tag}.py and keep port 5433."},
    ]
    for at in range(rounds):
        call = {"name": "read", "arguments": f'{{"path": "src/{tag}_{at}.py"}}'}
        messages += [
            {
                "role": "assistant",
                "content": f"Step {at} of {tag}.",
                "tool_calls": [{"id": f"call_{tag}_{at}", "type": "function", "function": call}],
            },
            {"role": "tool", "tool_call_id": f"call_{tag}_{at}", "content": prose(at, words)},
        ]
    return messages


def anthropic(rounds: int, *, words: int = 120, tag: str = "a") -> list[dict[str, Any]]:
    """The same in the other format."""
    messages: list[dict[str, Any]] = [
        {"role": "user", "content": f"Please port the module {tag}.py and keep port 5433."}
    ]
    for at in range(rounds):
        call = {
            "type": "tool_use",
            "id": f"toolu_{tag}_{at}",
            "name": "read",
            "input": {"path": f"src/{tag}_{at}.py"},
        }
        result = {"type": "tool_result", "tool_use_id": f"toolu_{tag}_{at}", "content": prose(at, words)}
        messages += [
            {"role": "assistant", "content": [{"type": "text", "text": f"Step {at} of {tag}."}, call]},
            {"role": "user", "content": [result]},
        ]
    return messages


def body(path: str, messages: list[dict[str, Any]], **fields: Any) -> dict[str, Any]:
    """A request with these messages."""
    tool = {"name": "read", "description": "Reads a file", "input_schema": {"type": "object"}}
    if path == MESSAGES:
        return {"model": "m", "messages": messages, "system": "You are an agent.", "tools": [tool], **fields}
    return {"model": "m", "messages": messages, "tools": [{"type": "function", "function": tool}], **fields}


MAKERS = {CHAT: chat, MESSAGES: anthropic}
