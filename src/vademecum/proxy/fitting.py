"""Fitting requests: read, routed and compacted in worker threads, so that the event loop never computes for long."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from vademecum.compactor import Compaction
from vademecum.compactor.memory import Sent
from vademecum.core.budget import Window
from vademecum.errors import ConfigError, VademecumError
from vademecum.models.errors import Verdict
from vademecum.presets.advice import ADVICE
from vademecum.proxy.advising import advised
from vademecum.proxy.again import answer_to
from vademecum.proxy.body import Reader
from vademecum.proxy.caller import Caller
from vademecum.proxy.fitted import Fitted, Placed
from vademecum.proxy.limits import lowered
from vademecum.proxy.live import Live
from vademecum.proxy.router import Router
from vademecum.proxy.usage_tap import reported
from vademecum.proxy.windows import Running, Windows

_log = logging.getLogger("vademecum.proxy")
_WORKERS = 2

Result = TypeVar("Result")


class Fitter:
    """Fits requests, those of one session one after the other, those of different sessions side by side.

    Args:
        router: Finds the session of each.
        windows: Knows the window of each model.
    """

    def __init__(self, router: Router, windows: Windows) -> None:
        self._router = router
        self._windows = windows
        self._reader = Reader()
        self._workers = ThreadPoolExecutor(max_workers=_WORKERS, thread_name_prefix="vademecum")
        self._running: set[asyncio.Task[Any]] = set()

    async def close(self) -> None:
        """Waits for what is under way, and closes the archive."""
        await asyncio.gather(*self._running, return_exceptions=True)
        await self._windows.close()
        self._workers.shutdown(wait=True)
        self._router.close()

    async def fitted(self, caller: Caller, path: str, body: bytes, headers: Mapping[str, str]) -> Fitted:
        """The body to send upstream. Whatever goes wrong here, the client's request goes out as it came.

        A client that goes away meanwhile leaves the session as it would be had it stayed.
        """
        return await self._to_its_end(self._first(caller, path, body, headers))

    async def smaller(self, refused: Fitted, verdict: Verdict) -> Fitted | None:
        """A smaller body in place of one that the upstream refused (C-33, M-7); None where none would help."""
        placed = refused.placed
        if placed is None:
            return None
        if verdict.learned_window is not None and placed.running.model:
            await self._in_worker(self._windows.learn, placed.running, verdict.learned_window)
        work = answer_to(verdict, refused, self._shrunk)
        if refused.sent is None or work is None:
            return None
        self._router.hold(placed.live)
        return await self._to_its_end(self._in_turn(placed, work, refused.body))

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

    async def _first(self, caller: Caller, path: str, body: bytes, headers: Mapping[str, str]) -> Fitted:
        placed = await self._in_worker(self._placed, caller, path, body, headers)
        if placed is None:
            return Fitted(body)
        if placed.look_up is not None:
            await self._windows.look_up(placed.running, headers, wait=placed.look_up)
        return await self._in_turn(placed, _taken if placed.asked.kept_upstream else self._fit, body)

    async def _in_turn(self, placed: Placed, work: Callable[..., Result], *arguments: object) -> Result:
        try:
            # Waiting for the session's turn holds no worker.
            async with placed.live.gate:
                return await self._in_worker(work, placed, *arguments)
        finally:
            self._router.done(placed.live)

    def _placed(self, caller: Caller, path: str, body: bytes, headers: Mapping[str, str]) -> Placed | None:
        """What a request asks, and its session; None when it passes through."""
        try:
            request = self._reader.asked(path, body, headers.get("content-encoding", ""))
            if request is None:
                return None
            running = Running.of(request.model, headers, request.num_ctx)
            look_up = self._windows.wanted(running)
            live = self._router.routed(caller.within(request.conversation), request)
            return Placed(request, live, running, look_up)
        except Exception as error:  # noqa: BLE001  # never lose the client's request
            _warn("a request goes out as it came", error)
            return None

    def _fit(self, placed: Placed, body: bytes) -> Fitted:
        """Runs in a worker, one at a time for each session."""
        try:
            window = self._windows.of(placed.running)
        except ConfigError as error:  # it says which endpoint, and nothing of the request
            _log.warning("session=%s %s: it goes out as it came", placed.live.name, error)
            return Fitted(body, placed=placed)
        return _fit(placed, body, window)

    def _shrunk(self, placed: Placed, body: bytes) -> Fitted | None:
        """The same for a request that the upstream found too large."""
        return _shrunk(placed, body, self._windows.of(placed.running))

    def _in_worker(self, work: Callable[..., Result], *arguments: object) -> asyncio.Future[Result]:
        return asyncio.get_running_loop().run_in_executor(self._workers, work, *arguments)


def _fit(placed: Placed, body: bytes, window: Window) -> Fitted:
    live, request = placed.live, placed.asked
    try:
        done = _compaction(placed, window)
        if done.receipt.outcome == "failed":
            why = done.receipt.failure.split(":")[0]
            _log.warning("session=%s %s: the request goes out as it came", live.name, why)
            if live.advice:
                return Fitted(advised(request, request.scan.body), plain=True, receipt=done.receipt, placed=placed)
            return Fitted(body, receipt=done.receipt, placed=placed)
        return _written(placed, body, done)
    except Exception as error:  # noqa: BLE001  # never lose the client's request
        _warn(f"session={live.name} the request goes out as it came", error)
        return Fitted(body, placed=placed)


def _shrunk(placed: Placed, body: bytes, window: Window) -> Fitted | None:
    live = placed.live
    try:
        done = _compaction(placed, window, forced=True)
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
    return _written(placed, body, done)


def _taken(placed: Placed, body: bytes) -> Fitted:
    """Archives a request whose context the provider itself looks after."""
    live, request = placed.live, placed.asked
    try:
        live.compactor.take_in(request.wires, raws=[message.raw for message in request.messages])
    except Exception as error:  # noqa: BLE001  # never lose the client's request
        _warn(f"session={live.name} the request is not archived", error)
    return Fitted(body, placed=placed, taken=True)


def _compaction(placed: Placed, window: Window, *, forced: bool = False) -> Compaction:
    live, request = placed.live, placed.asked
    _settled(live)
    return live.compactor.fit(
        request.wires,
        system=[request.system, ADVICE] if live.advice else request.system,
        tools=request.tools,
        max_output=max(request.limits.values(), default=None),
        raws=[message.raw for message in request.messages],
        forced=forced,
        model=request.model,
        window=window,
    )


def _written(placed: Placed, body: bytes, done: Compaction) -> Fitted:
    live, request = placed.live, placed.asked
    limits = lowered(request, done.limits.get(request.dialect.limit_key))
    sent, receipt = live.compactor.sent, done.receipt
    if receipt.cycle == 0 and not limits and not live.advice:
        return Fitted(body, receipt=receipt, placed=placed, sent=sent)
    context = done.context if receipt.cycle else None
    written = request.written(context, limits)
    if live.advice:
        written = advised(request, written)
    return Fitted(written, plain=True, receipt=receipt, placed=placed, sent=sent, context=context)


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
