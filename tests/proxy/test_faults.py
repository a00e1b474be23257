"""Faults of ours never lose a request, and what must not be served is refused."""

from __future__ import annotations

import asyncio
import logging
import os
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from proxy.harness import CHAT, ENDPOINTS, GEMINI, MESSAGES, OLLAMA, between, encoded, run
from proxy.transcripts import MAKERS, body, chat
from requirement import requirement
from vademecum.compactor import Compactor
from vademecum.errors import CannotFitError

SMALL: dict[str, Any] = {"window": 16_000, "trigger": 3_000, "patience": 0.1}
EACH = pytest.mark.parametrize("path", ENDPOINTS)


@requirement("P-8")
@EACH
@pytest.mark.parametrize(
    "error",
    [RuntimeError("port the module"), CannotFitError(2, 1), RecursionError(), MemoryError(), AssertionError()],
    ids=lambda error: type(error).__name__,
)
def test_an_error_while_fitting_lets_the_request_out_as_it_came(
    db: Path, path: str, error: Exception, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fit(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(Compactor, "fit", fit)
    sent = encoded(body(path, MAKERS[path](40)))

    async def work() -> None:
        async with between(db, **SMALL) as proxy:
            for _ in range(2):
                assert (await proxy.send(path, sent)).status == 200
                assert proxy.last.body == sent

    run(work())
    assert f"goes out as it came: {type(error).__name__}" in caplog.text
    assert "port the module" not in caplog.text


@requirement("P-8")
@pytest.mark.parametrize("moment", ["from the start", "in the middle"])
def test_a_locked_archive_loses_nothing(db: Path, moment: str, caplog: pytest.LogCaptureFixture) -> None:
    async def work() -> None:
        async with between(db, **SMALL) as proxy:
            await proxy.send(CHAT, body(CHAT, chat(1)))
            if moment == "in the middle":
                await proxy.send(CHAT, body(CHAT, chat(20)))
            other = sqlite3.connect(db, isolation_level=None)
            other.execute("BEGIN IMMEDIATE")
            sent = encoded(body(CHAT, chat(30)))
            assert (await proxy.send(CHAT, sent)).status == 200
            assert proxy.last.body == sent
            other.execute("ROLLBACK")
            other.close()
            reply = await proxy.send(CHAT, body(CHAT, chat(31)))
            assert reply.cycle >= 1

    run(work())
    assert "ArchiveBusy" in caplog.text


@requirement("P-8")
@EACH
def test_an_archive_that_is_damaged_meanwhile_loses_nothing(
    db: Path, path: str, caplog: pytest.LogCaptureFixture
) -> None:
    async def work() -> None:
        async with between(db, **SMALL) as proxy:
            await proxy.send(path, body(path, MAKERS[path](1)))
            other = sqlite3.connect(db)
            other.executescript("DROP TABLE messages; DROP TABLE facts;")
            other.close()
            for rounds in (30, 31):
                sent = encoded(body(path, MAKERS[path](rounds)))
                assert (await proxy.send(path, sent)).status == 200
                assert proxy.last.body == sent

    run(work())
    assert "goes out as it came" in caplog.text


@requirement("P-8")
@pytest.mark.parametrize("kind", ["corrupt", "folder", "of another program"])
def test_an_archive_that_cannot_be_opened_loses_nothing(
    db: Path, kind: str, caplog: pytest.LogCaptureFixture
) -> None:
    if kind == "corrupt":
        db.write_bytes(os.urandom(10_000))
    elif kind == "folder":
        db.mkdir()
    else:
        sqlite3.connect(db).executescript("CREATE TABLE mine (x); INSERT INTO mine VALUES (1);")

    async def work() -> None:
        async with between(db, **SMALL) as proxy:
            sent = encoded(body(CHAT, chat(30)))
            assert (await proxy.send(CHAT, sent)).status == 200
            assert proxy.last.body == sent

    run(work())
    assert "goes out as it came: Archive" in caplog.text


@requirement("P-8")
@EACH
@pytest.mark.parametrize("announced", [True, False])
def test_a_body_that_is_too_large_is_refused_in_the_format(db: Path, path: str, announced: bool) -> None:
    data = encoded(body(path, MAKERS[path](40)))

    async def pieces():
        for at in range(0, len(data), 1_000):
            yield data[at : at + 1_000]

    async def work() -> None:
        async with between(db, max_body=8_000) as proxy:
            sent = data if announced else pieces()
            async with proxy.client.post(proxy.url + path, data=sent) as reply:
                assert reply.status == 413
                error = await reply.json()
            assert "8,000" in str(error["error"])
            if path == OLLAMA:
                assert isinstance(error["error"], str)
            if path == GEMINI:
                assert (error["error"]["code"], error["error"]["status"]) == (413, "INVALID_ARGUMENT")
            if path == MESSAGES:
                assert (error["type"], error["error"]["type"]) == ("error", "request_too_large")
            assert proxy.upstream.received == []
            # What only passes through is not read, and has no limit.
            assert (await proxy.send("/v1/files", data)).status == 200
            assert proxy.last.body == data

    run(work())


@requirement("P-8")
@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "localhost.evil:1", "10.0.0.1", ""]
)
def test_a_foreign_host_is_refused(db: Path, host: str) -> None:
    async def work() -> None:
        async with between(db) as proxy:
            reply = await proxy.send(CHAT, body(CHAT, chat(1)), headers={"Host": host})
            assert reply.status == 421
            assert (await proxy.send("/health", method="GET", headers={"Host": host})).status == 421
            assert proxy.upstream.received == []

    run(work())


