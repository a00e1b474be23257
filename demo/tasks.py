"""The jobs of the demo's agent: each chooses its next action from what the tools really answered."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

import notes
from moves import Act, Call, Script
from notes import Page, Symbol

LINES_PER_READ = 150
READS_AT_ONCE = 3
MUTANTS = 3
CLEAN = "[exit code 0]"
PYTEST = "python -m pytest -q -x --no-header --tb=short -p no:cacheprovider"

# A line of code, not of a docstring, and without a text or comment that the change could fall into.
CODE = re.compile(r"^\s*(?:(?:if|elif|while) [^\"'#]*:|return [^\"'#]*)$")

# Each pair turns a line into one that is wrong in a way that a good test notices.
MUTATIONS = (
    (r" == ", " != "),
    (r"return True$", "return False"),
    (r" > ", " >= "),
    (r" < ", " <= "),
    (r" and ", " or "),
    (r" not in ", " in "),
)


@dataclass(frozen=True)
class Layout:
    """The repository's files by kind, as the first listing showed them."""

    sources: tuple[str, ...]
    tests: tuple[str, ...]
    texts: tuple[str, ...]


@dataclass(frozen=True)
class Reading:
    """What reading came to: the definitions seen, and what is still to be said of the last pages."""

    symbols: tuple[Symbol, ...]
    said: str


def look_around() -> Script[Layout]:
    """Lists the files and looks at how the project is built."""
    seen = yield Act("I start with the list of files.", (Call("list_files", {"path": "."}),))
    paths = [line.rpartition("  ")[0] for line in seen.results[0].splitlines()]
    tests = tuple(path for path in paths if PurePosixPath(path).match("test_*.py"))
    sources = tuple(path for path in paths if path.startswith("src/") and path.endswith(".py"))
    texts = tuple(path for path in paths if path.endswith((".md", ".toml", ".sql")) or path == "Makefile")
    calls = [Call("shell", {"command": "git log --oneline"})]
    calls += [read(path) for path in ("pyproject.toml", "Makefile") if path in paths]
    yield Act(f"{len(sources)} source files, {len(tests)} test files, {len(texts)} texts.", tuple(calls))
    return Layout(sources, tests, texts)


def read(path: str, start: int = 1) -> Call:
    """The call that reads one range of a file."""
    return Call("read_file", {"path": path, "start": start, "end": start + LINES_PER_READ - 1})


def read_through(paths: Sequence[str], until: int, rng: random.Random) -> Script[Reading]:
    """Reads files in ranges, several at once, until all are read or the transcript has `until` tokens."""
    waiting = [(path, 1) for path in reversed(paths)]
    found: list[Symbol] = []
    said = "I read on from the top."
    while waiting:
        batch = [waiting.pop() for _ in range(min(READS_AT_ONCE, len(waiting)))]
        seen = yield Act(said, tuple(read(path, start) for path, start in batch))
        pages = [notes.page(path, result) for (path, _), result in zip(batch, seen.results, strict=True)]
        found += [symbol for each in pages for symbol in notes.symbols(each)]
        said = "\n".join(notes.report(each, rng) if each.lines else f"{each.path}: empty." for each in pages)
        waiting += [(each.path, each.last + 1) for each in reversed(pages) if 0 < each.last < each.total]
        if seen.tokens >= until:
            break
    return Reading(tuple(found), said)


