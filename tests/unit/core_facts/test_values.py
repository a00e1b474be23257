from __future__ import annotations

import pytest

from requirement import requirement
from vademecum.core.facts.values import values_in


@requirement("C-24")
@pytest.mark.parametrize(
    ("sentence", "found"),
    [
        ("MAX_RETRIES=5 in the new file", [("MAX_RETRIES", "5")]),
        ("set sync.remote: origin/main", [("sync.remote", "origin/main")]),
        ("The branch is now release/2.1.", [("branch", "release/2.1")]),
        (
            "This changed: the memory ceiling of the importer is now 512 MB.",
            [("memory ceiling of the importer", "512 MB")],
        ),
        ("Our share of the cache is 30 %.", [("share of the cache", "30 %")]),
        ("The pinned image of the router was set to rel-7f3a1c.", [("pinned image of the router", "rel-7f3a1c")]),
        ("The weather is fine and nothing changed.", []),
        ("See pyproject.toml:153 and `useFolder.ts:821-844`.", []),
        ("What it does is 5 times what that was.", []),
        ("version: latest", []),
    ],
)
def test_values_with_the_name_of_what_has_them(sentence: str, found: list[tuple[str, str]]) -> None:
    assert values_in(sentence) == found


def test_a_long_line_is_read_in_linear_time() -> None:
    # Were the words before a verb tried in every way, this would never end.
    assert values_in("the " + "very " * 20_000 + "end") == []
    assert values_in("the a-b_c " * 20_000) == []
