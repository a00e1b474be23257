"""What a section may look at while it is written."""

from __future__ import annotations

from dataclasses import dataclass, replace

from vademecum.core.case import Case
from vademecum.core.draft import Draft


@dataclass(frozen=True, slots=True)
class Scope:
    """The state of a carry in the making.

    Attributes:
        case: The case.
        draft: The finished draft.
        until: Position in the lineage before which everything has left.
        archived: Position before which the table of contents must reach.
        pending_ids: Ids of the requests that are given word for word at the end.
        written: The sections so far, so that nothing is said twice.
    """

    case: Case
    draft: Draft
    until: int
    archived: int
    pending_ids: tuple[str, ...] = ()
    written: str = ""

    def after(self, text: str) -> Scope:
        """The scope for the next section."""
        return replace(self, written=f"{self.written}\n{text}")