def survey(known: Sequence[Symbol], until: int, rng: random.Random) -> Script[tuple[str, ...]]:
    """Greps symbols that were seen, and tells which are used in their own file only."""
    lonely: list[str] = []
    said = "I grep the public names that I have seen, four at a time."
    public = list({symbol.name: symbol for symbol in known if not symbol.name.startswith("_")}.values())
    rng.shuffle(public)
    for first in range(0, len(public), 4):
        group = public[first : first + 4]
        calls = tuple(Call("search", {"pattern": rf"\b{symbol.name}\b", "path": "."}) for symbol in group)
        seen = yield Act(said, calls)
        lines = []
        for symbol, result in zip(group, seen.results, strict=True):
            files = {hit.partition(":")[0] for hit in result.splitlines() if ".py:" in hit}
            lines.append(f"- `{symbol.name}`: {len(result.splitlines())} lines in {len(files)} files")
            if files == {symbol.path}:
                lonely.append(f"`{symbol.name}` ({symbol.path}:{symbol.line})")
        said = "\n".join(lines)
        if seen.tokens >= until:
            break
    yield Act(f"{said}\n\nUsed in their own file only: {', '.join(lonely) or 'none'}. I renamed nothing.")
    return tuple(lonely)


def tested_pairs(layout: Layout) -> list[tuple[str, str]]:
    """Source files and the test file named after each."""
    tests = {PurePosixPath(path).name: path for path in layout.tests}
    named = ((path, f"test_{PurePosixPath(path).name}") for path in layout.sources)
    return [(path, tests[name]) for path, name in named if name in tests]


def mutate(layout: Layout, until: int, rng: random.Random) -> Script[tuple[str, ...]]:
    """Breaks one line at a time, looks whether the tests notice, and puts it back."""
    pairs = tested_pairs(layout)
    rng.shuffle(pairs)
    outcomes: list[str] = []
    for source, test in pairs[:MUTANTS]:
        seen = yield Act(
            f"Next is {source} with {test}: first that it passes, then what it covers.",
            (Call("shell", {"command": f"{PYTEST} {test}"}), read(test), read(source)),
        )
        if not notes.passed(seen.results[0]):
            outcomes.append(f"{test} does not pass untouched: {notes.failure(seen.results[0])}")
            continue
        change = wrong_line(notes.page(source, seen.results[2]), rng)
        if change is not None:
            outcomes.append((yield from break_and_restore(source, test, *change)))
        if seen.tokens >= until:
            break
    listed = "\n".join(f"- {outcome}" for outcome in outcomes) or "- no source file has its own test yet"
    check = Call("shell", {"command": "git status --short src tests"})
    seen = yield Act("Is every file back as it was?", (check,))
    state = "Every file is back as it was" if seen.results[0] == CLEAN else "Not every file is shown to be back"
    yield Act(f"What the tests notice:\n{listed}\n{state}, says git: `{seen.results[0]}`.")
    return tuple(outcomes)


def wrong_line(source: Page, rng: random.Random) -> tuple[str, str] | None:
    """A line that stands once on the page, and the same line made wrong."""
    texts = [text for _, text in source.lines]
    changes = [
        (text, re.sub(pattern, wrong, text, count=1))
        for text in texts
        for pattern, wrong in MUTATIONS
        if CODE.match(text) and re.search(pattern, text) and texts.count(text) == 1
    ]
    return rng.choice(changes) if changes else None


def break_and_restore(source: str, test: str, right: str, wrong: str) -> Script[str]:
    """One mutant: edit, run, put back, run again; returns one line on what happened."""
    run = Call("shell", {"command": f"{PYTEST} {test}"})
    broken = Call("edit_file", {"path": source, "old": right, "new": wrong})
    seen = yield Act(f"I break {source} on purpose: `{right.strip()}` becomes `{wrong.strip()}`.", (broken,))
    seen = yield Act(f"{seen.results[0]}. Do the tests of {test} notice?", (run,))
    noticed = not notes.passed(seen.results[0])
    told = notes.failure(seen.results[0])
    said = f"They do, with `{told}`." if noticed else f"They do not: `{wrong.strip()}` passes unnoticed."
    restore = Call("edit_file", {"path": source, "old": wrong, "new": right})
    yield Act(f"{said} I put the line back.", (restore,))
    seen = yield Act("And once more, to be sure.", (run,))
    again = "passes again" if notes.passed(seen.results[0]) else "still fails"
    return f"{source}: `{wrong.strip()}` {'fails' if noticed else 'is not noticed'}; restored, {test} {again}"
