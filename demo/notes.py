"""What the agent writes down about what it has read: names, places, values and error texts, in sentences."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

DEFINITION = re.compile(r"^\s*(?:class|def|async def)\s+(\w+)")
CONSTANT = re.compile(r"^([A-Z][A-Z0-9_]{3,})\s*(?::[^=]+)?=\s*(\S.{0,80})$")
RAISED = re.compile(r"raise (\w+)\(f?[\"']([^\"']{12,120})")
HEADING = re.compile(r"^#{1,4} (\S.{3,100})$")
SETTING = re.compile(r"^([a-z][a-z0-9_.-]{3,}) = (\S.{0,80})$")
DOCSTRING = re.compile(r'^\s*[rR]?"""(.{15,160})')
SHOWN = re.compile(r"lines (\d+)-(\d+) of (\d+)")
NOTES_PER_FILE = 4


@dataclass(frozen=True)
class Symbol:
    """A class or function that the agent saw being defined."""

    name: str
    path: str
    line: int
    about: str


@dataclass(frozen=True)
class Page:
    """A read_file result, taken apart: `lines` holds (number, text)."""

    path: str
    lines: tuple[tuple[int, str], ...]
    total: int

    @property
    def last(self) -> int:
        return self.lines[-1][0] if self.lines else 0


def page(path: str, result: str) -> Page:
    """Takes a read_file result apart; an error has no lines."""
    header, _, body = result.partition("\n")
    shown = SHOWN.search(header)
    if shown is None:
        return Page(path, (), 0)
    numbered = (line for line in body.split("\n") if line[:5].strip().isdigit())
    return Page(path, tuple((int(line[:5]), line[7:]) for line in numbered), int(shown[3]))


def symbols(read: Page) -> tuple[Symbol, ...]:
    """The definitions on a page, each with the first line of its docstring."""
    found: list[Symbol] = []
    for place, (number, line) in enumerate(read.lines):
        match = DEFINITION.match(line)
        if match and not match[1].startswith("__"):
            found.append(Symbol(match[1], read.path, number, _about(read.lines[place + 1 : place + 9])))
    return tuple(found)


def report(read: Page, rng: random.Random) -> str:
    """A few sentences about one page, with exact names, places and texts."""
    sentences = [
        f"`{symbol.name}` ({symbol.path}:{symbol.line}): {symbol.about}" for symbol in symbols(read) if symbol.about
    ]
    for number, line in read.lines:
        sentences += _remarks(f"{read.path}:{number}", line, code=read.path.endswith(".py"))
    if not sentences:
        return f"{read.path}, {len(read.lines)} lines up to {read.last}: nothing to write down."
    chosen = rng.sample(sentences, min(NOTES_PER_FILE, len(sentences)))
    return "\n".join(["Noted:", *(f"- {sentence}" for sentence in chosen)])


def failure(result: str) -> str:
    """The line of a test run or linter that says what is wrong, verbatim."""
    lines = [line.strip() for line in result.splitlines()]
    for sign in ("E  ", "FAILED", "ERROR", "error:", "Found"):
        for line in lines:
            if line.startswith(sign):
                return line.removeprefix("E  ").strip()
    told = [line for line in lines if line and not line.startswith("[exit code")]
    return told[-1] if told else "(no output)"


def raised(results: Sequence[str], rng: random.Random) -> list[str]:
    """A few of the `raise` lines that a search has found, each with its place."""
    lines = [line for result in results for line in result.splitlines() if ": raise " in line and line[-1] != "("]
    return rng.sample(lines, min(NOTES_PER_FILE, len(lines))) or ["nothing"]


def passed(result: str) -> bool:
    """Whether a shell command ended well."""
    return result.endswith("[exit code 0]")


def _remarks(place: str, line: str, *, code: bool) -> Iterator[str]:
    value = (CONSTANT if code else SETTING).match(line)
    if value and not value[2].endswith(("(", "[", "{", "\\")):
        yield f"{place} sets `{value[1]}` to `{value[2]}`."
    raised_text = RAISED.search(line)
    if raised_text:
        yield f'{place} raises {raised_text[1]} with the text "{raised_text[2]}".'
    heading = None if code else HEADING.match(line)
    if heading:
        yield f'{place} is headed "{heading[1]}".'


def _about(following: tuple[tuple[int, str], ...]) -> str:
    for _, line in following:
        docstring = DOCSTRING.match(line)
        if docstring:
            return docstring[1].strip().removesuffix('"""')
        if DEFINITION.match(line):
            break
    return ""
