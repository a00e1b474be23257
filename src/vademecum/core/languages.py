"""Languages: whether a summary is written in one that the session has (C-17). Told by scripts and small words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from unicodedata import name as name_of

_WORD = re.compile(r"[^\W\d_]+")
#: Words that are frequent in one of these languages and are not written so in the others.
_SMALL = {
    "en": "the and of to is was that with for are this be from not have has were been it by",
    "pt": "que não uma para com foi são mais dos das pelo você isso está os nos foram ser",
    "es": "que una para con fue los las del por más está como pero el son sus ser",
    "fr": "les des une est dans pour que pas sur avec qui du été sont nous vous et",
    "de": "der die das und ist nicht mit von den ein eine wurde auf für sich dem zu",
    "it": "che non una per con sono della gli nel alla più è stato il di",
}
_OF: dict[str, list[str]] = {}
for _language, _words in _SMALL.items():
    for _word in _words.split():
        _OF.setdefault(_word, []).append(_language)
#: So many small words of a language, and so many times those of the next one, tell it.
_ENOUGH, _CLEARLY = 12, 1.5
#: Share of the letters that tells a script, of at least so many letters.
_SCRIPT, _LETTERS = 0.6, 60
#: Longer texts are judged by their beginnings.
_MOST = 40_000


def foreign(text: str, source: Sequence[str]) -> bool:
    """Whether a text is written in a language that none of the source is; False where that cannot be told."""
    own = language_of(text)
    if own is None:
        return False
    theirs = {found for said in source if (found := language_of(said)) is not None}
    return bool(theirs) and own not in theirs


def language_of(text: str) -> str | None:
    """The language of a text by its small words, else its script; None where neither is clear."""
    words = [word.lower() for word in _WORD.findall(text[:_MOST])]
    letters = "".join(words)
    scripts = Counter(_script(char) for char in letters[:: max(1, len(letters) // 400)])
    if len(letters) < _LETTERS:
        return None
    script, found = scripts.most_common(1)[0]
    if found < _SCRIPT * scripts.total():
        return None
    if script != "LATIN":
        return script
    hits = Counter(language for word in words for language in _OF.get(word, ()))
    ranked = [*hits.most_common(2), ("", 0), ("", 0)]
    (first, most), (_, next_most) = ranked[0], ranked[1]
    return first if most >= _ENOUGH and most >= _CLEARLY * next_most else None


def _script(char: str) -> str:
    if char.isascii():
        return "LATIN"
    script = name_of(char, "?").split(" ", 1)[0]
    return "CJK" if script in ("HIRAGANA", "KATAKANA") else script
