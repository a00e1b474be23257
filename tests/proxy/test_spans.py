"""Spans of requests, by the conventions for generative AI, where somebody listens."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from proxy.harness import CHAT, between, run
from proxy.test_chain import BUSY, failing
from proxy.transcripts import MAKERS, body
from requirement import requirement


@pytest.fixture
def spans(monkeypatch: pytest.MonkeyPatch) -> Iterator[InMemorySpanExporter]:
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    # The provider of a process can be set once only.
    monkeypatch.setattr(trace, "get_tracer", provider.get_tracer)
    yield exporter
    provider.shutdown()


@requirement("P-9")
def test_a_request_is_a_span_without_contents(db: Path, spans: InMemorySpanExporter) -> None:
    async def work() -> None:
        async with between(db, window=20_000, trigger=4_000) as proxy:
            sent = {"Authorization": "Bearer sk-secret", "x-vademecum-session": "mine"}
            await proxy.send(CHAT, {**body(CHAT, MAKERS[CHAT](40)), "model": "m-1"}, headers=sent)

    run(work())
    (span,) = spans.get_finished_spans()
    told = dict(span.attributes or {})
    assert (span.name, span.kind, span.status.is_ok) == ("chat m-1", trace.SpanKind.CLIENT, True)
    assert told["gen_ai.request.model"] == "m-1"
    assert (told["gen_ai.conversation.id"], told["http.response.status_code"]) == ("mine", 200)
    assert (told["vademecum.outcome"], told["vademecum.window"]) == ("compacted", 20_000)
    assert not any(word in str(told) for word in ("sk-secret", "port the module"))


@requirement("P-9")
def test_what_failed_is_a_span_with_its_error(db: Path, spans: InMemorySpanExporter) -> None:
    async def work() -> None:
        async with between(db, failing(529, BUSY)) as proxy:
            await proxy.send(CHAT, body(CHAT, MAKERS[CHAT](2)))
            await proxy.upstream.stop()
            await proxy.send(CHAT, body(CHAT, MAKERS[CHAT](3)))

    run(work())
    refused, lost = spans.get_finished_spans()
    assert [span.status.status_code for span in (refused, lost)] == [trace.StatusCode.ERROR] * 2
    assert [dict(span.attributes or {})["error.type"] for span in (refused, lost)] == ["529", "no_answer"]
