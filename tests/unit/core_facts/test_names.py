"""Names: what kind of thing a token names, and that words of a language are none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from requirement import requirement
from vademecum.core.facts import names_in
from vademecum.core.facts.names import WEIGHTS, kind_of


@requirement("C-22")
@pytest.mark.parametrize(
    ("token", "kind"),
    [
        ("https://example.org/a?b=1", "url"),
        ("postgresql://db:5432/x", "url"),
        ("123e4567-e89b-12d3-a456-426614174000", "uuid"),
        ("3f9ab12", "commit"),
        ("40c704aecce4c5b7ad0b4f1d23b1a3b546699614", "commit"),
        ("#169", "issue"),
        ("ENT-221", "issue"),
        ("--dry-run", "flag"),
        ("127.0.0.1", "host"),
        ("10.0.0.1:5432", "host"),
        ("localhost:8080", "host"),
        ("db-host.internal:5433", "host"),
        ("app.py", "file"),
        ("state_test.go:103", "file"),
        ("src/foo_bar.py:42", "path"),
        ("/etc/nginx/nginx.conf", "path"),
        ("~/code/notes", "path"),
        ("v1.2.3-rc.1", "version"),
        ("3.11", "version"),
        ("MAX_OPEN_FILES", "env"),
        ("sess_9f3", "id"),
        ("0x7ffe", "id"),
        ("E0277", "id"),
        ("foo_bar", "symbol"),
        ("getUserName", "symbol"),
        ("HttpClient", "symbol"),
        ("os.path.join", "symbol"),
        ("std::vector", "symbol"),
        ("5433", "number"),
    ],
)
def test_kinds(token: str, kind: str) -> None:
    assert kind_of(token) == kind
    assert names_in(f"we saw {token} there").get(token) == kind


@requirement("C-22")
@pytest.mark.parametrize(
    "word",
    ["the", "Hello", "WARNING", "well-known", "e.g", "I", "don't", "...", "42", "日本", "1st"],
)
def test_words_are_no_names(word: str) -> None:
    assert kind_of(word) == ""


@requirement("C-22")
@pytest.mark.parametrize(
    ("text", "names"),
    [
        ('See `src/app.py` and (src/b.py), also "src/c.py".', ["src/app.py", "src/b.py", "src/c.py"]),
        ("port=5433;host=db-1", ["5433", "db-1"]),
        ("it is in src/app.py.", ["src/app.py"]),
        ("**`FOO_BAR`** → 0x7ffe…", ["FOO_BAR", "0x7ffe"]),
        ("run `make all` then `x.y`", ["x.y"]),
        ("foo_bar foo_bar foo_bar", ["foo_bar"]),
        (
            "see https://example.org/a?b=1&c=2#d, or (http://x.io/y).",
            ["https://example.org/a?b=1&c=2#d", "http://x.io/y"],
        ),
    ],
)
def test_names_are_taken_out_of_their_surroundings(text: str, names: list[str]) -> None:
    found = names_in(text)
    assert [name for name in names if name not in found] == []
    assert len(found) == len(set(found))


@given(text=st.text(alphabet=st.characters(), max_size=300))
def test_any_text_gives_names_of_known_kinds(text: str) -> None:
    assert set(names_in(text).values()) <= WEIGHTS.keys()


@requirement("C-22")
@pytest.mark.parametrize(
    "text",
    [
        "a/" * 50_000,
        "a." * 50_000,
        "a_" * 50_000,
        "aB" * 50_000,
        "1." * 50_000,
        "::" * 50_000,
        "`" * 50_000,
        "-a" * 50_000,
    ],
    ids=lambda text: text[:2],
)
def test_hostile_text_is_quick(text: str) -> None:
    names_in(text)  # a pattern that goes back and forth would take minutes here
    names_in(text.replace(text[:2], text[:2] + " ", 1))
    for length in range(180, 201):
        kind_of(text[:length] + "!")
