"""Sentences: the smallest spans that say something, and the kinds of saying that must survive."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

#: A sentence is never longer than this, in characters.
LONGEST = 400

_END = re.compile(r"(?<=[.!?。！？])\s+|(?<=[。！？])")
_RULE = re.compile(r"[\s|=+*_#>`~─-]*")
#: What list marks and rules begin with; other lines are looked at no further.
_MARKS = frozenset("-*•>#|=+_`~─")

# A user's rule for the work, in the languages that the data has and their neighbours.
_CONSTRAINT = re.compile(
    r"""^(?:(?:please|and|also|but|so|ok(?:ay)?|then|now)[\s,]+)*
       (?:keep|use|avoid|ensure|make\ sure|prefer|remember|stick|stop|only|do\ not|don['’]t|never|always|no\ )\b
     |\b(?:never|always|must(?:n['’]t)?|should(?:n['’]t)?|do\ not|let['’]s\ not|ha(?:s|ve)\ to|not\ allowed|forbid\w*
      |requires?d?|make\ sure|ensure|instead\ of|without\ (?:touching|changing|breaking)|needs?\ to|at\ (?:most|least)
      |nunca|sempre|deve|devem|n[ãa]o\ (?:use|altere|mude|fa[çc]a|remova)|apenas|somente|evite|garanta|prefira
      |jamais|toujours|doit|doivent|ne\ pas|siempre|debe|niemals|immer|muss
      |никогда|всегда|нельзя|нужно|должн\w+|только)\b
     |必须|不要|禁止|永远|总是|只能|絶対|必ず""",
    re.VERBOSE | re.IGNORECASE,
)
_DECISION = re.compile(
    r"""\b(?:decid\w+|decision|chose|choose|going\ with|go\ with|agreed|approach|trade-?off|because|instead\ of
      |root\ cause|turns\ out|caused\ by|fixed|the\ fix|conclusion|therefore|rather\ than|confirmed
      |decidi\w*|decis[ãa]o|porque|causa)\b""",
    re.VERBOSE | re.IGNORECASE,
)
#: Every match of it has one of these in it; where a sentence has none, nothing needs to be matched.
_DECIDED = ("deci", "cho", "go", "agreed", "approach", "trade", "because", "instead", "root", "turns", "caus", "fix",
            "conclusion", "therefore", "rather", "confirmed", "porque")  # fmt: skip
_ERROR = re.compile(
    r"""(?:error|exception)s?\b
      |\b(?:fail(?:ed|ure|s)?|fatal|panic|traceback|denied|not\ found|no\ such
      |cannot|can['’]t
      |undefined|refused|timed?\ ?out|assert\w*|conflict|rejected|unexpected|invalid|missing)\b
      |[✗✘❌]|\bE\d{3,5}\b""",
    re.VERBOSE | re.IGNORECASE,
)
_EXIT = re.compile(
    r"\b(?:exit(?:ed)?(?:\ with)?(?:\ code|\ status)?|returncode|rc)[\s:=]*([1-9]\d{0,2})\b", re.IGNORECASE
)
_MARKUP = re.compile(r"^\s*(?:[-*•>]\s+|\d+[.)]\s+|#{1,6}\s+|\|\s*)*")


#: A word, and how many of them tell what a name is.
_PLAIN, _FEWEST = re.compile(r"[^\W\d_]{4,}"), 3


def sentences(text: str) -> Iterator[str]:
    """Sentences and lines of a text, without list marks, rules and blank lines."""
    for line in text.splitlines():
        bare = line.strip()
        if not bare:
            continue
        if bare[0] in _MARKS or bare[0].isdecimal():
            bare = _MARKUP.sub("", line, count=1).strip()
            if not bare or _RULE.fullmatch(bare):
                continue
        if len(bare) <= 160:
            yield bare
            continue
        for piece in _END.split(bare):
            stripped = piece.strip()
            if stripped:
                yield stripped[:LONGEST]


def tells(sentence: str, names: Iterable[str]) -> bool:
    """Whether a sentence has words beside its names, so that it says what they are."""
    for name in names:
        sentence = sentence.replace(name, " ")
    return sum(1 for _ in _PLAIN.finditer(sentence)) >= _FEWEST


def is_constraint(sentence: str) -> bool:
    """Whether a user's sentence sets a rule for the work."""
    return _CONSTRAINT.search(sentence) is not None


def is_decision(sentence: str) -> bool:
    """Whether a sentence says what was decided, found or concluded."""
    if sentence.isascii() and not any(map(sentence.lower().__contains__, _DECIDED)):
        return False
    return _DECISION.search(sentence) is not None


def error_lines(text: str, most: int) -> list[str]:
    """The first lines of a tool's output that report an error, without repeats."""
    found: dict[str, None] = {}
    for line in text.splitlines():
        if len(found) >= most:
            break
        if 8 <= len(line) <= 2_000 and _ERROR.search(line):
            found.setdefault(line.strip()[:LONGEST])
    return list(found)


def failed_exit(text: str) -> bool:
    """Whether a tool's output says that it exited with an error, near its start or its end."""
    edges = text if len(text) <= 1_200 else f"{text[:400]}\n{text[-800:]}"
    return _EXIT.search(edges) is not None
