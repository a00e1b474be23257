"""The smaller jobs of the demo's agent: write a module with its test, lint, read the library, wrap up."""

from __future__ import annotations

import random
from collections.abc import Sequence

import notes
from moves import Act, Call, Script
from tasks import PYTEST, Layout, read, read_through

MODULE = "practice/trigger_rule.py"
TEST = "practice/test_trigger_rule.py"

MODULE_TEXT = '''"""When is a transcript due for compaction?"""


def trigger_tokens(window: int, max_output: int = 0) -> int:
    """Half of the window, less when the reply needs the room, 128,000 at most."""
    reserve = min(max_output, window // 2) if max_output else 8_192
    return max(2_000, min(min(window, 256_000) // 2, window - reserve))


def is_due(measured: int, window: int) -> bool:
    """Whether the measured transcript has reached the trigger."""
    return measured >= trigger_tokens(window)
'''

TEST_TEXT = """import pytest

from practice.trigger_rule import is_due, trigger_tokens


@pytest.mark.parametrize(
    ("window", "expected"), [(8_000, 2_000), (16_000, 7_808), (200_000, 100_000), (1_000_000, 128_000)]
)
def test_trigger_follows_the_table(window: int, expected: int) -> None:
    assert trigger_tokens(window) == expected


def test_exactly_the_trigger_is_not_due_yet() -> None:
    assert not is_due(128_000, 1_000_000)
    assert is_due(128_001, 1_000_000)
"""

LIBRARY = ("json", "sqlite3", "email", "http", "logging", "urllib", "asyncio", "unittest", "xml", "importlib")
LEAST_BYTES = 4_000


def write_module() -> Script[str]:
    """Writes a small module with its test; the first version is wrong at the edge, as the test run shows."""
    run = Call("shell", {"command": f"{PYTEST} {TEST}"})
    yield Act(
        f"I write {MODULE} and, apart from it, {TEST} with the numbers of the table.",
        (
            Call("edit_file", {"path": MODULE, "old": "", "new": MODULE_TEXT}),
            Call("edit_file", {"path": TEST, "old": "", "new": TEST_TEXT}),
        ),
    )
    seen = yield Act("Now the test.", (run,))
    if notes.passed(seen.results[0]):
        yield Act("It passes at once.")
        return "passed at once"
    told = notes.failure(seen.results[0])
    right = "return measured > trigger_tokens(window)"
    fix = Call("edit_file", {"path": MODULE, "old": right.replace(">", ">="), "new": right})
    yield Act(f"It fails: `{told}`. The comparison must be strict: exactly the trigger is not due.", (fix,))
    seen = yield Act("Once more.", (run,))
    state = "passes" if notes.passed(seen.results[0]) else f"still fails: `{notes.failure(seen.results[0])}`"
    yield Act(f"{TEST} {state}. The error was `{told}`; the fix is `{right}` in {MODULE}.")
    return told


def lint(layout: Layout, rng: random.Random) -> Script[str]:
    """Runs the linter, gives it something to find, sees it found, and takes it away."""
    run = Call("shell", {"command": "python -m ruff check --no-cache src"})
    seen = yield Act("First the linter on what is there.", (run,))
    before = notes.failure(seen.results[0])
    with_future = [path for path in layout.sources if not path.endswith("__init__.py")] or [MODULE]
    path = rng.choice(with_future)
    seen = yield Act(f"It says `{before}`. To see that it looks at {path} too:", (read(path),))
    lines = [text for _, text in notes.page(path, seen.results[0]).lines]
    anchor = next((text for text in lines if text.startswith("from ") and text[-1] != "("), "")
    if not anchor:
        yield Act(f"{path} imports nothing; I leave it alone.")
        return before
    unused = f"{anchor}\nimport colorsys"
    edit = Call("edit_file", {"path": path, "old": anchor, "new": unused})
    yield Act(f"An import that nobody needs goes in after `{anchor}`.", (edit,))
    seen = yield Act("Does the linter find it?", (run,))
    complaints = [line for line in seen.results[0].splitlines() if line.startswith("F401") and "colorsys" in line]
    told = complaints[0] if complaints else notes.failure(seen.results[0])
    undo = Call("edit_file", {"path": path, "old": unused, "new": anchor})
    seen = yield Act(f"It says `{told}`. I take the import away again.", (undo, run))
    yield Act(f"After the repair: `{notes.failure(seen.results[1])}`. With the stray import it was `{told}`.")
    return told


def choose_library(rng: random.Random) -> Script[tuple[str, ...]]:
    """Lists a few packages of Python's own library and puts the files worth reading in an order."""
    calls = tuple(Call("list_files", {"path": f"stdlib/{name}"}) for name in LIBRARY)
    seen = yield Act("I look which packages of the library are worth the time.", calls)
    listed = [line.split() for result in seen.results for line in result.splitlines()]
    sizes = {words[0]: int(words[1]) for words in listed if len(words) == 3 and words[2] == "bytes"}
    worthy = [path for path, size in sizes.items() if path.endswith(".py") and size >= LEAST_BYTES]
    rng.shuffle(worthy)
    return tuple(sorted(worthy, key=lambda path: not path.startswith(("stdlib/json", "stdlib/sqlite3"))))


def reference(paths: Sequence[str], until: int, rng: random.Random) -> Script[tuple[str, ...]]:
    """Reads the library two files at a time, with what they raise; returns what is left to read."""
    place = tokens = 0
    said = "First what these two raise."
    while place < len(paths) and tokens < until:
        taken = paths[place : place + 2]
        place += len(taken)
        calls = tuple(Call("search", {"pattern": r"\braise \w+\(", "path": path}) for path in taken)
        seen = yield Act(f"{said}\n\nNext: {' and '.join(taken)}.", calls)
        tokens = seen.tokens
        said = "Raised there: " + "; ".join(notes.raised(seen.results, rng)) + "."
        if tokens < until:
            said = (yield from read_through(taken, until, rng)).said
    yield Act(f"{said}\n\nThe reading of the library stops here; {len(paths) - place} files of it are left.")
    return tuple(paths[place:])


def wrap_up() -> Script[None]:
    """Shows what was changed, and ends."""
    calls = ("git status --short", "git diff --stat", f"{PYTEST} {TEST}")
    seen = yield Act(
        "I look at what is different from the start.",
        tuple(Call("shell", {"command": command}) for command in calls),
    )
    changed = [line.strip() for line in seen.results[0].splitlines() if not line.startswith("[exit code")]
    makefile = "touched, against the rule" if any("Makefile" in line for line in changed) else "untouched"
    yield Act(
        f"Finished. Different from the start: {', '.join(changed) or 'nothing'}. The Makefile is {makefile}. "
        f"Last run of {TEST}: `{notes.failure(seen.results[2])}`."
    )
