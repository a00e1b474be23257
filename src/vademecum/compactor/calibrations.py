"""What a session has learned of the sizes that its models report, and what the archive knows of their families."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from vademecum.archive import Session
from vademecum.core.calibration import LEARNED_SPREAD, OWN, UNKNOWN, UNNAMED, Calibration, Ratio
from vademecum.core.scale import Scale
from vademecum.models.families import Family, family_of

_KEY, _RATIO = "calibrations", "ratio:"
#: Families that a session keeps what it has learned of.
_MOST = 8
#: A ratio is told to other sessions when it is known so well, and is that far from what they know.
_SURE, _NEWS = 0.1, 0.002


class Calibrations:
    """The calibrations of one session, by model family; a later process goes on with them.

    Args:
        session: The session.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._held: dict[str, Any] = session.recall_state(_KEY) or {}

    def family(self, model: str) -> Family:
        """The family of a model; where none is named, that of the model that answered last."""
        return family_of(model or self._held.get("newest", ""))

    @property
    def newest(self) -> str:
        """The model that reported last; empty before the first report, or where it did not say."""
        return self._held.get("newest", "")

    @property
    def cached(self) -> float:
        """The share of the last request that its provider has in its cache, as it reported."""
        return float(self._held.get("cached", 0.0))

    @property
    def last(self) -> float | None:
        """When a model reported last, in seconds since the epoch; None before the first report."""
        return self._held.get("at")

    def of(self, model: str, outside: int) -> Calibration:
        """What is known of a model's sizes beside a system text and tools of which we count so many tokens."""
        family = self.family(model)
        held = self._held.get("families", {}).get(family.name)
        if held is not None:
            return Calibration(**held).beside(outside)
        learned = self._session.recall_shared(_RATIO + family.name) if family.name and not family.own else None
        return Calibration.of(_first(family, learned), outside)

    def outside(self) -> int | None:
        """Our count of the system text and the tools of the newest request that was reported; None before it."""
        families = self._held.get("families", {})
        held = families.get(self.family("").name)
        return None if held is None else int(held["outside"])

    def take(self, model: str, *, reported: int, messages: int, outside: int, at: float, cached: int = 0) -> None:
        """Learns from a report.

        Args:
            model: The model that was asked, or the one that answered.
            reported: All prompt tokens.
            messages: Our count of the messages that it read.
            outside: Our count of what stands outside of them.
            at: When, in seconds since the epoch.
            cached: Prompt tokens that were read from the provider's cache, or put into it.
        """
        family = self.family(model)
        now = self.of(model, outside).after(reported, messages)
        families = {name: held for name, held in self._held.get("families", {}).items() if name != family.name}
        kept = dict(list(families.items())[1 - _MOST :])
        fields = {name: getattr(now, name) for name in now.__slots__}
        newest = model or self._held.get("newest", "")
        share = round(min(1.0, cached / reported), 4)
        self._held = {"newest": newest, "at": at, "cached": share, "families": {**kept, family.name: fields}}
        self._session.remember_state(_KEY, self._held)
        if family.name and now.learned.spread <= _SURE:
            self._tell(family, now.learned)

    def _tell(self, family: Family, learned: Ratio) -> None:
        held = self._session.recall_shared(_RATIO + family.name)
        if held is None or abs(held["ratio"] - learned.value) > _NEWS:
            told = {"ratio": learned.value, "spread": learned.spread}
            self._session.remember_shared(_RATIO + family.name, told)


def assumed(model: str, outside: int) -> Scale:
    """The scale of a model of which nothing was learned."""
    return Calibration.of(_first(family_of(model), None), outside).scale


def _first(family: Family, learned: Mapping[str, float] | None) -> Ratio:
    """What is assumed of a family before a session's first report (C-12)."""
    if not family.name:
        return UNNAMED
    if family.own:
        return OWN
    return UNKNOWN if learned is None else Ratio(learned["ratio"], max(LEARNED_SPREAD, learned["spread"]))
