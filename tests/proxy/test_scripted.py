"""Scripted clients that go on where the recordings stop, through the proxy: the same promises as through `fit`."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from clients.judging import ours, sent_texts
from clients.scripted import SCRIPTS, Sent
from proxy.harness import CHAT, MESSAGES, Reply, between, run
from requirement import requirement
from vademecum.core.messages import Message
from vademecum.core.tokens import TokenCounter
from vademecum.models.tokenizer import count_tokens
from vademecum.wire import dialect

WINDOW = 32_000
REQUESTS = 120
#: More compactions than this in one session, and something is planned anew that stands already.
MOST_CYCLES = 6


def body_of(format: str, sent: Sent) -> bytes:
    outside: dict[str, Any] = {"model": "m", "stream": False}
    if format == "anthropic":
        outside["max_tokens"] = 1_000
    for name in ("system", "tools"):
        value = getattr(sent, name)
        if value is not None:
            outside[name] = value
    # Escapes keep lone surrogates and NUL as a JavaScript client would send them.
    return json.dumps({**outside, "messages": sent.messages}, separators=(",", ":")).encode("ascii")


async def replayed(name: str, db: Path) -> list[tuple[bytes, bytes, Reply]]:
    format, script = SCRIPTS[name]
    path = MESSAGES if format == "anthropic" else CHAT
    seen: list[tuple[bytes, bytes, Reply]] = []
    async with between(db, window=WINDOW) as proxy:
        for sent in islice(script(), REQUESTS):
            body = body_of(format, sent)
            reply = await proxy.send(path, body, headers={"x-session-id": "client"})
            seen.append((body, proxy.last.body, reply))
    return seen


def loaded(format: str, body: bytes) -> list[Message]:
    rows = json.loads(body)["messages"]
    return [dialect(format).load(row, at) for at, row in enumerate(rows)]


@requirement("P-2", "P-3", "C-27", "C-29")
@pytest.mark.parametrize("name", SCRIPTS)
def test_hours_of_a_client(name: str, db: Path) -> None:
    format = SCRIPTS[name][0]
    counter = TokenCounter(count_tokens)
    plans: dict[str, set[int]] = {}
    reapplied = 0
    for body, upstream, reply in run(replayed(name, db)):
        known = plans.setdefault(reply.session, set())
        if reply.cycle == 0:
            assert upstream == body
            continue
        reapplied += reply.cycle in known
        known.add(reply.cycle)
        raw, sent = loaded(format, body), loaded(format, upstream)
        assert ours(dialect(format), sent, raw) == []
        assert sum(counter.messages(sent)) <= WINDOW
        newest = next(message for message in reversed(raw) if message.typed)
        assert sent_texts(sent, [part.text for part in newest.parts if part.typed])
    planned = sum(len(cycles) for cycles in plans.values())
    assert planned >= 1
    assert all(len(cycles) <= MOST_CYCLES for cycles in plans.values())
    assert reapplied >= 6 * planned
