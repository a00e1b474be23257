"""A draft: what a compaction has decided so far. Tiers take one and return the next."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from vademecum.core.case import Case
from vademecum.core.edits import Edit
from vademecum.core.pairing import Spot
from vademecum.core.requests import Steps, count


@dataclass(frozen=True, slots=True)
class Rung:
    """What became of one tier.

    Attributes:
        name: The tier.
        outcome: `fits`, `helped`, `nothing` (it had nothing to change), `off`, `unavailable: …` or `failed: …`.
        tokens_after: Size of the context with it, the least carry included; unchanged where it did not help.
    """

    name: str
    outcome: str
    tokens_after: int


@dataclass(frozen=True, slots=True)
class Draft:
    """An unfinished plan over the live messages.

    Attributes:
        fold: Live messages before this index leave; the carry stands for them.
        cut: Index at which the tail begins.
        sizes: Tokens of each live message with the edits made so far.
        edits: Changes to parts of messages that stay.
        answers: What is put as the result of calls whose own result does not stand where it belongs; None says
            that there is none.
        narrative: A model's summary, empty where the extractive narrative is to be written.
        extractive: Whether the carry tells the story by extraction.
        summary_model: Which model wrote the narrative.
        coverage: Messages that the narrative's author read, of those that it was to read.
        rungs: The tiers tried.
        doubts: What is to be known of the summary that was used, or not used.
    """

    fold: int
    cut: int
    sizes: tuple[int, ...]
    edits: Mapping[Spot, Edit] = field(default_factory=dict[Spot, Edit])
    answers: Mapping[Spot, str | None] = field(default_factory=dict[Spot, "str | None"])
    narrative: str = ""
    extractive: bool = True
    summary_model: str = ""
    coverage: tuple[int, int] = (0, 0)
    rungs: tuple[Rung, ...] = ()
    doubts: tuple[str, ...] = ()

    @property
    def live_tokens(self) -> int:
        """Tokens of the messages that stay."""
        return sum(self.sizes[self.fold :])

    def tried(self, case: Case, name: str, outcome: str) -> Draft:
        """The draft with one more tier noted; `helped` becomes `fits` where the target is reached."""
        if outcome == "helped" and fits(case, self):
            outcome = "fits"
        helped = outcome in ("helped", "fits")
        size = case.overhead + least_carry(case) + self.live_tokens if helped else case.before
        return replace(self, rungs=(*self.rungs, Rung(name, outcome, size)))


#: Tokens of a frame with a pointer and little else: what is kept free where the newest words fill the window.
SMALLEST_CARRY = 600


def least_carry(case: Case) -> int:
    """Tokens that are kept free for the carry."""
    least, most = int(case.preset.carry.least * case.room), case.preset.carry.most
    return min(least, most) if most and not case.aims else least


def most_live(case: Case) -> int:
    """Tokens that the messages that stay may have: the least carry fits beside them.

    Where no target is set, so does the round that comes next: else it would be due again at once.
    """
    slack = 0 if case.aims else min(case.average_round, case.room // 4)
    return case.room - least_carry(case) - slack


def fits(case: Case, draft: Draft) -> bool:
    """Whether the target is reached with room for the least carry."""
    return draft.live_tokens <= most_live(case)


def with_edits(case: Case, draft: Draft, edits: Mapping[Spot, Edit]) -> Steps[Draft]:
    """The draft with more edits, its sizes counted anew. Later edits of a part replace earlier ones."""
    if not edits:
        return draft
    spots = sorted(edits)
    old = tuple(_text(case, draft, spot) for spot in spots)
    new = tuple(edits[spot].text or "" for spot in spots)
    counts = yield from count(old + new)
    sizes = list(draft.sizes)
    for number, (index, part) in enumerate(spots):
        size = sizes[index] - counts[number] + counts[len(spots) + number]
        if (index, part) not in draft.edits:
            size -= image_share(case, index, part)
        sizes[index] = max(0, size)
    return replace(draft, sizes=tuple(sizes), edits={**draft.edits, **edits})


def image_share(case: Case, index: int, part: int) -> int:
    """Tokens of the images in a part: an edit replaces them with its text."""
    from vademecum.core.tokens import image_tokens

    return image_tokens(case.live[index].parts[part])


def _text(case: Case, draft: Draft, spot: Spot) -> str:
    edit = draft.edits.get(spot)
    return case.live[spot[0]].parts[spot[1]].text if edit is None else edit.text or ""
