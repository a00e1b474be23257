"""One action for each kind of error: a shorter reply, a repaired history, a smaller request; each bounded."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from proxy.harness import CHAT, MESSAGES, RESPONSES, Between, between, config, run, serving
from proxy.test_chain import chained, model_called
from proxy.transcripts import MAKERS, body
from proxy.upstream import Answer, Received
from requirement import requirement


def refusing(error: Any, wrong: Any, *, status: int = 400) -> Answer:
    """An upstream that refuses the bodies for which `wrong` holds."""

    async def answer(_: web.Request, received: Received) -> web.StreamResponse:
        bad = wrong(json.loads(received.body))
        return web.json_response(error if bad else {"ok": True}, status=status if bad else 200)

    return answer


CAP = {"error": {"message": "max_tokens is too large: 30000. This model supports at most 8192 completion tokens"}}


@requirement("M-7", "M-5")
def test_an_output_cap_is_learned_and_kept(db: Path) -> None:
    async def work() -> None:
        async with between(db, refusing(CAP, lambda sent: sent["max_tokens"] > 8_192)) as proxy:

            async def ask(through: Between, rounds: int) -> None:
                reply = await through.send(CHAT, {**body(CHAT, MAKERS[CHAT](rounds)), "max_tokens": 30_000})
                assert (reply.json, reply.cycle) == ({"ok": True}, 0)

            await ask(proxy, 2)
            await ask(proxy, 3)
            async with serving(config(proxy.upstream.url, db)) as url:
                await ask(replace(proxy, url=url), 4)  # another process begins with it
            asked = [json.loads(received.body)["max_tokens"] for received in proxy.upstream.received]
            assert asked == [30_000, 8_192, 8_192, 8_192]

    run(work())


@requirement("M-7", "C-5")
def test_a_shorter_reply_is_asked_for_within_bounds(db: Path) -> None:
    async def work() -> None:
        async with between(db, refusing(CAP, lambda _: True)) as proxy:
            reply = await proxy.send(CHAT, {**body(CHAT, MAKERS[CHAT](2)), "max_tokens": 30_000})
            assert (reply.status, reply.json) == (400, CAP)
            # The same is not sent a second time.
            assert [json.loads(received.body)["max_tokens"] for received in proxy.upstream.received] == [
                30_000,
                8_192,
            ]

    run(work())


BUDGET = {"error": {"message": "Request too large for m on tokens per min (TPM): Limit 6000, Requested 9000", "code": "rate_limit_exceeded"}}  # fmt: skip  # noqa: E501


@requirement("M-7")
def test_a_request_above_a_rate_is_shrunk_and_the_rate_is_no_window(db: Path) -> None:
    answer = refusing(BUDGET, lambda sent: len(json.dumps(sent)) > 10_000, status=429)

    async def work() -> None:
        async with between(db, answer, window=200_000) as proxy:
            reply = await proxy.send(CHAT, body(CHAT, MAKERS[CHAT](40)))
            assert (reply.status, reply.cycle >= 1) == (200, True)
            assert reply.headers["x-vademecum-window"] == "200000"

    run(work())


@requirement("M-7", "P-7")
def test_where_there_is_another_upstream_it_has_what_is_above_a_rate(db: Path) -> None:
    async def work() -> None:
        async with chained(db, refusing(BUDGET, lambda _: True, status=429), model_called("small")) as proxy:
            reply = await proxy.send(CHAT, body(CHAT, MAKERS[CHAT](40)))
            assert (reply.json["model"], reply.cycle) == ("small", 0)
            assert proxy.counts == (1, 1)

    run(work())


SIGNED: dict[str, Any] = {"type": "thinking", "thinking": "hm", "signature": "c2ln"}
SEALED = {"type": "reasoning", "id": "rs_a_0", "summary": [], "encrypted_content": "gAAAAa0"}


def orphan(sent: dict[str, Any]) -> bool:
    called = {call["id"] for row in sent["messages"] for call in row.get("tool_calls", ())}
    return any(row["role"] == "tool" and row["tool_call_id"] not in called for row in sent["messages"])


def unanswered(sent: dict[str, Any]) -> bool:
    rows = sent["messages"]
    answered = {row.get("tool_call_id") for row in rows}
    return any(call["id"] not in answered for row in rows for call in row.get("tool_calls", ()))


def _without(index: int) -> list[dict[str, Any]]:
    return [row for at, row in enumerate(MAKERS[CHAT](3)) if at != index]


HISTORIES: dict[str, tuple[str, list[dict[str, Any]], Any, Any]] = {
    "signature": (
        MESSAGES,
        [
            {"role": "user", "content": "Go on."},
            {"role": "assistant", "content": [SIGNED, {"type": "text", "text": "Yes."}]},
            {"role": "user", "content": "And?"},
        ],
        {"type": "error", "error": {"message": "messages.1.content.0: Invalid `signature` in `thinking` block"}},
        lambda sent: "signature" in json.dumps(sent),
    ),
    "sealed": (
        RESPONSES,
        MAKERS[RESPONSES](2),
        {"error": {"message": "The encrypted content could not be verified.", "code": "invalid_encrypted_content"}},
        lambda sent: "encrypted_content" in json.dumps(sent),
    ),
    "result without a call": (
        CHAT,
        _without(2),
        {
            "error": {
                "message": "messages with role 'tool' must be a response to a preceeding message with 'tool_calls'"
            }
        },
        orphan,
    ),
    "call without a result": (
        CHAT,
        _without(3),
        {"error": {"message": "An assistant message with 'tool_calls' must be followed by tool messages"}},
        unanswered,
    ),
    "empty text": (
        MESSAGES,
        [
            {"role": "user", "content": "Go on."},
            {"role": "assistant", "content": [{"type": "text", "text": ""}, {"type": "text", "text": "Yes."}]},
            {"role": "user", "content": "And?"},
        ],
        {"type": "error", "error": {"message": "messages: text content blocks must be non-empty"}},
        lambda sent: '"text": ""' in json.dumps(sent),
    ),
}


@requirement("M-7")
@pytest.mark.parametrize("name", HISTORIES)
def test_a_bad_history_is_repaired_and_not_compacted(db: Path, name: str) -> None:
    path, messages, error, wrong = HISTORIES[name]

    async def work() -> None:
        async with between(db, refusing(error, wrong)) as proxy:
            reply = await proxy.send(path, body(path, messages))
            assert (reply.status, reply.json, reply.cycle) == (200, {"ok": True}, 0)
            first, second = proxy.upstream.received
            assert len(second.messages) >= len(first.messages) - 2
            assert json.loads(first.body).keys() == json.loads(second.body).keys()

    run(work())


@requirement("M-7")
def test_a_history_is_repaired_once(db: Path) -> None:
    path, messages, error, _ = HISTORIES["signature"]

    async def work() -> None:
        async with between(db, refusing(error, lambda _: True)) as proxy:
            reply = await proxy.send(path, body(path, messages))
            assert (reply.status, reply.json) == (400, error)
            assert len(proxy.upstream.received) == 2

    run(work())