@requirement("P-8")
@pytest.mark.parametrize(
    ("origin", "status"),
    [
        ("https://evil.example", 403),
        ("http://localhost.evil.example:3000", 403),
        ("http://127.0.0.1.evil.example", 403),
        ("http://localhost:3000", 200),
        ("http://[::1]:3000", 200),
        ("vscode-webview://panel", 200),
    ],
)
def test_pages_of_other_sites_are_refused(db: Path, origin: str, status: int) -> None:
    """A browser sends a simple request without asking first: it must not reach the upstream, and its bill."""

    async def work() -> None:
        async with between(db) as proxy:
            headers = {"Origin": origin, "Content-Type": "text/plain"}
            for path in (CHAT, "/v1/files"):
                assert (await proxy.send(path, body(CHAT, chat(1)), headers=headers)).status == status
            assert bool(proxy.upstream.received) == (status == 200)

    run(work())


@requirement("P-8")
@pytest.mark.parametrize("host", ["localhost", "LocalHost:8787", "127.0.0.1", "[::1]:8787", "[::1]"])
def test_the_loopback_by_any_name_is_served(db: Path, host: str) -> None:
    async def work() -> None:
        async with between(db) as proxy:
            reply = await proxy.send("/health", method="GET", headers={"Host": host})
            assert (reply.status, reply.json) == (200, {"status": "ok"})

    run(work())


@requirement("P-8", "C-35")
def test_requests_of_one_session_wait_without_a_worker_and_others_go_on(
    db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ten requests of one session hang in their compactor's place; another session's request passes."""
    import threading

    free, entered, original = threading.Event(), threading.Event(), Compactor.fit

    def fit(self: Compactor, messages: Any, **more: Any) -> Any:
        if "module slow" in str(messages[1]["content"]):
            entered.set()
            assert free.wait(60)
        return original(self, messages, **more)

    monkeypatch.setattr(Compactor, "fit", fit)

    async def work() -> None:
        async with between(db) as proxy:
            slow = [
                asyncio.create_task(proxy.send(CHAT, body(CHAT, chat(3, tag="slow")), headers={"x-session-id": "s"}))
                for _ in range(10)
            ]
            try:
                while not entered.is_set():
                    await asyncio.sleep(0)
                for at in range(5):
                    assert (await proxy.send(CHAT, body(CHAT, chat(1, tag=f"m{at}")))).status == 200
                assert not any(task.done() for task in slow)
            finally:
                free.set()
            assert {reply.status for reply in await asyncio.gather(*slow)} == {200}

    run(work())


@requirement("P-9")
def test_a_log_line_says_what_was_done_without_contents(db: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "vademecum.proxy")

    async def work() -> None:
        async with between(db, **SMALL) as proxy:
            await proxy.send(CHAT, body(CHAT, chat(30)))

    run(work())
    (line,) = [record.getMessage() for record in caplog.records if record.name == "vademecum.proxy"]
    assert "cycle=1 outcome=compacted before=" in line
    assert "port" not in line
