"""Every format is compacted alike: below the trigger bytes, above it one compaction that is applied again."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from clients.judging import ours
from proxy.harness import CHAT, ENDPOINTS, GEMINI, MESSAGES, OLLAMA, RESPONSES, Reply, between, encoded, run
from proxy.transcripts import MAKERS, body
from requirement import requirement
from vademecum.proxy.endpoints import format_of, words_of
from vademecum.wire import dialect
from vademecum.wire.bodies import BODIES

SMALL: dict[str, Any] = {"window": 16_000, "trigger": 4_000}
KEY = {"Authorization": "Bearer sk-1"}


async def grown(db: Path, path: str, rounds: range, **fields: Any) -> list[tuple[bytes, bytes, Reply]]:
    """What a conversation that grows sends, what the upstream gets, and the replies."""
    seen: list[tuple[bytes, bytes, Reply]] = []
    async with between(db, **SMALL) as proxy:
        for count in rounds:
            sent = encoded(body(path, MAKERS[path](count), **fields))
            reply = await proxy.send(path, sent, headers=KEY)
            seen.append((sent, proxy.last.body, reply))
    return seen


def rows(path: str, data: bytes) -> list[Any]:
    return json.loads(data)[BODIES[format_of(path) or ""].messages]


@requirement("P-1", "P-2")
@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("path", ENDPOINTS)
def test_a_conversation_is_compacted_once_and_its_prefix_stays(db: Path, path: str, stream: bool) -> None:
    seen = run(grown(db, path, range(2, 50, 3), stream=stream))
    small, large = [one for one in seen if one[2].cycle == 0], [one for one in seen if one[2].cycle > 0]
    assert len(small) >= 3
    assert len(large) >= 6
    assert all(got == sent for sent, got, _ in small)
    planned = [reply for _, _, reply in large if reply.headers["x-vademecum-outcome"] == "compacted"]
    assert 1 <= len(planned) <= len(large) // 3
    assert len({reply.session for _, _, reply in seen}) == 1
    chosen = dialect(format_of(path) or "")
    for (_, before, one), (sent, after, two) in pairwise(large):
        messages = [chosen.load(row, at) for at, row in enumerate(rows(path, after))]
        raw = [chosen.load(row, at) for at, row in enumerate(rows(path, sent))]
        assert ours(chosen, messages, raw) == []
        if one.cycle == two.cycle:
            shared = len(rows(path, before))
            assert rows(path, after)[:shared] == rows(path, before)


@requirement("P-2")
@pytest.mark.parametrize("path", ENDPOINTS)
def test_a_restart_gives_the_same_bytes(db: Path, path: str) -> None:
    (_, before, _), *_ = run(grown(db, path, range(40, 41)))
    (_, after, reply), *_ = run(grown(db, path, range(40, 41)))
    assert reply.cycle == 1
    assert reply.headers["x-vademecum-outcome"] == "nothing_needed"
    assert after == before


@requirement("P-6")
@pytest.mark.parametrize("path", ENDPOINTS)
def test_the_client_is_told_both_sizes(db: Path, path: str) -> None:
    seen = run(grown(db, path, range(5, 50, 4)))
    sizes = [
        (reply.cycle, int(reply.headers["x-vademecum-tokens"]), int(reply.headers["x-vademecum-transcript-tokens"]))
        for _, _, reply in seen
    ]
    assert all(context == transcript for cycle, context, transcript in sizes if cycle == 0)
    assert all(context < transcript for cycle, context, transcript in sizes if cycle > 0)
    grows = [transcript for _, _, transcript in sizes]
    assert grows == sorted(grows)
    assert grows[-1] > 8 * grows[0]
    assert max(context for _, context, _ in sizes) <= SMALL["trigger"]


@requirement("P-1")
@pytest.mark.parametrize(
    ("path", "format"),
    [
        ("/responses", "openai-responses"),
        ("/chat/completions", "openai-chat"),
        ("/v1/models/gemini-m:streamGenerateContent", "gemini"),
        ("/v1beta/tunedModels/mine:generateContent", "gemini"),
        ("/v1/projects/p/locations/l/publishers/google/models/m:streamGenerateContent", "gemini"),
        ("/v1/messages/count_tokens", None),
        ("/v1beta/models/gemini-m:countTokens", None),
        ("/v1beta/models/gemini-m:embedContent", None),
        ("/v1/responses/resp_1", None),
        ("/v1/responses/compact", None),
        ("/v1/embeddings", None),
        ("/api/generate", None),
        ("/api/chats", None),
    ],
)
def test_endpoints(db: Path, path: str, format: str | None) -> None:
    makers = {"openai-responses": RESPONSES, "gemini": GEMINI, "openai-chat": CHAT, None: MESSAGES}
    kind = makers[format]
    sent = encoded(body(kind, MAKERS[kind](40)))

    async def work() -> None:
        async with between(db, **SMALL) as proxy:
            reply = await proxy.send(f"{path}?alt=sse&beta=true", sent)
            assert proxy.last.target == f"{path}?alt=sse&beta=true"
            assert (reply.cycle, proxy.last.body == sent) == ((1, False) if format else (-1, True))

    assert format_of(path) == format
    run(work())


@requirement("P-4")
def test_errors_elsewhere_are_told_in_the_words_of_the_neighbours() -> None:
    assert words_of("/v1/messages/count_tokens") == "anthropic"
    assert words_of("/v1beta/models/gemini-m:countTokens") == "gemini"
    assert words_of("/api/tags") == words_of(OLLAMA) == "ollama"
    assert words_of("/v1/models") == "openai-chat"


@requirement("P-1", "P-2")
@pytest.mark.parametrize("indent", [None, 2])
def test_a_text_in_place_of_the_list_passes_and_goes_on_as_a_list(db: Path, indent: int | None) -> None:
    task = "Please port the module a.py and keep port 5433."
    alone = json.dumps({"model": "m", "input": task, "stream": False}, indent=indent).encode()

    async def work() -> None:
        async with between(db, **SMALL) as proxy:
            first = await proxy.send(RESPONSES, alone)
            assert proxy.last.body == alone
            items = [{"role": "user", "content": task}, *MAKERS[RESPONSES](1)[1:]]
            second = await proxy.send(RESPONSES, {"model": "m", "input": items, "stream": False})
            assert first.session == second.session != ""

    run(work())


@requirement("P-2")
def test_a_long_text_alone_stays_a_request_that_can_be_sent(db: Path) -> None:
    alone = json.dumps({"model": "m", "input": "word and another word " * 2_000, "n": 1.10}).encode()

    async def work() -> None:
        async with between(db, **SMALL) as proxy:
            reply = await proxy.send(RESPONSES, alone)
            got = json.loads(proxy.last.body)
            if reply.cycle == 0:
                assert proxy.last.body == alone
            else:
                assert all(isinstance(item, dict) for item in got["input"])
            assert proxy.last.body.endswith(b', "n": 1.1}')

    run(work())


@requirement("P-3")
@pytest.mark.parametrize(
    ("headers", "fields", "session"),
    [
        ({"thread-id": "t1", "session-id": "s1"}, {"prompt_cache_key": "p1"}, "t1"),
        ({"session_id": "s1"}, {"prompt_cache_key": "p1"}, "s1"),
        ({"conversation_id": "c1", "session_id": "s1"}, {}, "c1"),
        ({"x-session-id": "s1"}, {"prompt_cache_key": "p1"}, "s1"),
        ({}, {"prompt_cache_key": "p1"}, "p1"),
        ({"x-vademecum-session": "mine"}, {"prompt_cache_key": "p1"}, "mine"),
    ],
)
def test_the_conversation_is_the_most_telling_id(
    db: Path, headers: dict[str, str], fields: dict[str, Any], session: str
) -> None:
    async def work() -> None:
        async with between(db) as proxy:
            reply = await proxy.send(RESPONSES, body(RESPONSES, MAKERS[RESPONSES](2), **fields), headers=headers)
            assert reply.session == session

    run(work())


@requirement("P-3")
@pytest.mark.parametrize("path", ENDPOINTS)
def test_an_answer_asked_for_again_is_a_branch(db: Path, path: str) -> None:
    async def work() -> None:
        async with between(db, **SMALL) as proxy:
            await proxy.send(path, body(path, MAKERS[path](40)))
            main = await proxy.send(path, body(path, MAKERS[path](42)))
            other = MAKERS[path](40) + MAKERS[path](2, tag="b")[-4:]
            branch = await proxy.send(path, body(path, other))
            again = await proxy.send(path, body(path, MAKERS[path](43)))
            assert again.session == main.session != branch.session
            assert again.headers["x-vademecum-outcome"] == "nothing_needed"

    run(work())
