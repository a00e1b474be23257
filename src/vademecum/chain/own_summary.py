"""The member that is asked as the author of its own summary (C-42): it has read most of what leaves."""

from __future__ import annotations

from vademecum.chain.member import Member
from vademecum.models.clients import ClientModel
from vademecum.models.known import Known
from vademecum.models.model import Prompt, Reply, Ride


class OwnSummary:
    """A summary model that is always the member whose context is being fitted.

    Args:
        member: The member that is asked first.
        window: Its window.
    """

    def __init__(self, member: Member, window: int) -> None:
        self.serve(member, window)

    def serve(self, member: Member, window: int) -> None:
        """Takes another member, with its window as it is known now."""
        self._model = ClientModel(member.client, member.model, window, options=member.options)

    @property
    def name(self) -> str:
        """The member's model."""
        return self._model.name

    @property
    def window(self) -> int:
        """Its limit in tokens."""
        return self._model.window

    @property
    def format(self) -> str:
        """The chain's wire format."""
        return self._model.format

    @property
    def known(self) -> Known | None:
        """What the catalog has of it."""
        return self._model.known

    def complete(self, prompt: Prompt) -> Reply:
        """See `ClientModel.complete`."""
        return self._model.complete(prompt)

    def ride(self, ride: Ride) -> Reply:
        """See `ClientModel.ride`."""
        return self._model.ride(ride)
