"""An attempt: one member, and what is sent to it."""

from __future__ import annotations

from dataclasses import dataclass

from vademecum.proxy.fitted import Fitted
from vademecum.proxy.members import Member


@dataclass(frozen=True, slots=True)
class Attempt:
    """One sending of a request.

    Attributes:
        member: To whom.
        ready: What.
        wait: Seconds to wait before it.
    """

    member: Member
    ready: Fitted
    wait: float = 0.0
