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
        words: What the words in patterns stand for.
    """

    rows: tuple[Row, ...]
    figures: tuple[re.Pattern[str], ...]
    fields: Mapping[str, tuple[str, ...]]
    status: tuple[re.Pattern[str], ...]
    waits: tuple[re.Pattern[str], ...]
    numbers: re.Pattern[str]
    words: Mapping[str, str]


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
    words = meanings(data["words"], {})
    rows = tuple(row_of(row, stage, words) for stage in STAGES for row in data.get(stage, ()))
    figures, status, waits = (
        tuple(pattern(says, words) for says in data[part]["says"]) for part in ("figures", "statuses", "waits")
    )
    fields = {name: tuple(fields) for name, fields in data["fields"].items()}
    return Table(rows, figures, fields, status, waits, pattern(r"(?<![\w.,-]){n}", words), words)


def meanings(words: Mapping[str, str | list[str]], known: Mapping[str, str]) -> dict[str, str]:
    """The words as patterns, beside those that are known; each may use the ones above it."""
    meant = dict(known)
    for name, value in words.items():
        choices = value if isinstance(value, list) else [value]
        meant[name] = f"(?:{'|'.join(_filled(choice, meant) for choice in choices)})"
    return meant


def _filled(said: str, words: Mapping[str, str]) -> str:
    def meaning(found: re.Match[str]) -> str:
        if found[1] not in words:
            raise ConfigError(f"the pattern {said!r} uses the word {found[0]}, which is none", hint=_hint(words))
        return words[found[1]]

    return _WORD.sub(meaning, said)


def _hint(words: Mapping[str, str]) -> str:
    return f"the words are {', '.join(sorted(words))}; others stand in [words]"


def pattern(says: str | list[str], words: Mapping[str, str], flags: int = 0) -> re.Pattern[str]:
    """The pattern of one or several wordings.

    Raises:
        ConfigError: One of them is no pattern.
    """
    choices = says if isinstance(says, list) else [says]
    for choice in choices:
        try:
            re.compile(_filled(choice, words))
        except re.error as error:
            raise ConfigError(f"the pattern {choice!r} is none: {error}", hint="mend it in the table") from None
    return re.compile("|".join(_filled(choice, words) for choice in choices), flags)


def row_of(row: Mapping[str, Any], stage: str, words: Mapping[str, str], flags: int = 0) -> Row:
    """One row as it is used.

    Args:
        row: The row as TOML has it.
        stage: The part of the table that it stands in.
        words: What the words in its patterns stand for.
        flags: Those of its patterns.

    Raises:
        ConfigError: It is not as rows are.
    """
    name = cast("str", row.get("name", row.get("kind", "?")))
    if unknown := sorted(set(row) - _KEYS):
        raise ConfigError(f"{stage}: {name} has no key {unknown[0]!r}", hint=f"known are {', '.join(sorted(_KEYS))}")
    if row.get("kind") not in get_args(Kind):
        raise ConfigError(
            f"{stage}: {name} has the kind {row.get('kind')!r}", hint=f"one of {', '.join(get_args(Kind))}"
        )
    return Row(
        name=f"{stage}: {name}",
        stage=stage,
        kind=row["kind"],
        codes=frozenset(code.lower() for code in row.get("code", ())),
        says=pattern(row["says"], words, flags) if "says" in row else None,
        unless=pattern(row["unless"], words, flags) if "unless" in row else None,
        statuses=frozenset(row.get("status", ())),
        providers=tuple(row.get("provider", ())),
        empty=row.get("empty", False),
        limit=row.get("limit", ""),
        certain=row.get("certain", True),
    )
