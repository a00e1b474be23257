"""Made-up conversations of any length, for every format."""

from __future__ import annotations

import json
from typing import Any

from proxy.harness import CHAT, GEMINI, MESSAGES, OLLAMA, RESPONSES
from vademecum.proxy.endpoints import format_of

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


def responses(rounds: int, *, words: int = 120, tag: str = "a") -> list[dict[str, Any]]:
    """The same as items of the responses format."""
    task = {"type": "input_text", "text": f"Please port the module {tag}.py and keep port 5433."}
    items: list[dict[str, Any]] = [{"type": "message", "role": "user", "content": [task]}]
    for at in range(rounds):
        said = {"type": "output_text", "text": f"Step {at} of {tag}.", "annotations": []}
        call = {"call_id": f"call_{tag}_{at}", "name": "read", "arguments": f'{{"path": "src/{tag}_{at}.py"}}'}
        items += [
            {"type": "reasoning", "id": f"rs_{tag}_{at}", "summary": [], "encrypted_content": f"gAAAA{tag}{at}"},
            {"type": "message", "role": "assistant", "id": f"msg_{tag}_{at}", "content": [said]},
            {"type": "function_call", "id": f"fc_{tag}_{at}", **call},
            {"type": "function_call_output", "call_id": f"call_{tag}_{at}", "output": prose(at, words)},
        ]
    return items


def ollama(rounds: int, *, words: int = 120, tag: str = "a") -> list[dict[str, Any]]:
    """The same in Ollama's own format."""
    messages: list[dict[str, Any]] = [
        {"role": "system", "content": "You are an agent."},
        {"role": "user", "content": f"Please port the module {tag}.py and keep port 5433."},
    ]
    for at in range(rounds):
        call = {"function": {"name": "read", "arguments": {"path": f"src/{tag}_{at}.py"}}}
        messages += [
            {"role": "assistant", "content": f"Step {at} of {tag}.", "tool_calls": [call]},
            {"role": "tool", "tool_name": "read", "content": prose(at, words)},
        ]
    return messages


def gemini(rounds: int, *, words: int = 120, tag: str = "a") -> list[dict[str, Any]]:
    """The same as contents of Gemini's."""
    contents: list[dict[str, Any]] = [
        {"role": "user", "parts": [{"text": f"Please port the module {tag}.py and keep port 5433."}]}
    ]
    for at in range(rounds):
        call = {"functionCall": {"name": "read", "args": {"path": f"src/{tag}_{at}.py"}}, "thoughtSignature": "c2ln"}
        result = {"functionResponse": {"name": "read", "response": {"output": prose(at, words)}}}
        contents += [
            {"role": "model", "parts": [{"text": f"Step {at} of {tag}."}, call]},
            {"role": "user", "parts": [result]},
        ]
    return contents


def body(path: str, messages: list[dict[str, Any]], **fields: Any) -> dict[str, Any]:
    """A request with these messages."""
    tool = {"name": "read", "description": "Reads a file"}
    schema = {"type": "object"}
    match format_of(path):
        case "anthropic":
            tools = [{**tool, "input_schema": schema}]
            return {"model": "m", "messages": messages, "system": "You are an agent.", "tools": tools, **fields}
        case "openai-responses":
            tools = [{"type": "function", **tool, "parameters": schema}]
            return {"model": "m", "input": messages, "instructions": "You are an agent.", "tools": tools, **fields}
        case "gemini":
            said = {"parts": [{"text": "You are an agent."}]}
            tools = [{"functionDeclarations": [tool]}]
            return {"contents": messages, "systemInstruction": said, "tools": tools, **fields}
        case _:
            tools = [{"type": "function", "function": {**tool, "parameters": schema}}]
            return {"model": "m", "messages": messages, "tools": tools, **fields}


MAKERS = {CHAT: chat, MESSAGES: anthropic, RESPONSES: responses, OLLAMA: ollama, GEMINI: gemini}
#: Where each format asks for at most so many tokens.
LIMITS = {
    CHAT: "max_tokens",
    MESSAGES: "max_tokens",
    RESPONSES: "max_output_tokens",
    OLLAMA: "options.num_predict",
    GEMINI: "generationConfig.maxOutputTokens",
}


def limited(path: str, tokens: object) -> dict[str, Any]:
    """The field that asks for at most so many tokens, beside another one where it is nested."""
    outer, _, inner = LIMITS[path].partition(".")
    return {outer: {"temperature": 1.10, inner: tokens, "seed": 7}} if inner else {outer: tokens}


def limit_in(path: str, sent: bytes) -> Any:
    """The output limit of a request."""
    found: Any = json.loads(sent)
    for key in LIMITS[path].split("."):
        found = found[key]
    return found
