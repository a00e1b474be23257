"""What is passed over before a pattern is tried gives what the pattern alone gives."""

from __future__ import annotations

import re
from importlib import import_module

from hypothesis import given
from hypothesis import strategies as st

from vademecum.archive.sqlite import passages
from vademecum.core.facts import sentences, values

names = import_module("vademecum.core.facts.names")

_PIECES = (
    "decided",
    "Chose",
    "go with",
    "because",
    "fixed",
    "porque",
    "well",
    "the limit",
    "is",
    "is now",
    "to",
    "->",
    "=",
    ":",
    "8080",
    "5 MB",
    "src/a.py",
    "fooBar",
    "HTTPServer",
    "_Foo9Bar",
    "x2Y",
    "C++",
    "F#",
    "c\n# Head",
    "Re-run",
    "re-run.",
    "--flag",
    "-x",
    "don’t",
    "não",
    "日本語",
    "port",
    "MAX_SIZE",
    "our memory ceiling",
    "are now",
    "a" * 230,
    "ab-" * 90,
    "##",
    "- item",
    "12. item",
    "٣. item",
    "---",
    "| a |",
    "`code span`",
    "v1.2",
    "E0277",
    "#42",
    "\t",
    "\n",
    ".",
    ",",
    "…",
)
_texts = st.lists(st.tuples(st.sampled_from(_PIECES), st.sampled_from((" ", "", "\n", ". "))), max_size=14).map(
    lambda pieces: "".join(piece + gap for piece, gap in pieces)
)


@given(_texts)
def test_decisions(text: str) -> None:
    assert sentences.is_decision(text) == (sentences._DECISION.search(text) is not None)


@given(_texts)
def test_sentences(text: str) -> None:
    bare = (sentences._MARKUP.sub("", line, count=1).strip() for line in text.splitlines())
    lines = [line for line in bare if line and not sentences._RULE.fullmatch(line)]
    pieces = (
        piece.strip() for line in lines for piece in ([line] if len(line) <= 160 else sentences._END.split(line))
    )
    assert list(sentences.sentences(text)) == [piece[: sentences.LONGEST] for piece in pieces if piece]


@given(_texts)
def test_values(text: str) -> None:
    assert values.values_in(text) == values.values_in(f"\u2028{text}")  # what is not ASCII is always looked at


@given(_texts)
def test_names(text: str) -> None:
    text = text.replace("`", " ")
    tokens = re.findall(rf"[^{names._SEPARATORS}]{{3,200}}", text)
    assert list(names.names_in(text).items()) == list(dict(filter(None, map(names._named, tokens))).items())


@given(_texts)
def test_words_told_apart_by_case(text: str) -> None:
    runs = dict.fromkeys(run.lstrip("0123456789_") for run in re.findall(r"[A-Za-z0-9_]+", text))
    cased = dict.fromkeys(run.lstrip("0123456789_") for run in passages._CASED.findall(text))
    assert [passages._humps(run) for run in runs if passages._humps(run)] == [
        passages._humps(run) for run in cased if passages._humps(run)
    ]


@given(_texts)
def test_signs(text: str) -> None:
    letters = (
        (passages._LETTER_BEFORE.search(text, max(0, sign.start() - 2), sign.start()), sign)
        for sign in re.finditer(r"\+\+|#", text)
    )
    expected = [
        letter[0].lower() + sign[0]
        for letter, sign in letters
        if letter and not re.match("[A-Za-z0-9_]", text[sign.end() :])
    ]
    assert [spelling for _, spelling in passages.sign_words(text)] == expected
