"""From any string to index terms: every word, and every compound name as its words in a row."""

from __future__ import annotations

import re
from dataclasses import dataclass

from vademecum.archive.sqlite.passages import CJK, camel_parts, folded, sign_words, words

#: More terms than these are not looked up; the first ones of a query say the most.
MOST_TERMS = 40
#: Words in a row that are looked up as one name.
_LONGEST_PHRASE = 24
_CJK_RUN = re.compile(f"[{CJK}]{{2,}}")
_UNIT = re.compile(r"[^\s\"'`,;()\[\]{}<>|]+")


@dataclass(frozen=True, slots=True)
class Term:
    """One thing to look up.

    Attributes:
        words: Words that must stand in a row.
        weight: Factor on the term's rarity.
        literal: How it is spelled in a text where that differs from its words.
        prefix: The last word may go on.
    """

    words: tuple[str, ...]
    weight: float = 1.0
    literal: str = ""
    prefix: bool = False

    @property
    def match(self) -> str:
        """The term in the index's query language; words have no quote in them."""
        return '"' + " ".join(self.words) + '"' + (" *" if self.prefix else "")


def terms(query: str) -> tuple[Term, ...]:
    """The terms of a query, without repeats; none for a query without a word in it."""
    found: dict[tuple[str, ...], Term] = {}
    for unit in _UNIT.findall(query):
        for term in _unit_terms(unit):
            found.setdefault(tuple(map(folded, term.words)), term)
        if len(found) >= MOST_TERMS:
            break
    return tuple(found.values())[:MOST_TERMS]


def _unit_terms(unit: str) -> list[Term]:
    out: list[Term] = []
    for run in _CJK_RUN.findall(unit):
        if 2 < len(run) <= _LONGEST_PHRASE:
            out.append(Term(tuple(run)))
        out += [Term(tuple(run[at : at + 2])) for at in range(len(run) - 1)]
    # Only the characters outside CJK runs are single words; those inside are found in pairs.
    single = words(_CJK_RUN.sub(" ", unit))
    if 1 < len(single) <= _LONGEST_PHRASE:
        out.insert(0, Term(tuple(single), 2.0))
    out += [Term((word,), 0.5 if len(single) > 1 else 1.0) for word in single]
    # Part of a longer name: `UserName` in `getUserName`.
    parted = [tuple(camel_parts(word)) for word in single if word.isascii() and not word.islower()]
    out += [Term(parts, 0.5) for parts in parted if 1 < len(parts) <= _LONGEST_PHRASE]
    out += [Term((word,), 1.5, literal=spelled) for word, spelled in sign_words(unit)]
    return out
