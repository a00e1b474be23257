"""The desk: what all visits of a chain share, the compactor, the memory and the clock."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from vademecum.chain.limits import Limits
from vademecum.chain.member import Member
from vademecum.chain.memory import Memory
from vademecum.chain.own_summary import OwnSummary
from vademecum.chain.reasoning import fingerprints
from vademecum.chain.reply import Decision, What
from vademecum.compactor import Compactor
from vademecum.core.budget import Window
from vademecum.core.messages import Wire


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked of the chain.

    Attributes:
        messages: The whole transcript.
        system: The system text, where it stands beside the messages.
        tools: The tools' schemas.
        max_output: The output limit in tokens.
        streamed: Whether its pieces are given out as they come.
        whole: Whether a reply that was cut off is to be made whole.
    """

    messages: Sequence[Wire]
    system: object = None
    tools: object = None
    max_output: int | None = None
    streamed: bool = False
    whole: bool = True


@dataclass(slots=True)
class Desk:
    """What is at hand.

    Attributes:
        format: The chain's wire format.
        compactor: What fits contexts.
        memory: What is remembered.
        limits: What is known of the members' limits.
        now: Seconds since the epoch.
        redact: Strikes secrets: errors may quote what a request holds.
        own: What has the member that is asked write its summary; None where another does, or nobody.
        decisions: What was decided in this request.
    """

    format: str
    compactor: Compactor
    memory: Memory
    limits: Limits
    now: Callable[[], float]
    redact: Callable[[str], str]
    own: OwnSummary | None = None
    decisions: list[Decision] = field(default_factory=list[Decision])

    def window(self, member: Member) -> Window:
        """A member's window, as far as it is known by now."""
        return self.limits.window(member)

    def serve(self, member: Member) -> None:
        """Turns to a member: it is asked next."""
        if self.own is not None:
            self.own.serve(member, self.window(member).tokens)

    def reasoning_of(self, member: Member, messages: Sequence[Wire]) -> frozenset[str] | None:
        """The fingerprints of the reasoning that a member may see; None where no other has answered yet."""
        own = self.memory.own(member.called, messages)
        return None if own is None else fingerprints(own)

    def note(self, member: Member, what: What, why: str = "", tokens: int = 0) -> None:
        """Takes a decision down."""
        decision = Decision(self.now(), member.called, what, self.redact(why), tokens, self.window(member).tokens)
        self.decisions.append(decision)
        self.memory.decisions.append(decision)
