"""Fitting requests: read, routed and compacted in worker threads, so that the event loop never computes for long."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeVar

from vademecum.compactor import Compaction
from vademecum.compactor.memory import Sent
from vademecum.core.messages import Message
from vademecum.core.receipt import Receipt
from vademecum.errors import VademecumError
from vademecum.models.errors import Verdict
from vademecum.presets.advice import ADVICE
from vademecum.proxy.advising import advised
from vademecum.proxy.again import answer_to
from vademecum.proxy.body import Asked, Reader
from vademecum.proxy.caller import Caller
from vademecum.proxy.limits import lowered
from vademecum.proxy.live import Live
from vademecum.proxy.router import Router
from vademecum.proxy.usage_tap import reported

_log = logging.getLogger("vademecum.proxy")
_WORKERS = 2

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Fitted:
    """What to send upstream.

    Attributes:
        body: The bytes: the client's own where nothing was needed.
        plain: Whether the body is another one than the client's, which is never compressed.
        receipt: What was done; None for a request that passes through.
        live: The session; None for a request that passes through.
        sent: What a reply's usage is reported for.
        asked: What the request asks; None for one whose context does not change.
        taken: Whether it was archived only: its context is the provider's own affair.
        context: The messages that it sends; None for the client's own.
    """

    body: bytes
    plain: bool = False
    receipt: Receipt | None = None
    live: Live | None = None
    sent: Sent | None = None
    asked: Asked | None = None
    taken: bool = False
    context: Sequence[Message] | None = None

    @property
    def session(self) -> str:
        """The session's id; empty for a request that passes through."""
        return "" if self.live is None else self.live.name


class Fitter:
    """Fits requests, those of one session one after the other, those of different sessions side by side.

    Args:
        router: Finds the session of each.
    """

    def __init__(self, router: Router) -> None:
        self._router = router
        self._reader = Reader()
        self._workers = ThreadPoolExecutor(max_workers=_WORKERS, thread_name_prefix="vademecum")
        self._running: set[asyncio.Task[Any]] = set()

    async def close(self) -> None:
        """Waits for what is under way, and closes the archive."""
        await asyncio.gather(*self._running, return_exceptions=True)
        self._workers.shutdown(wait=True)
        self._router.close()

    async def fitted(self, caller: Caller, path: str, body: bytes, encoding: str) -> Fitted:
        """The body to send upstream. Whatever goes wrong here, the client's request goes out as it came.

        A client that goes away meanwhile leaves the session as it would be had it stayed.
        """
        return await self._to_its_end(self._first(caller, path, body, encoding))

    async def smaller(self, refused: Fitted, verdict: Verdict) -> Fitted | None:
        """A smaller body in place of one that the upstream refused (C-33, M-7); None where none would help."""
        work = answer_to(verdict, refused, _shrunk)
        if refused.live is None or refused.asked is None or work is None:
            return None
        self._router.hold(refused.live)
        return await self._to_its_end(self._in_turn(refused.live, work, refused.asked, refused.body))

    async def settle(self, live: Live, pieces: Sequence[bytes], sent: Sent) -> None:
        """Takes the usage that a reply reported; the next request of the session knows it."""
        if pieces:
            live.reported.append((pieces, sent))
            await asyncio.shield(self._in_worker(_settled, live))

    async def _to_its_end(self, work: Coroutine[Any, Any, Result]) -> Result:
        task = asyncio.create_task(work)
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        return await asyncio.shield(task)

    async def _first(self, caller: Caller, path: str, body: bytes, encoding: str) -> Fitted:
        placed = await self._in_worker(self._placed, caller, path, body, encoding)
        if placed is None:
            return Fitted(body)
        request, live = placed
        return await self._in_turn(live, _taken if request.kept_upstream else _fit, request, body)

    async def _in_turn(
        self, live: Live, work: Callable[[Live, Asked, bytes], Result], asked: Asked, body: bytes
    ) -> Result:
        try:
            # Waiting for the session's turn holds no worker.
            async with live.gate:
                return await self._in_worker(work, live, asked, body)
        finally:
            self._router.done(live)

    def _placed(self, caller: Caller, path: str, body: bytes, encoding: str) -> tuple[Asked, Live] | None:
        """What a request asks, and its session; None when it passes through."""
        try:
            request = self._reader.asked(path, body, encoding)
            if request is None:
                return None
            return request, self._router.routed(caller.within(request.conversation), request)
        except Exception as error:  # noqa: BLE001  # never lose the client's request
            _warn("a request goes out as it came", error)
            return None

    def _in_worker(self, work: Callable[..., Result], *arguments: object) -> asyncio.Future[Result]:
        return asyncio.get_running_loop().run_in_executor(self._workers, work, *arguments)


def _fit(live: Live, request: Asked, body: bytes) -> Fitted:
    """Runs in a worker, one at a time for each session."""
    try:
        done = _compaction(live, request)
        if done.receipt.outcome == "failed":
            why = done.receipt.failure.split(":")[0]
            _log.warning("session=%s %s: the request goes out as it came", live.name, why)
            if live.advice:
                return Fitted(advised(request, request.scan.body), plain=True, receipt=done.receipt, live=live)
            return Fitted(body, receipt=done.receipt, live=live)
        return _written(live, request, body, done)
    except Exception as error:  # noqa: BLE001  # never lose the client's request
        _warn(f"session={live.name} the request goes out as it came", error)
        return Fitted(body, live=live)


def _shrunk(live: Live, request: Asked, body: bytes) -> Fitted | None:
    """The same for a request that the upstream found too large."""
    try:
        done = _compaction(live, request, forced=True)
    except Exception as error:  # noqa: BLE001  # the upstream's own error is passed on
        _warn(f"session={live.name} the upstream found it too large, and it could not be compacted", error)
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
    return _written(live, request, body, done)


def _taken(live: Live, request: Asked, body: bytes) -> Fitted:
    """Archives a request whose context the provider itself looks after."""
    try:
        live.compactor.take_in(request.wires, raws=[message.raw for message in request.messages])
    except Exception as error:  # noqa: BLE001  # never lose the client's request
        _warn(f"session={live.name} the request is not archived", error)
    return Fitted(body, live=live, taken=True)


def _compaction(live: Live, request: Asked, *, forced: bool = False) -> Compaction:
    _settled(live)
    return live.compactor.fit(
        request.wires,
        system=[request.system, ADVICE] if live.advice else request.system,
        tools=request.tools,
        max_output=max(request.limits.values(), default=None),
        raws=[message.raw for message in request.messages],
        forced=forced,
        model=request.model,
    )


def _written(live: Live, request: Asked, body: bytes, done: Compaction) -> Fitted:
    limits = lowered(request, done.limits.get(request.dialect.limit_key))
    sent, receipt = live.compactor.sent, done.receipt
    if receipt.cycle == 0 and not limits and not live.advice:
        return Fitted(body, receipt=receipt, live=live, sent=sent, asked=request)
    context = done.context if receipt.cycle else None
    written = request.written(context, limits)
    if live.advice:
        written = advised(request, written)
    return Fitted(written, plain=True, receipt=receipt, live=live, sent=sent, asked=request, context=context)


def _settled(live: Live) -> None:
    """Takes the usages that were reported since."""
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
            _warn(f"session={live.name} its usage is lost", error)


def _warn(what: str, error: Exception) -> None:
    # Only the kind of error: its text may quote what the request holds.
    _log.warning("%s: %s", what, type(error).__name__)
