"""Values of telling names: `password = …`, `"api_key": "…"`, `--token …`, and what is only written like one."""

from __future__ import annotations

import math
import re
from collections import Counter

from vademecum.redaction.rules import Keyed, rules
from vademecum.redaction.secret import Secret
from vademecum.redaction.tokens import is_stand_in

_QUOTE = r"\\{0,3}[\"'`]"
_AFTER = re.compile(
    rf"""
    (?P<rest> [A-Za-z0-9_.-]{{0,40}} )
    (?: {_QUOTE} )? \]? \)?
    (?: [ \t]{{0,8}} (?P<op> := | => | -> | ={{1,3}} | \?= | : | > )
      | : [ \t]{{1,4}} [A-Za-z][\w\[\]|.]{{0,40}} [ \t]{{1,4}} = (?=[ \t]{{0,4}}{_QUOTE}) )?
    (?P<space> [ \t]{{0,12}} )
    (?P<quote> {_QUOTE} )?
    (?P<value> (?: [^\s"'`\\\x00-\x1f]{{1,300}}+ | \\/ | \\u00[0-9a-fA-F]{{2}} ){{1,40}}+ )
    """,
    re.VERBOSE,
)
_TYPED = re.compile(rf":[ \t]{{1,4}}[A-Za-z][\w\[\]|.]{{0,40}}[ \t]{{1,4}}=[ \t]{{0,4}}(?P<quote>{_QUOTE})")
#: Where a value ends that no quote ends.
_STOP = re.compile(r"[,;<>(){}\[\]|&]")
_RUN = re.compile(r"[^\s\"'`\\\x00-\x1f]{1,300}")
_NAME_BEFORE = re.compile(r"[A-Za-z0-9_.-]{1,60}\Z")
_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
_PIECES = re.compile(r"[^A-Za-z0-9]+")
_WORDLIKE = re.compile(
    r"(?:[A-Za-z]?[a-z]*|[A-Z]+|[a-z]+(?:[A-Z][a-z]+){1,12}|(?:[A-Z]{2,6}\d{0,2})?(?:[A-Z][a-z]+){1,12})\d{0,4}|\d+"
)
_UUID = re.compile(r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}")
_HEX = re.compile(r"(?:0x)?[0-9a-fA-F]+")
_DIGIT, _LETTER = re.compile("[0-9]"), re.compile("[A-Za-z]")
_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_ESCAPED = re.compile(r"\\u00([0-9a-fA-F]{2})|\\/")


def value_after(rule: Keyed, text: str, start: int, stop: int) -> Secret | None:
    """The secret that a name with a telling word in it is given; the word stands at a place."""
    match = _AFTER.match(text, stop, stop + 480)
    if match is None:
        return None
    typed = _TYPED.match(text, match.end("rest"), match.end("rest") + 120)
    quote = typed["quote"] if typed is not None else match["quote"]
    first = typed.end() if typed is not None else match.start("value")
    before = _NAME_BEFORE.search(text, max(0, start - 60), start)
    name = (before[0] if before else "") + text[start:stop] + match["rest"]
    is_flag = name.startswith("--") and bool(match["space"])
    operator = "=" if typed is not None else match["op"]
    if not (operator or is_flag) or not _names_one(name, text[start:stop], match["rest"]):
        return None
    last = typed.end() + _run(text, typed.end()) if typed is not None else match.end("value")
    if operator == ">" and (quote or not text.startswith("</", match.start("value") + _cut(match["value"]))):
        return None  # the end of a tag, not a comparison
    if not quote:
        last = first + _cut(text[first:last])
        if text[last : last + 1] in ("(", "[", "{"):
            return None  # a call or an item: code
    value = _ESCAPED.sub(lambda found: chr(int(found[1], 16)) if found[1] else "/", text[first:last])
    if quote and not _closed(text, last, quote):
        return None
    return Secret(first, last, rule.kind) if _is_secret(rule, value, quoted=bool(quote)) else None


def _run(text: str, at: int) -> int:
    match = _RUN.match(text, at)
    return 0 if match is None else match.end() - at


def _cut(value: str) -> int:
    end = _STOP.search(value)
    return len(value) if end is None else end.start()


def _closed(text: str, at: int, quote: str) -> bool:
    """Whether a quoted value ends as it began, or was cut off; a sentence goes on behind a blank."""
    rest = text[at : at + len(quote) + 3]
    return not rest or rest.startswith((quote, "…")) or rest[0] in "\n\r\\\"'`"


def _names_one(name: str, word: str, rest: str) -> bool:
    """Whether a name is one of a secret and not of something about it."""
    none = rules().not_secret
    if rest[:1].islower() and not rest.startswith(("key", "value", "s.")):
        return False  # the word goes on: tokenizer, passwordless, secrets
    words = [found.lower() for found in _WORDS.findall(name)]
    inner = [found.lower() for found in _WORDS.findall(word)]
    after = [found.lower() for found in _WORDS.findall(rest)]
    if after and after[-1] in none.endings:
        return False
    before = words[: max(0, len(words) - len(inner) - len(after))]
    return not any(found in none.words for found in before)


def _is_secret(rule: Keyed, value: str, *, quoted: bool) -> bool:
    bare = value.rstrip(".,;:!?)") if not quoted else value
    # What is cheap and says most comes first.
    if len(bare) < rule.least or not (_DIGIT.search(bare) and _LETTER.search(bare)):
        return False
    if bare.lower().startswith(rules().not_secret.starts) or is_stand_in(bare):
        return False
    if any(mark in bare for mark in ("${", "{{", "://", "...", "****")) or _UUID.fullmatch(bare) or _DATE.match(bare):
        return False
    if _HEX.fullmatch(bare) and not (rule.hex and len(bare) >= 16):
        return False
    if _is_words(bare, rule, quoted=quoted):
        return False
    return _entropy(bare) >= rule.entropy


def _is_words(value: str, rule: Keyed, *, quoted: bool) -> bool:
    """Whether a value is made of words and numbers, as names, versions and paths are."""
    pieces = [piece for piece in _PIECES.split(value) if piece]
    if not all(_WORDLIKE.fullmatch(piece) for piece in pieces):
        return False
    # A password may well be a word with a few digits; a name in code has no sign in it but `_` and `.`.
    if rule.kind == "password" and (quoted or len(pieces) == 1):
        return value.lower().strip("_0123456789") in rules().not_secret.plain_passwords
    return not (quoted and rule.kind == "password")


def _entropy(value: str) -> float:
    """Bits of a character, by how often each occurs."""
    size = len(value)
    return -sum(count / size * math.log2(count / size) for count in Counter(value).values())
