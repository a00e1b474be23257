"""An endless, seeded conversation with tools in either format, from which scripted clients make their requests."""

from __future__ import annotations

import json
import random
from typing import Any

Wire = dict[str, Any]
WORDS = [
    *("timber", "harbor", "maple", "vineyard", "copper", "notebook", "lantern", "granite", "orchard", "feather"),
    *("window", "kitchen", "pebble", "willow", "meadow", "blanket", "journey", "cedar", "bridge", "garden"),
    *("silver", "thunder", "ribbon", "anchor", "basket", "compass"),
]
SYSTEM = "You are a careful engineer. Read before you write, and say what you have found."
#: A user speaks once in so many rounds.
TURN = 9


class Talk:
    """Rounds of a conversation: now and then a user's text, then a call and its result.

    Args:
        format: `openai-chat` or `anthropic`.
        seed: Of everything that it says.
    """

    def __init__(self, format: str, seed: int) -> None:
        self.format = format
        self._chance = random.Random(seed)
        self._seed = seed
        self._rounds = 0
        self._users = 0
        self.messages: list[Wire] = []

    def text(self, least: int, most: int) -> str:
        """Some sentences with a name in each that occurs nowhere else."""
        chance = self._chance
        lines: list[str] = []
        while sum(map(len, lines)) < chance.randint(least, most):
            words = " ".join(chance.choice(WORDS) for _ in range(chance.randint(6, 14)))
            name = f"src/{chance.choice(WORDS)}/{chance.randrange(10**6):06x}.py:{chance.randrange(900)}"
            lines.append(f"{words} {name}")
        return "\n".join(lines)

    def user(self, note: str = "") -> Wire:
        """A user's message; appended."""
        self._users += 1
        said = f"REQUEST-{self._seed}-{self._users}: {self.text(60, 240)}{note}"
        self.messages.append({"role": "user", "content": said})
        return self.messages[-1]

    def round(self, *, least: int = 300, most: int = 4_000) -> None:
        """A call and its result, after a user's message where it is time for one."""
        if self._rounds % TURN == 0:
            if self._rounds:
                self.messages.append({"role": "assistant", "content": f"Done so far. {self.text(80, 200)}"})
            self.user()
        self._rounds += 1
        call = f"call_{self._seed}_{self._rounds}_{self._chance.randrange(10**6):06x}"
        arguments = {"path": f"src/{self._chance.choice(WORDS)}_{self._rounds}.py", "limit": 10**29 + self._rounds}
        said, result = self.text(40, 120), self.text(least, most)
        self.messages += called(self.format, call, arguments, said, result)

    def rounds(self, count: int) -> None:
        """Several rounds."""
        for _ in range(count):
            self.round()


def called(format: str, call: str, arguments: dict[str, Any], said: str, result: str) -> list[Wire]:
    """An assistant's call and its result, as the format has them."""
    if format == "anthropic":
        use = {"type": "tool_use", "id": call, "name": "read_file", "input": arguments}
        answer = {"type": "tool_result", "tool_use_id": call, "content": result}
        return [
            {"role": "assistant", "content": [{"type": "text", "text": said}, use]},
            {"role": "user", "content": [answer]},
        ]
    function = {"name": "read_file", "arguments": json.dumps(arguments)}
    calls = [{"id": call, "type": "function", "function": function}]
    return [
        {"role": "assistant", "content": said, "tool_calls": calls},
        {"role": "tool", "tool_call_id": call, "content": result},
    ]


def cleared(message: Wire) -> Wire:
    """A tool result as a harness clears it in place; other messages as they are."""
    note = "[Old tool result content cleared]"
    if message["role"] == "tool":
        return {**message, "content": note}
    if isinstance(message["content"], list) and message["content"][0]["type"] == "tool_result":
        return {**message, "content": [{**message["content"][0], "content": note}]}
    return message


def is_result(message: Wire) -> bool:
    """Whether a message brings a tool result."""
    content = message["content"]
    return message["role"] == "tool" or (isinstance(content, list) and content[0].get("type") == "tool_result")
