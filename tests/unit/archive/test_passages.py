"""How text is cut and spelled out for the index, and how a query becomes terms."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from requirement import requirement
from vademecum.archive.sqlite.passages import LENGTH, OVERLAP, folded, passages, readable, spelled_out, words
from vademecum.archive.sqlite.query import MOST_TERMS, terms
from vademecum.archive.sqlite.window import best_window, weighed
from vademecum.core.messages import Message, Part


def message(*texts: str) -> Message:
    return Message("user", tuple(Part("text", text) for text in texts), {}, b"")


@requirement("A-5")
@given(lengths=st.lists(st.integers(0, 3 * LENGTH + 50), max_size=4))
def test_passages_cover_every_part_with_overlap(lengths: list[int]) -> None:
    found = list(passages(message(*["x" * length for length in lengths])))
    for number, length in enumerate(lengths):
        own = [passage for passage in found if passage.part == number]
        covered = {at for passage in own for at in range(passage.start, passage.stop)}
        assert covered == set(range(length))
        assert all(passage.stop - passage.start <= LENGTH for passage in own)
        for left, right in pairwise(own):
            assert left.stop - right.start == OVERLAP


@requirement("A-5")
def test_arguments_are_read_as_a_person_would() -> None:
    call = Part(
        "tool_call", '{"path": "a.py", "edits": [{"new": "x\\ny", "n": 3}], "deep": {"a": {"b": 1}}}', tool="Edit"
    )
    assert readable(call) == "Edit\npath: a.py\nnew: x\ny\nn: 3\nb: 1"
    assert readable(Part("tool_call", "no json", tool="Bash")) == "Bash\nno json"
    assert readable(Part("tool_call", "{}", tool="Bash")).startswith("Bash")
    assert readable(Part("image", "")) == ""


@requirement("A-4")
@pytest.mark.parametrize(
    ("text", "has"),
    [
        ("getUserName", ["get", "User", "Name"]),
        ("XMLHttpRequest", ["XML", "Http", "Request"]),
        ("C++ and C#", ["cplusplus", "csharp"]),
        ("修改youer", ["修", "改", "youer"]),
        (r"a\nport b", ["port"]),
        (r"caf\u00e9", ["café"]),
        (r"\ud83d\ude00 \u6570", ["数"]),
    ],
)
def test_what_the_index_would_miss_is_added(text: str, has: list[str]) -> None:
    spelled = words(spelled_out(text))
    assert [word for word in has if word not in spelled] == []


@requirement("A-4")
@pytest.mark.parametrize("text", ["Title Case Words", "plain words", "CONSTANT", "snake_case"])
def test_plain_words_are_not_told_twice(text: str) -> None:
    assert spelled_out(text) == text


@requirement("A-4")
@given(text=st.text(alphabet=st.characters(), max_size=200))
def test_spelling_out_is_safe(text: str) -> None:
    spelled_out(text).encode("utf-8")
    assert "\0" not in spelled_out(text)


@requirement("A-5")
def test_dense_runs_are_left_out() -> None:
    assert spelled_out("see " + "QUJD" * 200 + " end").split() == ["see", "end"]


@given(text=st.text(max_size=100))
def test_folding_again_changes_nothing(text: str) -> None:
    assert folded(folded(text)) == folded(text)


def matches(query: str) -> list[str]:
    return [term.match for term in terms(query)]


@requirement("A-4")
@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("port", ['"port"']),
        ("the port", ['"the"', '"port"']),
        ("foo_bar", ['"foo bar"', '"foo"', '"bar"']),
        ("src/a_b.py:42", ['"src a b py 42"', '"src"', '"a"', '"b"', '"py"', '"42"']),
        ("C++", ['"C"', '"cplusplus"']),
        ("服务端", ['"服 务 端"', '"服 务"', '"务 端"']),
        ("端", ['"端"']),
        ("端x", ['"端 x"', '"端"', '"x"']),
        ("Port port PORT", ['"Port"']),
        ('"(*) AND -', ['"AND"']),
        ("", []),
        ("!?.,;", []),
    ],
)
def test_terms(query: str, expected: list[str]) -> None:
    assert matches(query) == expected


@requirement("A-4")
@given(query=st.text(alphabet=st.characters(), max_size=300))
def test_terms_are_few_and_quoted(query: str) -> None:
    found = terms(query)
    assert len(found) <= MOST_TERMS
    for term in found:
        inner = term.match.removesuffix(" *")
        assert inner.startswith('"')
        assert inner.endswith('"')
        assert inner.count('"') == 2
        inner.encode("utf-8")
        assert all(term.words)


def window(text: str, query: str, most: int) -> str:
    found = best_window(text, 0, len(text), [weighed(term, 1.0) for term in terms(query)], most)
    assert found.start <= found.stop <= found.start + most
    return text[found.start : found.stop]


@requirement("A-5")
@given(
    before=st.text(alphabet="ab \né数İ", max_size=400),
    after=st.text(alphabet="ab \né数", max_size=400),
    most=st.integers(20, 300),
)
def test_a_window_holds_its_match(before: str, after: str, most: int) -> None:
    assert "zebra" in window(f"{before} zebra {after}", "zebra", most)


@requirement("A-5")
@pytest.mark.parametrize(
    ("text", "query", "stands"),
    [
        ("portable report", "port", False),
        ("the port", "port", True),
        ("a getUserName b", "name", True),
        ("HTTPServer", "http", True),
        ("HTTPServer", "server", True),
        ("修改youer服务", "youer", True),
        ("E02771", "E0277", False),
        ("foo_bar", "bar", True),
        ("use C++ now", "C++", True),
        ("use C now", "C++", True),
    ],
)
def test_only_words_that_the_index_has_count(text: str, query: str, stands: bool) -> None:
    found = best_window(text, 0, len(text), [weighed(term, 1.0) for term in terms(query)], 50)
    assert (found.worth > 0) == stands
