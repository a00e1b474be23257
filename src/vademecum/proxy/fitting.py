"""Fitting requests: read, routed and compacted in worker threads, so that the event loop never computes for long."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from dataclasses import replace
from typing import Any, TypeVar

from vademecum.chain.memory import Memory
from vademecum.chain.moving import in_order
from vademecum.errors import VademecumError
from vademecum.models.errors import Verdict
from vademecum.proxy.again import answer_to
from vademecum.proxy.body import Reader
from vademecum.proxy.caller import Caller
from vademecum.proxy.compacting import fitted, taken, warn
from vademecum.proxy.fitted import Fitted, Placed
from vademecum.proxy.hearing import learn, learned, settled
from vademecum.proxy.live import Live
from vademecum.proxy.members import Member
from vademecum.proxy.router import Router
from vademecum.proxy.upstreams import keyed_anew
from vademecum.proxy.usage_tap import UsageTap
from vademecum.proxy.views import window_at, with_view

_WORKERS = 2

Result = TypeVar("Result")


class Fitter:
    """Fits requests, those of one session one after the other, those of different sessions side by side.

    Args:
        router: Finds the session of each.
        members: The upstreams, best first.
        now: Seconds since the epoch.
    """

    def __init__(self, router: Router, members: Sequence[Member], *, now: Callable[[], float] = time.time) -> None:
        self._router = router
        self._members = tuple(members)
        self._now = now
        self._reader = Reader()
        self._workers = ThreadPoolExecutor(max_workers=_WORKERS, thread_name_prefix="vademecum")
        self._running: set[asyncio.Task[Any]] = set()

    async def close(self) -> None:
        """Waits for what is under way, and closes the archive."""
        await asyncio.gather(*self._running, return_exceptions=True)
        for member in self._members:
            await member.windows.close()
        self._workers.shutdown(wait=True)
        self._router.close()

    async def to_its_end(self, work: Coroutine[Any, Any, Result]) -> Result:
        """The result of some work, which goes on to its end where nobody waits for it any more."""
        task = asyncio.create_task(work)
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        return await asyncio.shield(task)

    async def fitted(self, caller: Caller, path: str, body: bytes, headers: Mapping[str, str]) -> Fitted:
        """The body to send upstream. Whatever goes wrong here, the client's request goes out as it came.

        A client that goes away meanwhile leaves the session as it would be had it stayed.
        """
        return await self.to_its_end(self._first(caller, path, body, headers))

    async def at(
        self, placed: Placed, member: Member, body: bytes, headers: Mapping[str, str], allows: Callable[[int], bool]
    ) -> Fitted | None:
        """The body for another member of the chain; None where its window is not allowed.

        Args:
            placed: The request.
            member: The member.
            body: The client's bytes.
            headers: Those of the request, with names in lower case.
            allows: Whether a window may be tried.
        """
        return await self.to_its_end(self._elsewhere(placed, member, body, headers, allows))

    async def window(self, placed: Placed) -> int | None:
        """The window of a request's model at its member; None where nobody knows."""
        return await self._in_worker(window_at, placed)

    async def smaller(self, refused: Fitted, verdict: Verdict) -> Fitted | None:
        """Another body in place of one that the upstream refused (C-33, M-7); None where none would help."""
        placed = refused.placed
        if placed is None:
            return None
        if verdict.limit is not None:
            await self._in_worker(learn, refused, verdict)
        work = answer_to(verdict, refused)
        if refused.sent is None or work is None:
            return None
        self._router.hold(placed.live)
        return await self.to_its_end(self._in_turn(placed, _guarded, work, refused.body))

    async def settle(self, ready: Fitted, tap: UsageTap) -> Verdict | None:
        """Takes the usage that a reply reported, and what went wrong in it; the next request knows both."""
        pieces = tap.found()
        if pieces and ready.live is not None and ready.sent is not None:
            ready.live.reported.append((pieces, ready.sent))
        return await asyncio.shield(self._in_worker(_heard, ready, tap))

    async def keep(self, live: Live) -> None:
        """Keeps what is remembered of the chain with the session."""
        if live.chain is not None:
            await asyncio.shield(self._in_worker(_kept, live, deepcopy(live.chain)))

    async def _first(self, caller: Caller, path: str, body: bytes, headers: Mapping[str, str]) -> Fitted:
        placed = await self._in_worker(self._placed, caller, path, body, headers)
        return Fitted(body) if placed is None else await self._looked_up(placed, body, headers)

    async def _elsewhere(
        self, placed: Placed, member: Member, body: bytes, headers: Mapping[str, str], allows: Callable[[int], bool]
    ) -> Fitted | None:
        there = await self._in_worker(self._at, placed, member, headers)
        if there.look_up is not None:
            await member.windows.look_up(there.running, _seen_by(there, headers), wait=there.look_up)
        window = await self._in_worker(window_at, there)
        if window is not None and not allows(window):
            return None
        self._router.hold(there.live)
        return await self._looked_up(replace(there, look_up=None), body, headers)

    async def _looked_up(self, placed: Placed, body: bytes, headers: Mapping[str, str]) -> Fitted:
        if placed.look_up is not None:
            keyed = _seen_by(placed, headers)
            await placed.member.windows.look_up(placed.running, keyed, wait=placed.look_up)
        return await self._in_turn(placed, taken if placed.asked.kept_upstream else self._fitted, body)

    async def _in_turn(self, placed: Placed, work: Callable[..., Result], *arguments: Any) -> Result:
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
            live = self._router.routed(caller.within(request.conversation), request)
        except Exception as error:  # noqa: BLE001  # never lose the client's request
            warn("a request goes out as it came", error)
            return None
        first, *others = self._order(live)
        return self._at(
            Placed(request, live, first, first.running(request, headers), others=(*others,)), first, headers
        )

    def _order(self, live: Live) -> Sequence[Member]:
        """The members as this session is to try them."""
        if len(self._members) == 1:
            return self._members
        if live.chain is None:
            live.chain = _remembered(live)
        by_name = {member.called: member for member in self._members}
        return [by_name[name] for name in in_order(list(by_name), live.chain, self._now())]

    def _at(self, placed: Placed, member: Member, headers: Mapping[str, str]) -> Placed:
        """A request at one member."""
        running = member.running(placed.asked, headers)
        try:
            look_up = member.windows.wanted(running)
        except VademecumError as error:
            warn("a window is not looked up", error)
            look_up = None
        return replace(placed, member=member, running=running, look_up=look_up, mended=False)

    def _fitted(self, placed: Placed, body: bytes) -> Fitted:
        return fitted(with_view(placed, self._members), body)

    def _in_worker(self, work: Callable[..., Result], *arguments: Any) -> asyncio.Future[Result]:
        return asyncio.get_running_loop().run_in_executor(self._workers, work, *arguments)


