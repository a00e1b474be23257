"""The rules: what the data file says, read once and made ready for scanning."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any


@dataclass(frozen=True, slots=True)
class Token:
    """A secret that begins with a telling prefix; the fields are explained in the data file."""

    kind: str
    prefix: str
    run: re.Pattern[str]
    least: int
    most: int
    length: int
    word: bool
    exact: bool
    mixed: bool
    dots: int


@dataclass(frozen=True, slots=True)
class Shape:
    """A secret that a pattern finds near a keyword."""

    kind: str
    pattern: re.Pattern[str]
    before: int
    reach: int


@dataclass(frozen=True, slots=True)
class Keyed:
    """A name whose value is a secret; of two rules for one name the earlier one says what it is."""

    kind: str
    order: int
    least: int
    entropy: float
    hex: bool


@dataclass(frozen=True, slots=True)
class NotSecret:
    """What is none, however it looks."""

    endings: frozenset[str]
    words: tuple[str, ...]
    starts: tuple[str, ...]
    stand_ins: frozenset[str]
    plain_passwords: frozenset[str]


@dataclass(frozen=True, slots=True)
class Rules:
    """All rules.

    Attributes:
        version: Of the data file; an index says which one it was made with.
        keywords: In lower case, each with what is to be tried where it stands.
        not_secret: What is none.
    """

    version: int
    keywords: tuple[tuple[str, Token | Shape | Keyed | str], ...]
    not_secret: NotSecret

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of secrets that the rules know."""
        named = [rule.kind for _, rule in self.keywords if not isinstance(rule, str)]
        return tuple(dict.fromkeys([*named, "private-key", "database-password", "url-password"]))


@cache
def rules() -> Rules:
    """The rules of the data file."""
    data: dict[str, Any] = tomllib.loads(files("vademecum.redaction").joinpath("rules.toml").read_text("utf-8"))
    keywords: list[tuple[str, Token | Shape | Keyed | str]] = [("://", "url"), ("private key", "block")]
    for row in data["token"]:
        keywords += [(prefix.lower(), _token(row, prefix)) for prefix in row["prefixes"]]
    for row in data["pattern"]:
        shape = Shape(row["kind"], re.compile(row["pattern"]), row["before"], row["reach"])
        keywords += [(keyword, shape) for keyword in row["keywords"]]
    for order, row in enumerate(data["keyed"]):
        keyed = Keyed(row["kind"], order, row["least"], row["entropy"], row["hex"])
        keywords += [(spelling, keyed) for name in row["names"] for spelling in _spellings(name)]
    none: dict[str, list[str]] = data["not_secret"]
    return Rules(
        version=data["version"],
        keywords=tuple(keywords),
        not_secret=NotSecret(
            endings=frozenset(none["endings"]),
            words=tuple(none["words"]),
            starts=tuple(none["starts"]),
            stand_ins=frozenset(none["stand_ins"]),
            plain_passwords=frozenset(none["plain_passwords"]),
        ),
    )


def _token(row: dict[str, Any], prefix: str) -> Token:
    return Token(
        kind=row["kind"],
        prefix=prefix,
        run=re.compile(f"[{row['alphabet']}]+"),
        least=row["least"],
        most=row.get("most", 600),
        length=row.get("length", 0),
        word=row.get("word", False),
        exact=row.get("exact", False),
        mixed=row.get("mixed", False),
        dots=row.get("dots", 0),
    )


def _spellings(name: str) -> list[str]:
    return list(dict.fromkeys(name.replace("_", mark) for mark in ("_", "-", "", " " if "_" in name else "_")))
