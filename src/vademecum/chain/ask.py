"""What a member is asked: one request."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from vademecum.chain.member import Member


@dataclass(frozen=True, slots=True)
class Ask:
    """A request to send.

    Attributes:
        member: To whom.
        body: What.
        once: Whether it is not to be sent again by the client: the member has just been away.
        goes_on: Whether its reply goes on where the one before was cut off.
    """

    member: Member
    body: Mapping[str, Any]
    once: bool
    goes_on: bool = False
