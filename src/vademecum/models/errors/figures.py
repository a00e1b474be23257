"""Figures: the numbers that an error names, where they are plausible (M-6)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from vademecum.models.errors.envelope import Told
from vademecum.models.errors.table import Table

#: The smallest limit that is believed in a field of its own and in prose, and the largest in both.
LEAST_IN_FIELD, LEAST_IN_PROSE, MOST = 128, 1_024, 10_000_000
#: No wait that a provider asks for is longer.
_LONGEST = 7 * 86_400.0
_SCALES = {"k": 1_000, "m": 1_000_000}
_UNITS = {"ms": 0.001, "millisecond": 0.001, "m": 60, "minute": 60, "min": 60, "h": 3_600, "hour": 3_600}


@dataclass(frozen=True, slots=True)
class Figures:
    """What an error names.

    Attributes:
        limit: The limit.
        input: Tokens of the input.
        output: Tokens of output that were asked for.
        total: Tokens of both, or of what was sent where it does not say which.
        excess: Tokens by which it is too much.
        cap: The most output that may be asked for.
        retry_after: Seconds to wait.
    """

    limit: int | None = None
    input: int | None = None
    output: int | None = None
    total: int | None = None
    excess: int | None = None
    cap: int | None = None
    retry_after: float | None = None

    @property
    def observed(self) -> int | None:
        """Tokens of the input as far as they can be told."""
        if self.input is None and self.total is not None and self.output and self.total > self.output:
            return self.total - self.output
        return self.total if self.input is None else self.input


def figures_of(told: Told, text: str, table: Table) -> Figures:
    """The figures of an error; those in fields go before those in its text.

    Args:
        told: What it says.
        text: Its messages as patterns see them.
        table: Names of fields, and patterns.
    """
    held = {name: _held(told, fields) for name, fields in table.fields.items()}
    said = _said(text, table.figures)
    limit = held.get("limit")
    if limit is None or not LEAST_IN_FIELD <= limit <= MOST:
        limit = _plausible(said.get("limit"), LEAST_IN_PROSE)
    return Figures(
        limit=limit,
        input=_first(held.get("input"), said.get("input")),
        output=_first(held.get("output"), said.get("output")),
        total=said.get("total"),
        excess=said.get("excess"),
        cap=_plausible(said.get("cap"), LEAST_IN_FIELD),
        retry_after=_wait(held.get("retry"), text, table.waits),
    )


def beside(figures: Figures, text: str, table: Table) -> Figures:
    """The figures of an input that is too large: of two numbers the smaller one is the limit."""
    if figures.output is not None:
        return figures
    found = {
        number for match in table.numbers.finditer(text) if LEAST_IN_PROSE <= (number := _number(match[0])) <= MOST
    }
    limit, observed = figures.limit, figures.observed
    if len(found) == 2 and (observed is None or {limit, observed} <= found) and limit in (None, max(found)):
        return replace(figures, limit=min(found), input=max(found))
    if limit is not None and observed is not None and observed < limit:
        return replace(figures, limit=observed, input=limit)
    return figures


def _held(told: Told, fields: Sequence[str]) -> int | None:
    return next((told.figures[name] for name in fields if told.figures.get(name, 0) > 0), None)


def _said(text: str, patterns: Sequence[re.Pattern[str]]) -> dict[str, int]:
    """What the text says; of what two patterns name, the earlier one's. `input_2` is added to `input`."""
    said: dict[str, int] = {}
    for pattern in patterns:
        new: dict[str, int] = {}
        match = pattern.search(text)
        for group, value in match.groupdict().items() if match else ():
            if value is not None:
                name = group.rstrip("_0123456789")
                new[name] = new.get(name, 0) + _number(value)
        if _plausible(new.get("limit"), LEAST_IN_PROSE) is None:
            new.pop("limit", None)
        said = {**new, **said}
    return said


def _number(text: str) -> int:
    scale = _SCALES.get(text[-1:], 1)
    digits = text.rstrip("km")
    if scale > 1:
        return int(float(digits.replace(",", "")) * scale)
    return int(re.sub(r"\D", "", digits)[:15] or 0)


def _plausible(value: int | None, least: int) -> int | None:
    return value if value is not None and least <= value <= MOST else None


def _first(*values: int | None) -> int | None:
    return next((value for value in values if value is not None and value <= 10 * MOST), None)


def _wait(held: int | None, text: str, patterns: Sequence[re.Pattern[str]]) -> float | None:
    """Seconds to wait: a field's, or the sum of what the text says, such as 1m30.5s."""
    if held is not None:
        return float(held) if held <= _LONGEST else None
    for pattern in patterns:
        if (match := pattern.search(text)) is not None:
            parts = re.findall(r"(\d+(?:\.\d+)?)\s*([a-z]*)", match["wait"])
            seconds = sum(float(value) * _scale(unit) for value, unit in parts[:4])
            return seconds if 0 < seconds <= _LONGEST else None
    return None


def _scale(unit: str) -> float:
    return _UNITS.get(unit, _UNITS.get(unit.rstrip("s"), 1)) if unit != "s" else 1
