"""A transcript of our own for the bench: long enough to be cut, with facts that stand in known places."""

from __future__ import annotations

import json
from typing import Any

from vademecum.bench.lineage import Lineage
from vademecum.wire import dialect

Row = dict[str, Any]
SYLLABLES = ["ba", "re", "mo", "ti", "lu", "fen", "gor", "sal", "pim", "dov", "kar", "wex"]


def word(number: int) -> str:
    """A word of its own for each number."""
    return SYLLABLES[number % 12] + SYLLABLES[number // 12 % 12] + SYLLABLES[number // 144 % 12]


def rows(rounds: int) -> list[Row]:
    """Rounds of work; each has an identifier of its own in the user's, the model's and the tool's words."""
    made: list[Row] = [{"role": "system", "content": "You work on a large project."}]
    for number in range(rounds):
        topic, other, code = word(2 * number), word(2 * number + 1), f"{number:03x}"
        made += [
            {
                "role": "user",
                "content": f"Please never touch the {topic} settings of round user-{code}a7 without asking.",
            },
            {
                "role": "assistant",
                "content": f"The {topic} build depends on delegation run-{code}b8 since the {other} change.",
                "tool_calls": [
                    {
                        "id": f"call_{number}",
                        "type": "function",
                        "function": {
                            "name": "shell",
                            "arguments": json.dumps(
                                {"command": f"inspect the {other} {topic} report call-{code}c9 quickly"}
                            ),
                        },
                    }
                ],
            },
            {
                "role": "tool",
                "tool_call_id": f"call_{number}",
                "content": f"checked the {topic} archive and {other} mirror, which gave result-{code}d1 after all\n"
                + "plain filler line of the report\n" * 40,
            },
        ]
    return made


def lineage(rounds: int = 60, name: str = "made") -> Lineage:
    format = dialect("openai-chat")
    return Lineage(name, format, tuple(format.load(row, index) for index, row in enumerate(rows(rounds))))
