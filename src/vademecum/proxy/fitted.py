"""What becomes of a request."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from vademecum.compactor.memory import Sent
from vademecum.core.messages import Message
from vademecum.core.receipt import Receipt
from vademecum.proxy.body import Asked
from vademecum.proxy.live import Live
from vademecum.proxy.members import Member
from vademecum.proxy.scan import Way
from vademecum.proxy.windows import Running


@dataclass(frozen=True, slots=True)
class Placed:
    """A request with its session.

    Attributes:
        asked: What it asks.
        live: The session that it goes on with.
        member: The upstream that it goes to.
        running: The model there.
        look_up: Whether its server is to be asked for the window: None not at all, True before anything is done.
        others: The upstreams that may be asked after this one, in their order.
        own: Fingerprints of the reasoning that the model may see; None where no other has answered yet.
        mended: Whether what the upstream may refuse in the history is repaired.
    """

    asked: Asked
    live: Live
    member: Member
    running: Running
    look_up: bool | None = None
    others: tuple[Member, ...] = ()
    own: frozenset[str] | None = None
    mended: bool = False


@dataclass(frozen=True, slots=True)
class Fitted:
    """What to send upstream.

    Attributes:
        body: The bytes: the client's own where nothing was needed.
        plain: Whether the body is another one than the client's, which is never compressed.
        receipt: What was done; None for a request that passes through.
        placed: The request with its session; None for one that passes through.
        sent: What a reply's usage is reported for; None for a request whose context does not change.
        taken: Whether it was archived only: its context is the provider's own affair.
        context: The messages that it sends; None for the client's own.
        limits: The output limits that were lowered.
        fits: False where even the smallest context is larger than the window.
    """

    body: bytes
    plain: bool = False
    receipt: Receipt | None = None
    placed: Placed | None = None
    sent: Sent | None = None
    taken: bool = False
    context: Sequence[Message] | None = None
    limits: Mapping[Way, int] = field(default_factory=dict[Way, int])
    fits: bool = True

    @property
    def live(self) -> Live | None:
        """The session; None for a request that passes through."""
        return None if self.placed is None else self.placed.live

    @property
    def session(self) -> str:
        """The session's id; empty for a request that passes through."""
        return "" if self.placed is None else self.placed.live.name
