"""Spans: each request by OpenTelemetry's conventions for generative AI, where the process is set up for it (P-9)."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any
from urllib.parse import urlsplit

from vademecum.models.endpoint import provider_of
from vademecum.proxy.attempt import Attempt

#: It comes with other things; the proxy does not need it.
_THERE = find_spec("opentelemetry") is not None
#: What ends a span: the reply's status (0 for none) and what went wrong in it.
End = Callable[[int, str], None]


def begun(attempt: Attempt) -> End:
    """Begins the span of a request; where nobody listens it costs next to nothing.

    No contents are in it, and no key: sizes, names and the session's id.

    Args:
        attempt: To whom the request goes first.
    """
    if not _THERE:
        return _nothing
    from opentelemetry import trace

    span = trace.get_tracer("vademecum.proxy").start_span(
        f"chat {_model(attempt)}".strip(), kind=trace.SpanKind.CLIENT, attributes=_attributes(attempt)
    )

    def end(status: int, wrong: str) -> None:
        if status:
            span.set_attribute("http.response.status_code", status)
        if wrong or not 0 < status < 400:
            span.set_attribute("error.type", wrong or str(status or "no_answer"))
            span.set_status(trace.StatusCode.ERROR)
        span.end()

    return end


def _attributes(attempt: Attempt) -> dict[str, Any]:
    url, receipt = attempt.member.upstream.url, attempt.ready.receipt
    place = urlsplit(url)
    found: dict[str, Any] = {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": provider_of(url),
        "gen_ai.request.model": _model(attempt),
        "gen_ai.conversation.id": attempt.ready.session,
        "server.address": place.hostname,
        "server.port": place.port,
    }
    if receipt is not None:
        found["vademecum.outcome"], found["vademecum.cycle"] = receipt.outcome, receipt.cycle
        found["vademecum.context_tokens"], found["vademecum.window"] = receipt.tokens_after, receipt.window.tokens
    return {name: value for name, value in found.items() if value not in ("", None)}


def _model(attempt: Attempt) -> str:
    return "" if attempt.ready.placed is None else attempt.ready.placed.running.model


def _nothing(status: int, wrong: str) -> None:
    pass
