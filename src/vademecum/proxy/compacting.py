"""Compacting a request: what is done in a worker thread, one request of a session at a time."""

from __future__ import annotations

import logging

from vademecum.compactor import Compaction
from vademecum.core.budget import Window
from vademecum.errors import CannotFitError, ConfigError
from vademecum.presets.advice import ADVICE
from vademecum.proxy.advising import advised
from vademecum.proxy.fitted import Fitted, Placed
from vademecum.proxy.hearing import settled
from vademecum.proxy.limits import lowered
from vademecum.proxy.mending import rows_of

_log = logging.getLogger("vademecum.proxy")


def fitted(placed: Placed, body: bytes) -> Fitted:
    """A request with a context that fits its model. Whatever goes wrong, it goes out as it came.

    Args:
        placed: The request.
        body: The client's bytes.
    """
    live = placed.live
    try:
        window = placed.member.windows.of(placed.running)
    except ConfigError as error:  # it says which endpoint, and nothing of the request
        _log.warning("session=%s %s: it goes out as it came", live.name, error)
        return as_it_came(placed, body)
    try:
        done = _compaction(placed, window)
    except CannotFitError:
        # Only a chain has somewhere else to go.
        _log.warning("session=%s the request goes out as it came: CannotFitError", live.name)
        return as_it_came(placed, body, fits=False)
    except Exception as error:  # noqa: BLE001  # never lose the client's request
        warn(f"session={live.name} the request goes out as it came", error)
        return as_it_came(placed, body)
    if done.receipt.outcome == "failed":
        why = done.receipt.failure.split(":")[0]
        _log.warning("session=%s %s: the request goes out as it came", live.name, why)
        return as_it_came(placed, body, done=done)
    return written(placed, body, done)


def shrunk(placed: Placed, body: bytes) -> Fitted | None:
    """The same, smaller than it is now, for a request that was too large; None where nothing shrinks."""
    live = placed.live
    try:
        done = _compaction(placed, placed.member.windows.of(placed.running), forced=True)
    except Exception as error:  # noqa: BLE001  # the upstream's own error is passed on
        warn(f"session={live.name} the upstream found it too large, and it could not be compacted", error)
        return None
    receipt = done.receipt
    if receipt.cause != "forced" or receipt.tokens_after >= receipt.tokens_before:
        _log.warning(
            "session=%s the upstream finds %d tokens too many and nothing shrinks: system text and tools take %d",
            live.name,
            receipt.tokens_before,
            receipt.overhead_tokens,
        )
        return None
    return written(placed, body, done)


def taken(placed: Placed, body: bytes) -> Fitted:
    """Archives a request whose context the provider itself looks after."""
    live, request = placed.live, placed.asked
    try:
        live.compactor.take_in(request.wires, raws=[message.raw for message in request.messages])
    except Exception as error:  # noqa: BLE001  # never lose the client's request
        warn(f"session={live.name} the request is not archived", error)
    return Fitted(body, placed=placed, taken=True)


def as_it_came(placed: Placed, body: bytes, *, done: Compaction | None = None, fits: bool = True) -> Fitted:
    """The client's own context, with no more changed than the model's name and the advice."""
    request, receipt = placed.asked, None if done is None else done.receipt
    advice = placed.live.advice and done is not None
    if not advice and not placed.member.upstream.model:
        return Fitted(body, receipt=receipt, placed=placed, fits=fits)
    plain = request.written(None, {}, placed.member.upstream.model)
    return Fitted(advised(request, plain) if advice else plain, plain=True, receipt=receipt, placed=placed, fits=fits)


def written(placed: Placed, body: bytes, done: Compaction) -> Fitted:
    """A request with the context that was made for it."""
    live, request, model = placed.live, placed.asked, placed.member.upstream.model
    allowed = next(iter(done.limits.values()), None)
    cap = placed.member.windows.output_cap(placed.running) if request.limits else None
    limits = lowered(request, min((most for most in (allowed, cap) if most is not None), default=None))
    context = done.context if done.receipt.cycle else None
    rows = rows_of(placed, context)
    sent, receipt = live.compactor.sent, done.receipt
    if rows is None and not limits and not live.advice and not model:
        return Fitted(body, receipt=receipt, placed=placed, sent=sent)
    data = request.written(rows, limits, model)
    if live.advice:
        data = advised(request, data)
    return Fitted(data, plain=True, receipt=receipt, placed=placed, sent=sent, context=context, limits=limits)


def _compaction(placed: Placed, window: Window, *, forced: bool = False) -> Compaction:
    live, request = placed.live, placed.asked
    settled(live)
    return live.compactor.fit(
        request.wires,
        system=[request.system, ADVICE] if live.advice else request.system,
        tools=request.tools,
        max_output=max(request.limits.values(), default=None),
        raws=[message.raw for message in request.messages],
        forced=forced,
        model=placed.running.model,
        window=window,
    )


def warn(what: str, error: Exception) -> None:
    """Logs what went wrong: only the kind of error, since its text may quote what the request holds."""
    _log.warning("%s: %s", what, type(error).__name__)
