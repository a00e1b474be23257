"""Metrics: what the proxy does, in numbers for Prometheus, without sessions, keys or clients (P-9)."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST

from vademecum.proxy.fitted import Fitted
from vademecum.proxy.members import Member
from vademecum.proxy.refusal import Refusal

#: Seconds: below the trigger a request takes milliseconds, a compaction up to seconds.
_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
TYPE = CONTENT_TYPE_LATEST


class Metrics:
    """The numbers of one proxy."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._requests = self._counter("requests", "Requests whose context may shrink", "format", "outcome")
        self._passed = self._counter("passed", "Requests that pass through")
        self._replies = self._counter("replies", "Replies that were passed on", "upstream", "status")
        self._refusals = self._counter("refusals", "Errors that were seen before a reply began", "upstream", "kind")
        self._late = self._counter("late_errors", "What went wrong after a reply had begun", "upstream", "kind")
        self._compactions = self._counter("compactions", "Compactions that were made", "cause")
        self._tokens = self._counter("tokens", "Tokens of clients' transcripts, and of what was sent for them", "of")
        self._fitting = Histogram(
            "vademecum_proxy_fitting_seconds", "Time to fit a request", buckets=_BUCKETS, registry=self._registry
        )
        self.open = Gauge("vademecum_proxy_open_requests", "Requests under way", registry=self._registry)

    def _counter(self, name: str, says: str, *labels: str) -> Counter:
        return Counter(f"vademecum_proxy_{name}", says, labels, registry=self._registry)

    def fitted(self, format: str, ready: Fitted, seconds: float) -> None:
        """Counts a request that was fitted.

        Args:
            format: Its wire format.
            ready: What became of it.
            seconds: How long that took.
        """
        receipt = ready.receipt
        outcome = "unread" if receipt is None else receipt.outcome
        self._requests.labels(format, "kept_upstream" if ready.taken else outcome).inc()
        self._fitting.observe(seconds)
        if receipt is not None:
            whole = receipt.tokens_after if ready.sent is None else ready.sent.transcript
            self._tokens.labels("transcript").inc(whole)
            self._tokens.labels("sent").inc(receipt.tokens_after)
            if receipt.outcome == "compacted":
                self._compactions.labels(receipt.cause).inc()

    def passed(self) -> None:
        """Counts a request that passed through."""
        self._passed.inc()

    def refused(self, member: Member, refusal: Refusal) -> None:
        """Counts an error that was seen before a reply began."""
        self._refusals.labels(member.called, refusal.verdict.kind).inc()

    def answered(self, member: Member, status: int, kind: str = "") -> None:
        """Counts a reply that was passed on.

        Args:
            member: Whose.
            status: Its status.
            kind: What went wrong in it; empty where it was whole.
        """
        self._replies.labels(member.called, str(status)).inc()
        if kind:
            self._late.labels(member.called, kind).inc()

    def text(self) -> bytes:
        """All of it, as Prometheus reads it."""
        return generate_latest(self._registry)
