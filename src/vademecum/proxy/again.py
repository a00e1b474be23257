"""Sending again: what goes upstream in place of a request that was refused (M-7)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from vademecum.chain.moving import LARGER
from vademecum.models.errors import Verdict
from vademecum.models.errors.reactions import room_for_reply
from vademecum.proxy.advising import advised
from vademecum.proxy.compacting import shrunk
from vademecum.proxy.fitted import Fitted, Placed
from vademecum.proxy.limits import lowered
from vademecum.proxy.mending import rows_of

#: An error whose status alone says that the input is too large is believed from this share of the window on.
_LARGE = 0.25

Work = Callable[[Placed, bytes], Fitted | None]


def answer_to(verdict: Verdict, refused: Fitted) -> Work | None:
    """What is done about an error; None for one that another body does not help.

    Args:
        verdict: What the upstream's error means.
        refused: What it refused.
    """
    if verdict.action == "lower_output":
        return partial(_with_less_output, refused=refused, verdict=verdict)
    if verdict.kind == "bad_history":
        mended = refused.placed is None or refused.placed.mended
        return None if mended else partial(_mended, refused=refused)
    if verdict.kind not in LARGER and verdict.kind != "rate_budget":
        return None
    receipt = refused.receipt
    if not verdict.certain and (receipt is None or receipt.tokens_after < _LARGE * receipt.window.tokens):
        return None
    return shrunk


def _with_less_output(placed: Placed, body: bytes, *, refused: Fitted, verdict: Verdict) -> Fitted | None:
    """The same context with a shorter reply asked for; None where none can be, or the limit is not known."""
    allowed = verdict.limit or 0
    if verdict.kind == "output_budget":
        allowed = room_for_reply(allowed, verdict.observed_input or 0)
    limits = lowered(placed.asked, allowed or None)
    return _again(placed, body, replace(refused, limits={**refused.limits, **limits})) if limits else None


def _mended(placed: Placed, body: bytes, *, refused: Fitted) -> Fitted | None:
    """The same context without what may be wrong with it; None where that is nothing."""
    return _again(replace(placed, mended=True), body, refused)


def _again(placed: Placed, body: bytes, refused: Fitted) -> Fitted | None:
    request = placed.asked
    rows = rows_of(placed, refused.context)
    written = request.written(rows, refused.limits, placed.member.upstream.model)
    if placed.live.advice:
        written = advised(request, written)
    return replace(refused, body=written, plain=True, placed=placed) if written != body else None
