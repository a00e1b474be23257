"""Views: what a session's context is at each member of the chain (M-8)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from vademecum.chain.reasoning import fingerprints
from vademecum.compactor.memory import forget_anchors, view_of
from vademecum.errors import ConfigError, VademecumError
from vademecum.proxy.compacting import warn
from vademecum.proxy.fitted import Placed
from vademecum.proxy.members import Member
from vademecum.proxy.windows import Running


def window_at(placed: Placed) -> int | None:
    """The window of a request's model at its member; None where nobody knows. It runs in a worker."""
    try:
        return placed.member.windows.of(placed.running).tokens
    except ConfigError:
        return None


def with_view(placed: Placed, members: Sequence[Member]) -> Placed:
    """A request with what its member may see of the session; it runs in a worker, before the context is fitted.

    The largest window of the chain has the main view from the start, so that a smaller one never stands in for it.
    What another member's server reported is no size here, and what another model thought is not sent.

    Args:
        placed: The request.
        members: All members.
    """
    memory, session = placed.live.chain, placed.live.compactor.session
    if memory is None or session is None or len(members) == 1:
        return placed
    called = placed.member.called
    try:
        known = [window_at(_at(placed, member)) for member in members]
        view_of(session, max((tokens for tokens in known if tokens is not None), default=0))
        if memory.active not in ("", called):
            forget_anchors(session)
    except VademecumError as error:
        warn(f"session={placed.live.name} its views cannot be looked at", error)
    own = memory.own(called, placed.asked.wires)
    return placed if own is None else replace(placed, own=fingerprints(own))


def _at(placed: Placed, member: Member) -> Placed:
    model = member.upstream.model or placed.asked.model
    return replace(placed, member=member, running=Running(model, placed.running.variant, placed.running.num_ctx))
