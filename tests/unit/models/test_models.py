"""The scripted model and the tokenizer."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from requirement import requirement
from vademecum.errors import RateLimited
from vademecum.models.model import Prompt, Reply
from vademecum.models.tokenizer import count_tokens
from vademecum.testing import ScriptedModel

ASK = Prompt("system", "user", 100)


def test_a_script_is_read_line_by_line_and_its_last_line_repeats() -> None:
    model = ScriptedModel(["one", Reply("two", "length"), lambda prompt: prompt.user.upper()])
    assert [model.complete(ASK) for _ in range(4)] == [
        Reply("one"),
        Reply("two", "length"),
        Reply("USER"),
        Reply("USER"),
    ]
    assert model.prompts == [ASK] * 4


def test_a_script_may_raise() -> None:
    model = ScriptedModel([RateLimited("later"), "fine"])
    with pytest.raises(RateLimited):
        model.complete(ASK)
    assert model.complete(ASK).text == "fine"


def test_an_empty_script_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one line"):
        ScriptedModel([])


@requirement("C-12")
def test_the_tokenizer_knows_its_vocabulary() -> None:
    assert count_tokens(["", "hello world", "<|endoftext|>"]) == (0, 2, 7)


@requirement("C-12")
@given(st.lists(st.text(st.characters(codec=None), max_size=400), max_size=5))
def test_any_text_has_a_count(texts: list[str]) -> None:
    counts = count_tokens(texts)
    assert len(counts) == len(texts)
    assert all((count > 0) == bool(text) for count, text in zip(counts, texts, strict=True))


@requirement("C-12")
@pytest.mark.parametrize(
    "text",
    [" " * 1_000_000, "a" * 1_000_000, "word\n" * 120_000, "🙂" * 250_000],
    ids=["blanks", "a", "lines", "emoji"],
)
def test_a_giant_text_is_counted_in_pieces(text: str) -> None:
    assert 0 < count_tokens([text])[0] <= len(text) * 2


def test_pieces_move_a_count_by_a_token_or_so() -> None:
    line = "The quick brown fox jumps over the lazy dog.\n"
    (one,) = count_tokens([line])
    assert count_tokens([line * 10_000])[0] == pytest.approx(one * 10_000, abs=10)
