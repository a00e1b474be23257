"""Sending again: what goes upstream in place of a request that was refused."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from vademecum.models.errors import Verdict
from vademecum.models.errors.reactions import room_for_reply
from vademecum.proxy.advising import advised
from vademecum.proxy.fitted import Fitted, Placed
from vademecum.proxy.limits import lowered

#: An error whose status alone says that the input is too large is believed from this share of the window on.
_LARGE = 0.25

Work = Callable[[Placed, bytes], Fitted | None]


def answer_to(verdict: Verdict, refused: Fitted, shrunk: Work) -> Work | None:
    """What is done about an error; None for one that another body does not help.

    Args:
        verdict: What the upstream's error means.
        refused: What it refused.
        shrunk: Compacts a request.
    """
    if verdict.action == "lower_output":
        return partial(_with_less_output, refused=refused, verdict=verdict)
    if verdict.kind != "context_overflow":
        return None
    receipt = refused.receipt
    if not verdict.certain and (receipt is None or receipt.tokens_after < _LARGE * receipt.window.tokens):
        return None
    return shrunk


def _with_less_output(placed: Placed, body: bytes, *, refused: Fitted, verdict: Verdict) -> Fitted | None:
    """The same context with a shorter reply asked for; None where none can be, or the limit is not known."""
    live, request, allowed = placed.live, placed.asked, verdict.limit or 0
    if verdict.kind == "output_budget":
        allowed = room_for_reply(allowed, verdict.observed_input or 0)
    limits = lowered(request, allowed or None)
    if not limits:
        return None
    written = request.written(refused.context, limits)
    if live.advice:
        written = advised(request, written)
    return replace(refused, body=written, plain=True) if written != body else None
