"""Nothing of one key is ever visible to another, and keys are written nowhere."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from proxy.harness import CHAT, ENDPOINTS, GEMINI, MESSAGES, OLLAMA, RESPONSES, between, run
from proxy.transcripts import MAKERS, body, chat, gemini
from proxy.upstream import Received
from requirement import requirement
from vademecum import Archive

BEARER = ({"Authorization": "Bearer sk-first-1111"}, {"Authorization": "Bearer sk-second-2222"})
KEYS = {
    CHAT: BEARER,
    MESSAGES: ({"x-api-key": "sk-ant-first-1111"}, {"x-api-key": "sk-ant-second-2222"}),
    RESPONSES: BEARER,
    OLLAMA: BEARER,
    GEMINI: ({"x-goog-api-key": "AIza-first-1111"}, {"x-goog-api-key": "AIza-second-2222"}),
}
SMALL: dict[str, Any] = {"window": 16_000, "trigger": 3_000}


@requirement("P-3")
@pytest.mark.parametrize("path", ENDPOINTS)
@pytest.mark.parametrize("ids", [{}, {"x-session-id": "ses_1"}, {"x-vademecum-session": "mine"}], ids=str)
def test_another_key_never_continues_a_session(db: Path, path: str, ids: dict[str, str]) -> None:
    first, second = KEYS[path]

    async def work() -> None:
        async with between(db, **SMALL) as proxy:
            for rounds in (30, 31):
                one = await proxy.send(path, body(path, MAKERS[path](rounds)), headers={**first, **ids})
                assert one.cycle == 1
            small = body(path, MAKERS[path](2))
            other = await proxy.send(path, small, headers={**second, **ids})
            assert other.cycle == 0
            grown = await proxy.send(path, body(path, MAKERS[path](32)), headers={**second, **ids})
            # Planned for itself: the other's compaction would have been re-applied.
            assert grown.headers["x-vademecum-outcome"] == "compacted"
            again = await proxy.send(path, body(path, MAKERS[path](32)), headers={**first, **ids})
            assert (again.cycle, again.headers["x-vademecum-outcome"]) == (1, "nothing_needed")

    run(work())


@requirement("P-3")
def test_a_key_in_the_address_keeps_sessions_apart_too(db: Path) -> None:
    async def work() -> None:
        async with between(db, **SMALL) as proxy:
            for key, outcome in (("AIza-1", "compacted"), ("AIza-1", "nothing_needed"), ("AIza-2", "compacted")):
                reply = await proxy.send(f"{GEMINI}?key={key}", body(GEMINI, gemini(30)))
                assert reply.headers["x-vademecum-outcome"] == outcome

    run(work())
    assert b"AIza" not in b"".join(path.read_bytes() for path in db.parent.iterdir())


@requirement("P-3")
def test_without_a_key_there_is_an_owner_too(db: Path) -> None:
    async def work() -> None:
        async with between(db, **SMALL) as proxy:
            await proxy.send(CHAT, body(CHAT, chat(30)), headers=KEYS[CHAT][0])
            reply = await proxy.send(CHAT, body(CHAT, chat(31)))
            assert reply.headers["x-vademecum-outcome"] == "compacted"

    run(work())


@requirement("P-3")
def test_the_archive_shows_an_owner_only_its_own(db: Path) -> None:
    async def work() -> None:
        async with between(db, **SMALL) as proxy:
            await proxy.send(CHAT, body(CHAT, chat(30, tag="secretplan")), headers=KEYS[CHAT][0])

    run(work())
    with Archive.open(db) as archive:
        assert archive.sessions() == []
        assert archive.search("secretplan") == []


@requirement("P-7", "P-9")
def test_keys_are_neither_stored_nor_logged(db: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    keys = [
        ("Authorization", "Bearer sk-secret-aaaa"),
        ("x-api-key", "sk-secret-bbbb"),
        ("api-key", "sk-secret-cccc"),
        ("x-goog-api-key", "sk-secret-dddd"),
    ]

    async def work() -> None:
        async with between(db, **SMALL) as proxy:
            for header in keys:
                for rounds in (2, 30, 31):
                    await proxy.send(f"{CHAT}?key=sk-secret-eeee", body(CHAT, chat(rounds)), headers=[header])
            await proxy.upstream.stop()
            await proxy.send(f"{CHAT}?key=sk-secret-eeee", body(CHAT, chat(3)), headers=keys)

    run(work())
    stored = b"".join(path.read_bytes() for path in db.parent.iterdir())
    assert len(stored) > 10_000
    assert b"sk-secret" not in stored
    assert caplog.text.count("outcome=") > 4
    assert "sk-secret" not in caplog.text
    assert "port the module" not in caplog.text


@requirement("P-3")
def test_cookies_of_one_client_are_not_sent_for_another(db: Path) -> None:
    async def answer(_: web.Request, received: Received) -> web.StreamResponse:
        return web.json_response({}, headers={"Set-Cookie": "who=first; Path=/"})

    async def work() -> None:
        async with between(db, answer) as proxy:
            reply = await proxy.send(CHAT, body(CHAT, chat(1)), headers=KEYS[CHAT][0])
            assert reply.headers["set-cookie"].startswith("who=first")
            await proxy.send(CHAT, body(CHAT, chat(1)), headers=KEYS[CHAT][1])
            assert proxy.last.header("cookie") == []

    run(work())
