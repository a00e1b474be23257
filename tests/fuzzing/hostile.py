"""One hostile input in a process of its own: `hostile.py NAME`; it says how it ended, and what that took."""

from __future__ import annotations

import json
import resource
import sys
import time
from collections.abc import Callable
from typing import Any

from vademecum import Archive, Compactor
from vademecum.errors import VademecumError
from vademecum.wire import dialect

Row = dict[str, Any]
WINDOW = 64_000


def user(text: object) -> Row:
    return {"role": "user", "content": text}


def said(text: str) -> Row:
    return {"role": "assistant", "content": text}


def calling(id: str, arguments: str = "{}") -> Row:
    call = {"id": id, "type": "function", "function": {"name": "bash", "arguments": arguments}}
    return {"role": "assistant", "content": None, "tool_calls": [call]}


def result(id: str, text: object) -> Row:
    return {"role": "tool", "tool_call_id": id, "content": text}


def around(text: object) -> list[Row]:
    return [user("go"), calling("a"), result("a", text), {"role": "assistant", "content": "so"}, user("on")]


def reused(count: int) -> list[Row]:
    rows = [user("go")]
    for at in range(count):
        rows += [calling("call_0"), result("call_0", f"result number {at} of many, all of one id. " * 20)]
    return rows


def unanswered(count: int) -> list[Row]:
    rows = [user("go")]
    for at in range(count):
        rows += [calling(f"c{at}"), user(f"It hangs, step {at}. " * 20)]
    return rows


def deep(levels: int) -> str:
    return '{"a":' * levels + "1" + "}" * levels


#: What is sent, each as a whole transcript.
INPUTS: dict[str, Callable[[], list[Row]]] = {
    "spaces": lambda: around(" " * 1_000_000),
    "one letter": lambda: around("a" * 1_000_000),
    "one ideograph": lambda: around("的" * 1_000_000),
    "one emoji": lambda: around("👍" * 1_000_000),
    "newlines": lambda: around("\n" * 1_000_000),
    "quotes": lambda: around('"' * 1_000_000),
    "slashes": lambda: around("a/" * 500_000),
    "combining": lambda: around("e" + "\u0301" * 1_000_000),
    "lone surrogates": lambda: around("\ud83d" * 200_000),
    "nul": lambda: around("\x00" * 200_000),
    "deep arguments": lambda: [*around("x"), calling("d", deep(10_000)), result("d", deep(10_000)), user("on")],
    "one letter typed": lambda: [user("a" * 1_000_000)],
    "5,000 parts": lambda: [user([{"type": "text", "text": f"part {at} of it"} for at in range(5_000)]), user("on")],
    "5,000 calls": lambda: [
        user("go"),
        {**calling("x"), "tool_calls": [calling(f"p{at}")["tool_calls"][0] for at in range(5_000)]},
        *(result(f"p{at}", f"result {at}") for at in range(5_000)),
    ],
    "a giant answer": lambda: [
        user("write"),
        {"role": "assistant", "content": "the words go on. " * 54_000},
        user("on"),
    ],
    "reused ids": lambda: reused(3_000),
    "calls without results": lambda: unanswered(3_000),
    "tiny messages": lambda: [
        row for at in range(5_000) for row in (user(f"{at}"), {"role": "assistant", "content": "k"})
    ],
    "an 8 MB result": lambda: around("a line of the log that says nothing\n" * 230_000),
    "a 50 MB result": lambda: around("a line of the log that says nothing\n" * 1_400_000),
    "100,000 tiny messages": lambda: [row for at in range(50_000) for row in (user(f"{at}"), said("k"))],
}


def ended(rows: list[Row]) -> str:
    """How a compaction of it ends: the outcome, or the error's name."""
    compactor = Compactor(window=WINDOW, session=Archive.memory().session("s", format="openai-chat"))
    try:
        done = compactor.fit(rows)
    except VademecumError as error:
        return type(error).__name__
    assert done.receipt.tokens_after <= WINDOW
    if done.receipt.cycle:
        chat = dialect("openai-chat")
        kinds = {
            problem.kind for problem in chat.problems([chat.load(row, at) for at, row in enumerate(done.messages)])
        }
        assert kinds <= {"open_call", "alternation"}, kinds
    return done.receipt.outcome


def main(name: str) -> None:
    rows = INPUTS[name]()
    size = len(json.dumps(rows[:20_000])) / 1e6
    before, began = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.monotonic_ns()
    outcome = ended(rows)
    seconds = (time.monotonic_ns() - began) / 1e9
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    print(json.dumps({"outcome": outcome, "seconds": seconds, "grown_mb": grown, "sent_mb": size}))


if __name__ == "__main__":
    main(sys.argv[1])
