"""Hearing: what the ends of replies teach, their usages and what went wrong in them (M-7, M-9)."""

from __future__ import annotations

import logging

from vademecum.errors import VademecumError
from vademecum.models.errors import Verdict
from vademecum.proxy.fitted import Fitted
from vademecum.proxy.live import Live
from vademecum.proxy.usage_tap import UsageTap, reported

_log = logging.getLogger("vademecum.proxy")


def settled(live: Live) -> None:
    """Takes the usages that were reported since; it runs in a worker."""
    while live.reported:
        try:
            pieces, sent = live.reported.popleft()
            usage = reported(pieces)
            if usage is not None and not live.compactor.take_usage(usage, sent):
                _log.warning(
                    "session=%s the upstream read %d tokens of %d: it may have cut the prompt (num_ctx)",
                    live.name,
                    usage.prompt_tokens,
                    sent.context,
                )
        except IndexError:
            return
        except VademecumError as error:
            # Only the kind of error: its text may quote what the reply holds.
            _log.warning("session=%s its usage is lost: %s", live.name, type(error).__name__)


def learned(ready: Fitted, tap: UsageTap) -> Verdict | None:
    """What went wrong in a reply that was passed on, kept for the next request; it runs in a worker.

    Args:
        ready: What was sent.
        tap: What was seen of the reply.
    """
    placed, receipt = ready.placed, ready.receipt
    if placed is None:
        return None
    size, window = (None, None) if receipt is None else (receipt.tokens_after, receipt.window.tokens)
    verdict = tap.verdict(expected_input=size, window=window)
    if verdict is None:
        return None
    learn(ready, verdict)
    if verdict.kind == "context_overflow":
        placed.live.compactor.request()
    return verdict


def learn(ready: Fitted, verdict: Verdict) -> None:
    """Keeps the limits that an error names: the next request knows them."""
    placed = ready.placed
    if placed is None or not placed.running.model:
        return
    windows, running = placed.member.windows, placed.running
    if verdict.named_window is not None:
        windows.learn(running, verdict.named_window)
    if verdict.kind == "output_cap" and verdict.limit is not None:
        windows.learn_output(running, verdict.limit)
