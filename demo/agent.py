"""A scripted agent that really works, and whose transcript is therefore a real one.

    python demo/agent.py OUT.jsonl --tokens 200000 --seed 0

It copies the repository to a temporary folder, works there with real tools, and writes one OpenAI chat
message a line. No model, no key, no network.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import script
import tools
from moves import Act, Ask, Call, Seen

REPOSITORY = Path(__file__).resolve().parent.parent
CHARS_PER_TOKEN = 4

Message = dict[str, Any]


@dataclass(frozen=True)
class Session:
    """What a run of the agent came to."""

    messages: int
    calls: int
    tokens: int


def work(workspace: tools.Workspace, tokens: int, seed: int) -> Iterator[Message]:
    """Runs the script against the tools and yields every message as it arises."""
    size = 0
    calls = 0
    model = script.session(tokens, seed)
    yield _message("system", script.SYSTEM)
    move: Ask | Act = next(model)
    while True:
        if isinstance(move, Ask):
            emitted = [_message("user", move.text)]
        else:
            identified = [(f"call_{seed:x}{calls + place:05x}", each) for place, each in enumerate(move.calls)]
            calls += len(identified)
            emitted = [_assistant(move.text, identified)]
            emitted += [_result(workspace, call_id, each) for call_id, each in identified]
        yield from emitted
        size += sum(_tokens(message) for message in emitted)
        results = tuple(message["content"] for message in emitted if message["role"] == "tool")
        try:
            move = model.send(Seen(results, size))
        except StopIteration:
            return


def write_session(out: Path, *, tokens: int, seed: int = 0) -> Session:
    """Lets the agent work until its transcript has about `tokens` tokens, and writes it to `out`."""
    messages = calls = size = 0
    with tempfile.TemporaryDirectory(prefix="agent-") as folder:
        workspace = tools.scratch_copy(REPOSITORY, Path(folder, "repo"))
        with out.open("w", encoding="utf-8", newline="\n") as file:
            for message in work(workspace, tokens, seed):
                file.write(json.dumps(message, ensure_ascii=False) + "\n")
                messages += 1
                calls += len(message.get("tool_calls", ()))
                size += _tokens(message)
    return Session(messages, calls, size)


def _message(role: str, content: str, **more: object) -> Message:
    stamp = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return {"role": role, "content": content, **more, "ts": stamp}


def _assistant(text: str, calls: list[tuple[str, Call]]) -> Message:
    wire = [
        {
            "id": call_id,
            "type": "function",
            "function": {
                "name": call.name,
                "arguments": json.dumps(dict(call.arguments), ensure_ascii=False),
            },
        }
        for call_id, call in calls
    ]
    return _message("assistant", text, tool_calls=wire) if wire else _message("assistant", text)


def _result(workspace: tools.Workspace, call_id: str, call: Call) -> Message:
    result = tools.call(workspace, call.name, call.arguments)
    return _message("tool", result, tool_call_id=call_id, name=call.name)


def _tokens(message: Message) -> int:
    arguments = (call["function"]["arguments"] for call in message.get("tool_calls", ()))
    return (len(message["content"]) + sum(map(len, arguments))) // CHARS_PER_TOKEN


def main() -> None:
    """Command line of the transcript maker."""
    parser = argparse.ArgumentParser(description="Let the scripted agent work and write its transcript.")
    parser.add_argument("out", type=Path, help="the transcript, one OpenAI chat message a line")
    parser.add_argument("--tokens", type=int, default=200_000, help="size to reach, at four characters a token")
    parser.add_argument("--seed", type=int, default=0, help="which files, names and lines the agent chooses")
    given = parser.parse_args()
    session = write_session(given.out, tokens=given.tokens, seed=given.seed)
    print(f"{given.out}: {session.messages} messages, {session.calls} tool calls, ~{session.tokens:,} tokens")


if __name__ == "__main__":
    main()
