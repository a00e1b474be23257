"""A model of our own for the made transcript: it writes questions, searches, and answers from what it is shown."""

from __future__ import annotations

import json
import re

RECORD = re.compile(r"\[(\d+)\] assistant: The (\w+) build depends on delegation (run-\w+) since the (\w+) change")


def writes(prompt: str) -> str:
    """Questions about what the made transcript says, in a fence and with talk around; a few are no good."""
    count = int(prompt.rsplit("Write ", 1)[1].split(maxsplit=1)[0])
    made = [
        {
            "question": f"Which delegation does the {topic} build depend on since the {other} change?",
            "gold": name,
            "message": int(at),
        }
        for at, topic, name, other in RECORD.findall(prompt)[: count - 1]
    ]
    made.append({"question": "Which delegation does nobody know of at all?", "gold": "run-fffff0", "message": 3})
    return "Here they are:\n```json\n" + json.dumps(made) + "\n```\nGood luck!"


def answers(prompt: str) -> str:
    """What stands in the context, or what was found, about the question's topic."""
    if prompt.endswith("Search:"):
        return prompt.rsplit("Question: ", 1)[1].split("?", maxsplit=1)[0]
    words = re.search(r"Question: Which delegation does the (\w+) build depend on since the (\w+) change", prompt)
    if words:
        found = re.search(f"The {words[1]} build depends on delegation (run-\\w+) since the {words[2]}", prompt)
        if found:
            return f"It is `{found[1]}`."
    return "I do not know."


def reply_to(prompt: str) -> str:
    """Whatever the prompt asks for."""
    return writes(prompt) if "<slice>" in prompt else answers(prompt)
