"""What runs at night only (`make nightly`): the same tests, many times over."""

from __future__ import annotations

import os

#: Whether this is the nightly run; the tests that are marked `nightly` are left out of all others.
AT_NIGHT = os.environ.get("NIGHTLY", "") == "1"


def often(few: int, many: int = 5_000) -> int:
    """How many examples to try: a few, or many at night."""
    return many if AT_NIGHT else few
