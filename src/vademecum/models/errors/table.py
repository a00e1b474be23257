"""The table of wordings: rows in `table.toml`, whose patterns are written with words that have a meaning."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, cast, get_args

from vademecum.errors import ConfigError
from vademecum.models.errors.verdict import Kind

#: The order in which the parts of the table are gone through.
STAGES = ("codes", "negative", "output", "combined", "input", "status")
_WORD = re.compile(r"\{([a-z_]+)\}")
_KEYS = frozenset({"name", "kind", "code", "says", "unless", "status", "provider", "empty", "limit", "certain"})


@dataclass(frozen=True, slots=True)
class Row:
    """One wording.

    Attributes:
        name: What the row is called.
        stage: The part of the table that it stands in.
        kind: The kind that it tells.
        codes: Codes of which the error has one; empty for any.
        says: What its text says; None for anything.
        unless: What its text does not say.
        statuses: Statuses of which it has one; empty for any.
        providers: Beginnings of providers' names; empty for any.
        empty: Whether the row is for errors that say nothing.
        limit: What a limit that the error names limits.
        certain: Whether it can be believed without other evidence.
    """

    name: str
    stage: str
    kind: Kind
    codes: frozenset[str]
    says: re.Pattern[str] | None
    unless: re.Pattern[str] | None
    statuses: frozenset[int]
    providers: tuple[str, ...]
    empty: bool
    limit: str
    certain: bool


@dataclass(frozen=True, slots=True)
class Table:
    """All rows, and the patterns by which figures are found.

    Attributes:
        rows: The rows in the order in which they are tried.
        figures: Patterns that name figures, in the order in which they are tried.
        fields: Names of fields by the figure that they hold.
        status: Patterns that name the status in a text that came without one.
        waits: Patterns that name a time to wait.
        numbers: What a number looks like.
    """

    rows: tuple[Row, ...]
    figures: tuple[re.Pattern[str], ...]
    fields: Mapping[str, tuple[str, ...]]
    status: tuple[re.Pattern[str], ...]
    waits: tuple[re.Pattern[str], ...]
    numbers: re.Pattern[str]


@cache
def packaged() -> Table:
    """The table that comes with the package."""
    return table_of(files("vademecum.models.errors").joinpath("table.toml").read_text("utf-8"))


def table_of(text: str) -> Table:
    """Reads a table.

    Args:
        text: The table as TOML.

    Raises:
        ConfigError: A row is not as rows are.
    """
    data = tomllib.loads(text)
    words = _meant(data["words"])
    rows = tuple(_row(row, stage, words) for stage in STAGES for row in data.get(stage, ()))
    figures, status, waits = (
        tuple(_pattern(says, words) for says in data[part]["says"]) for part in ("figures", "statuses", "waits")
    )
    fields = {name: tuple(fields) for name, fields in data["fields"].items()}
    return Table(rows, figures, fields, status, waits, _pattern(r"(?<![\w.,-]){n}", words))


def _meant(words: Mapping[str, str | list[str]]) -> dict[str, str]:
    """The words as patterns; each may use those above it."""
    meant: dict[str, str] = {}
    for name, value in words.items():
        choices = value if isinstance(value, list) else [value]
        meant[name] = f"(?:{'|'.join(_filled(choice, meant) for choice in choices)})"
    return meant


def _filled(pattern: str, words: Mapping[str, str]) -> str:
    return _WORD.sub(lambda found: words.get(found[1], found[0]), pattern)


def _pattern(patterns: str | list[str], words: Mapping[str, str]) -> re.Pattern[str]:
    choices = patterns if isinstance(patterns, list) else [patterns]
    try:
        return re.compile("|".join(_filled(choice, words) for choice in choices))
    except re.error as error:
        raise ConfigError(f"the pattern {choices[0]!r} is none: {error}", hint="mend it in the table") from None


def _row(row: Mapping[str, Any], stage: str, words: Mapping[str, str]) -> Row:
    name = cast("str", row.get("name", row.get("kind", "?")))
    if unknown := sorted(set(row) - _KEYS):
        raise ConfigError(f"{stage}: {name} has no key {unknown[0]!r}", hint=f"known are {', '.join(sorted(_KEYS))}")
    if row.get("kind") not in get_args(Kind):
        raise ConfigError(f"{stage}: {name} has the kind {row.get('kind')!r}", hint=f"one of {get_args(Kind)}")
    return Row(
        name=f"{stage}: {name}",
        stage=stage,
        kind=row["kind"],
        codes=frozenset(code.lower() for code in row.get("code", ())),
        says=_pattern(row["says"], words) if "says" in row else None,
        unless=_pattern(row["unless"], words) if "unless" in row else None,
        statuses=frozenset(row.get("status", ())),
        providers=tuple(row.get("provider", ())),
        empty=row.get("empty", False),
        limit=row.get("limit", ""),
        certain=row.get("certain", True),
    )
