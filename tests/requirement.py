"""Ties a test to what it shows: `@requirement("C-14")`, after `from requirement import requirement`."""

import re

import pytest

ID = re.compile(r"[CAMPBGI]-?\d+")


def requirement(*ids: str) -> pytest.MarkDecorator:
    """Names the requirements (C-14, A-3, …) or invariants (I7) that the test shows to hold."""
    wrong = [name for name in ids if not ID.fullmatch(name)]
    if wrong or not ids:
        raise ValueError(f"{wrong or 'nothing'} names no requirement; they look like C-14 or I7")
    return pytest.mark.requirement(*ids)
