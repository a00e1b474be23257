"""Scripted clients that go on for hours: each yields its requests one after the other, always the same ones."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from clients.talk import SYSTEM, Talk, Wire, cleared, is_result

REQUESTS = 220


@dataclass(frozen=True)
class Sent:
    """What a client sends in one request."""

    messages: list[Wire]
    system: Any = None
    tools: Any = None


Script = Callable[[], Iterator[Sent]]


def append_only(format: str) -> Script:
    """The plain case: the same objects, and new ones at the end."""

    def script() -> Iterator[Sent]:
        talk = Talk(format, 1)
        for _ in range(REQUESTS):
            talk.round()
            yield Sent(talk.messages)

    return script


def moving_marks() -> Iterator[Sent]:
    """Two marks on the newest two user messages, two outside; content is a list while marked, else a string."""
    talk = Talk("anthropic", 2)
    mark = {"cache_control": {"type": "ephemeral"}}
    system = [{"type": "text", "text": "Who you are."}, {"type": "text", "text": SYSTEM, **mark}]
    tools = [{"name": "read_file", "input_schema": {"type": "object"}, **mark}]
    for _ in range(REQUESTS):
        talk.round()
        messages = copy.deepcopy(talk.messages)
        users = [at for at, message in enumerate(messages) if message["role"] == "user"]
        for at in users[-2:]:
            blocks = messages[at]["content"]
            if isinstance(blocks, str):
                messages[at]["content"] = blocks = [{"type": "text", "text": blocks}]
            blocks[-1].update(mark)
        yield Sent(messages, system, tools)


def rewrites_its_reminder() -> Iterator[Sent]:
    """The first message is another one in every turn."""
    talk = Talk("anthropic", 3)
    for number in range(REQUESTS):
        talk.round()
        reminder = f"<system-reminder>\nIt is minute {number}. Open files: {number % 7}.\n</system-reminder>"
        first = talk.messages[0]
        blocks = [{"type": "text", "text": reminder}, {"type": "text", "text": first["content"]}]
        yield Sent([{"role": "user", "content": blocks}, *copy.deepcopy(talk.messages[1:])])


def clears_results(format: str) -> Script:
    """Clears thirteen results in place from time to time, in the middle."""

    def script() -> Iterator[Sent]:
        talk = Talk(format, 4)
        for number in range(REQUESTS):
            talk.round()
            if number % 29 == 28:
                results = [at for at, message in enumerate(talk.messages) if is_result(message)]
                for at in results[-17:-4]:
                    talk.messages[at] = cleared(talk.messages[at])
            yield Sent(list(talk.messages))

    return script


def regenerates() -> Iterator[Sent]:
    """Has its newest answer written anew from time to time: what followed is another story."""
    talk = Talk("openai-chat", 5)
    for number in range(REQUESTS):
        talk.round()
        yield Sent(list(talk.messages))
        if number % 10 == 9:
            del talk.messages[-2:]
            talk.round()
            yield Sent(list(talk.messages))


def compacts_itself(format: str) -> Script:
    """Replaces its history by a summary and its newest rounds, and goes on."""

    def script() -> Iterator[Sent]:
        talk = Talk(format, 6)
        for number in range(REQUESTS):
            talk.round()
            yield Sent(list(talk.messages))
            if number % 70 == 69:
                summary = f"This session is being continued from a previous conversation. {talk.text(900, 1500)}"
                talk.messages[:-4] = [{"role": "user", "content": summary}]
                if talk.messages[1]["role"] == "user":
                    del talk.messages[1]

    return script


def odd_values() -> Iterator[Sent]:
    """Lone surrogates in texts and results, and integers of thirty digits in arguments and beside them."""
    talk = Talk("openai-chat", 7)
    for number in range(REQUESTS):
        talk.round()
        talk.messages[-1]["content"] += f"\n\ud83d cut in the middle {number} \x00 and on"
        talk.messages[-1]["meta"] = {"exact": 123456789012345678901234567890 + number}
        if number % 9 == 0:
            talk.messages[-3]["content"] += " \udc00"
        yield Sent(list(talk.messages))


def lists_its_folder() -> Iterator[Sent]:
    """A listing near the top that is rewritten when a file appears, and now and then is not there at all."""
    talk = Talk("openai-chat", 8)
    head = {"role": "system", "content": SYSTEM}
    for number in range(REQUESTS):
        talk.round()
        names = "\n".join(f"notes_{file}.txt" for file in range(number // 7))
        listing = {
            "role": "user",
            "content": f"<environment_context>\nThe folder has:\n{names}\n</environment_context>",
        }
        there = [listing, {"role": "assistant", "content": "Understood."}] if number % 31 < 28 else []
        yield Sent([head, *there, *talk.messages])


def moves_its_reminder() -> Iterator[Sent]:
    """A reminder at the end of the newest user message that moves on with it."""
    talk = Talk("openai-chat", 9)
    reminder = "\n\nReply in English, and name every file that you have read, with its lines."
    for _ in range(REQUESTS):
        talk.user()
        last = {**talk.messages[-1], "content": talk.messages[-1]["content"] + reminder}
        yield Sent([{"role": "system", "content": SYSTEM}, *talk.messages[:-1], last])
        talk.messages.append({"role": "assistant", "content": talk.text(400, 3_000)})


SCRIPTS: dict[str, tuple[str, Script]] = {
    "append-only, chat": ("openai-chat", append_only("openai-chat")),
    "append-only, messages": ("anthropic", append_only("anthropic")),
    "moving marks": ("anthropic", moving_marks),
    "rewrites its first reminder": ("anthropic", rewrites_its_reminder),
    "clears results, chat": ("openai-chat", clears_results("openai-chat")),
    "clears results, messages": ("anthropic", clears_results("anthropic")),
    "regenerates": ("openai-chat", regenerates),
    "compacts itself, chat": ("openai-chat", compacts_itself("openai-chat")),
    "compacts itself, messages": ("anthropic", compacts_itself("anthropic")),
    "odd values": ("openai-chat", odd_values),
    "lists its folder": ("openai-chat", lists_its_folder),
    "moves its reminder": ("openai-chat", moves_its_reminder),
}
