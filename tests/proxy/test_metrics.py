"""What the proxy says of itself: in numbers, in headers, in its log; never what passes through it."""

from __future__ import annotations

import logging
import re
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from proxy.harness import CHAT, MESSAGES, Between, between, run
from proxy.test_chain import BUSY, Clock, chained, failing, model_called
from proxy.transcripts import MAKERS, body
from requirement import requirement

SMALL = {"window": 20_000, "trigger": 4_000}
Numbers = dict[tuple[str, tuple[str, ...]], float]


async def numbers(proxy: Between) -> Numbers:
    reply = await proxy.send("/metrics", method="GET")
    assert (reply.status, reply.headers["Content-Type"].split(";")[0]) == (200, "text/plain")
    return {
        (
            sample.name.removeprefix("vademecum_proxy_"),
            tuple(sample.labels[name] for name in sorted(sample.labels)),
        ): sample.value
        for family in text_string_to_metric_families(reply.body.decode())
        for sample in family.samples
    }


@requirement("P-9")
def test_requests_compactions_and_tokens_are_counted(db: Path) -> None:
    async def work() -> None:
        async with between(db, **SMALL) as proxy:
            for rounds in (2, 30, 31):
                await proxy.send(CHAT, body(CHAT, MAKERS[CHAT](rounds)))
            await proxy.send(MESSAGES, b"no body at all")
            await proxy.send("/v1/models", method="GET")
            found = await numbers(proxy)
            assert found["requests_total", ("openai-chat", "nothing_needed")] == 2
            assert found["requests_total", ("openai-chat", "compacted")] == 1
            assert found["requests_total", ("anthropic", "unread")] == 1
            assert found["compactions_total", ("trigger",)] == 1
            assert found["passed_total", ()] == 1
            assert found["replies_total", ("200", proxy.upstream.url)] == 4
            assert found["fitting_seconds_count", ()] == 4
            assert found["open_requests", ()] == 0
            assert found["tokens_total", ("transcript",)] > 2 * found["tokens_total", ("sent",)] > 0

    run(work())


@requirement("P-9", "P-7")
def test_what_upstreams_refuse_is_counted_by_kind(db: Path) -> None:
    async def work() -> None:
        async with chained(db, failing(529, BUSY), model_called("b"), now=Clock()) as proxy:
            await proxy.send(CHAT, body(CHAT, MAKERS[CHAT](2)))
            await proxy.second.stop()
            await proxy.upstream.stop()
            assert (await proxy.send(CHAT, body(CHAT, MAKERS[CHAT](3)))).status == 502
            found = await numbers(proxy)
            assert found["refusals_total", ("unavailable", proxy.upstream.url)] == 3
            assert found["refusals_total", ("unavailable", proxy.second.url)] >= 1
            assert found["replies_total", ("200", proxy.second.url)] == 1

    run(work())


@requirement("P-9", "P-3")
def test_two_proxies_do_not_share_their_numbers_and_none_names_a_client(db: Path) -> None:
    async def work() -> None:
        async with between(db) as proxy, between(db.with_name("b.db")) as other:
            sent = {"Authorization": "Bearer sk-secret", "x-vademecum-session": "mine"}
            await proxy.send(CHAT, body(CHAT, MAKERS[CHAT](2)), headers=sent)
            assert ("requests_total", ("openai-chat", "nothing_needed")) not in await numbers(other)
            text = (await proxy.send("/metrics", method="GET")).body
            assert b"openai-chat" in text
            assert not any(word in text for word in (b"sk-secret", b"mine", b"port the module"))

    run(work())


@requirement("P-6")
def test_the_raw_transcript_s_size_is_told_when_the_context_is_small(db: Path) -> None:
    async def work() -> None:
        async with between(db, **SMALL) as proxy:
            sizes: list[int] = []
            for rounds in (60, 70, 80):
                reply = await proxy.send(CHAT, body(CHAT, MAKERS[CHAT](rounds)))
                assert reply.cycle >= 1
                whole, sent = (int(reply.headers[f"x-vademecum-{of}tokens"]) for of in ("transcript-", ""))
                assert whole > 2 * sent
                sizes.append(whole)
            assert sizes[0] < sizes[1] < sizes[2]

    run(work())


@requirement("P-9", "P-7")
def test_log_lines_are_of_names_and_values(db: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "vademecum.proxy")

    async def work() -> None:
        async with chained(db, failing(529, BUSY), model_called("b"), now=Clock(), **SMALL) as proxy:
            await proxy.send(CHAT, body(CHAT, MAKERS[CHAT](30, tag="secretplan")))

    run(work())
    lines = [record.getMessage() for record in caplog.records if record.name == "vademecum.proxy"]
    assert any(re.search(r"session=\S+ upstream=\S+ cools_down for 30 s; unavailable$", line) for line in lines)
    assert any(re.search(r"session=\S+ upstream=\S+ answered", line) for line in lines)
    assert not any("secretplan" in line or "Overloaded" in line for line in lines)