def _seen_by(placed: Placed, headers: Mapping[str, str]) -> Mapping[str, str]:
    """The headers with the key that a member gets."""
    return keyed_anew(headers, placed.member.upstream, placed.asked.dialect.name)


def _guarded(placed: Placed, work: Callable[[Placed, bytes], Fitted | None], body: bytes) -> Fitted | None:
    try:
        return work(placed, body)
    except Exception as error:  # noqa: BLE001  # the upstream's own error is passed on
        warn(f"session={placed.live.name} nothing is sent in place of what the upstream refused", error)
        return None


def _heard(ready: Fitted, tap: UsageTap) -> Verdict | None:
    if ready.live is not None:
        settled(ready.live)
    try:
        return learned(ready, tap)
    except VademecumError as error:
        warn("what a reply taught is lost", error)
        return None


def _remembered(live: Live) -> Memory:
    session = live.compactor.session
    assert session is not None  # noqa: S101  # the router makes each compactor with one
    try:
        return Memory.of(session)
    except VademecumError as error:
        warn(f"session={live.name} what is remembered of its upstreams cannot be read", error)
        return Memory()


def _kept(live: Live, memory: Memory) -> None:
    session = live.compactor.session
    try:
        if session is not None:
            memory.keep(session)
    except VademecumError as error:
        warn(f"session={live.name} what is remembered of its upstreams is not kept", error)
