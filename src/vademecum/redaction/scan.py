"""Scanning: one pass of an automaton finds every keyword of the rules, then a bounded look around each decides.

The automaton takes time in proportion to the text; what is tried at a keyword sees a few hundred characters
(a token's own run, a key's own block), so no text can make it slow.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING

from vademecum.redaction import blocks, named, tokens, urls
from vademecum.redaction.rules import Keyed, Shape, Token, rules
from vademecum.redaction.secret import Secret

if TYPE_CHECKING:
    from ahocorasick_rs import AhoCorasick

#: Shorter texts hold no secret that could be told from a word.
_SHORTEST = 8
#: A secret of this many characters is looked for in the rest of its text, where nothing says what it is.
_TELLING = 12
_MOST_REPEATED = 64
#: A run of this many characters that is no token is not looked at again.
_LONG = 300
_REPEATED = 99
#: What was found in the last few texts of at most so many characters is remembered, of longer ones in the last one.
_REMEMBERED = 200_000

Rule = Token | Shape | Keyed | str


def secrets_in(text: str) -> tuple[Secret, ...]:
    """The secrets of a text, in order, none overlapping another."""
    if len(text) < _SHORTEST:
        return ()
    return _lately_scanned(text) if len(text) <= _REMEMBERED else _large_scanned(text)


def _scanned(text: str) -> tuple[Secret, ...]:
    automaton, tried = _automaton()
    found: list[tuple[int, int, int, str]] = []
    passed: dict[str, int] = {}
    for number, start, stop in automaton.find_matches_as_indexes(_lowered(text), overlapping=True):
        for rule in tried[number]:
            if isinstance(rule, Token):
                if start < passed.get(rule.kind, 0):
                    continue  # inside a run that was looked at already
                at = tokens.token_at(rule, text, start)
                if isinstance(at, int):
                    # A short run costs nothing to be looked at again, from a later prefix.
                    passed[rule.kind] = at if at - start >= _LONG else 0
                    continue
                passed[rule.kind] = at.stop
                found.append((at.start, -at.stop, 1, at.kind))
            else:
                secret, rank = _tried(rule, text, start, stop)
                if secret is not None:
                    found.append((secret.start, -secret.stop, rank, secret.kind))
    return _joined([*found, *_repeated(text, found)]) if found else ()


#: The index and the facts ask for the same text one after the other.
_lately_scanned = lru_cache(maxsize=8)(_scanned)
_large_scanned = lru_cache(maxsize=1)(_scanned)


def _tried(rule: Shape | Keyed | str, text: str, start: int, stop: int) -> tuple[Secret | None, int]:
    """What a rule finds at a keyword, and its rank: of two that overlap the lower one says what kind it is."""
    if isinstance(rule, Keyed):
        return named.value_after(rule, text, start, stop), 10 + rule.order
    if isinstance(rule, Shape):
        return _shape_at(rule, text, start), 2
    return (blocks.block_at(text, start, stop), 0) if rule == "block" else (urls.password_in(text, start, stop), 3)


def _shape_at(rule: Shape, text: str, at: int) -> Secret | None:
    first, last = max(0, at - rule.before), at + rule.reach
    look = rule.pattern.search if rule.before else rule.pattern.match
    match = look(text, first, last)
    if match is None or not tokens.is_telling(match["secret"]):
        return None
    return Secret(*match.span("secret"), rule.kind)


@cache
def _automaton() -> tuple[AhoCorasick, tuple[tuple[Rule, ...], ...]]:
    from ahocorasick_rs import AhoCorasick, Implementation, MatchKind

    tried: dict[str, list[Rule]] = {}
    for keyword, rule in rules().keywords:
        tried.setdefault(keyword, []).append(rule)
    return AhoCorasick(list(tried), matchkind=MatchKind.Standard, implementation=Implementation.DFA), tuple(
        map(tuple, tried.values())
    )


def _lowered(text: str) -> str:
    """The text in lower case, as long as it was; keywords are ASCII, so no other character is needed."""
    return text.lower() if text.isascii() else text.encode("ascii", "replace").decode("ascii").lower()


def _repeated(text: str, found: list[tuple[int, int, int, str]]) -> list[tuple[int, int, int, str]]:
    """The other places of secrets that only their surroundings gave away."""
    values = {text[start:-stop]: kind for start, stop, rank, kind in found if rank >= 2 and -stop - start >= _TELLING}
    again: list[tuple[int, int, int, str]] = []
    for value, kind in list(values.items())[:_MOST_REPEATED]:
        at = text.find(value)
        while at >= 0:
            again.append((at, -(at + len(value)), _REPEATED, kind))
            at = text.find(value, at + len(value))
    return again


def _joined(found: list[tuple[int, int, int, str]]) -> tuple[Secret, ...]:
    """Overlapping ones as one, under the kind of the lowest rank."""
    found.sort()
    out: list[Secret] = []
    lowest = _REPEATED
    for start, negative, rank, kind in found:
        if out and start < out[-1].stop:
            last = out[-1]
            out[-1] = Secret(last.start, max(last.stop, -negative), kind if rank < lowest else last.kind)
            lowest = min(lowest, rank)
        else:
            out.append(Secret(start, -negative, kind))
            lowest = rank
    return tuple(out)
