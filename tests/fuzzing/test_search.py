"""Any string whatever is a valid search."""

from __future__ import annotations

import random

from night import often
from requirement import requirement
from vademecum import Archive, compact
from vademecum.testing import sample

_PIECES = (
    '"', "'", "*", "(", ")", ":", "^", "-", "+", "NEAR", "AND", "OR", "NOT", "NEAR/3", "{", "}", "\\", "/", "%", "_",
    "\x00", "\ud83d", "\udfff", "C++", "foo.bar()", "E0277", "src/a_b.py:42", "修改", "服务端", "é", "👩‍👩‍👧",
    "\u202e", "\n", "\t", " ", "port", "5003", "col:x", "text:", "rowid",
    ";--", "''", '""', "a" * 300, "٣", "ﬁ", "ß", "İ", "ǅ",
)  # fmt: skip


def queries(count: int) -> list[str]:
    """Strings of pieces that mean something to a query language, and of any characters."""
    chance = random.Random(20_261_130)
    made: list[str] = []
    for _ in range(count):
        if chance.random() < 0.6:
            made.append("".join(chance.choice(_PIECES) for _ in range(chance.randint(0, 9))))
        else:
            made.append("".join(chr(chance.randrange(0x110000)) for _ in range(chance.randint(0, 30))))
    return made


@requirement("A-4", "I12")
def test_ten_thousand_strings_are_searches() -> None:
    """By day one of ten."""
    session = Archive.memory().session("s", format="openai-chat")
    compact(sample(turns=12), window=200_000, session=session)
    found = 0
    for query in queries(often(1_000, 10_000)):
        hits = session.search(query, limit=3)
        assert isinstance(hits, list)
        found += bool(hits)
    assert found > 50
