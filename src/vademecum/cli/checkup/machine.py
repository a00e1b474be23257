"""The machine: Python, SQLite, the tokenizer, the terminal, the extras."""

from __future__ import annotations

import platform
import re
import sqlite3
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, requires, version

from vademecum.archive.sqlite.health import has_search
from vademecum.cli.checkup.finding import Finding

_OLDEST = (3, 11)
_NEEDED = re.compile(r"\s*([A-Za-z0-9][A-Za-z0-9._-]*).*;.*extra\s*==\s*['\"]([\w-]+)['\"]")
#: For those who work on the package itself.
_INNER = {"dev"}


def python() -> Finding:
    """The interpreter."""
    text = f"{platform.python_version()} at {sys.executable}"
    if sys.version_info[:2] < _OLDEST:
        return Finding("python", "fail", text, f"use Python {'.'.join(map(str, _OLDEST))} or later")
    return Finding("python", "ok", text)


def sqlite() -> Finding:
    """The database, with full-text search."""
    if has_search():
        return Finding("sqlite", "ok", f"{sqlite3.sqlite_version} with FTS5")
    return Finding("sqlite", "fail", f"{sqlite3.sqlite_version} without FTS5", "use a Python whose SQLite has FTS5")


def tokenizer() -> Finding:
    """Whether tokens can be counted."""
    from vademecum.models.tokenizer import count_tokens

    try:
        count_tokens(["one two"])
    except Exception as error:  # noqa: BLE001  # whatever a compiled module raises, it cannot be used
        text = f"cannot be loaded: {type(error).__name__}: {error}"
        return Finding("tokenizer", "fail", text, "pip install --force-reinstall splintr-rs")
    return Finding("tokenizer", "ok", f"splintr-rs {version('splintr-rs')}, o200k_base, offline")


def terminal() -> Finding:
    """What stdout can show."""
    encoding = (sys.stdout.encoding or "").lower()
    kind = "a terminal" if sys.stdout.isatty() else "no terminal"
    if encoding.replace("-", "") != "utf8":
        return Finding("terminal", "warn", f"{kind}, {encoding or 'no encoding'}", "set PYTHONUTF8=1")
    return Finding("terminal", "ok", f"{kind}, {encoding}")


def extras() -> Iterator[Finding]:
    """What the package can be installed with, from its own metadata."""
    needed: dict[str, list[str]] = {}
    for line in requires("vademecum") or ():
        found = _NEEDED.match(line)
        if found is not None and found[2] not in _INNER:
            needed.setdefault(found[2], []).append(found[1])
    for extra, packages in sorted(needed.items()):
        there = {package: _version(package) for package in packages}
        missing = [package for package, found in there.items() if not found]
        if missing:
            text, remedy = f"not installed: {', '.join(missing)}", f"pip install 'vademecum[{extra}]'"
            yield Finding(f"extra {extra}", "warn", text, remedy)
        else:
            yield Finding(f"extra {extra}", "ok", ", ".join(f"{name} {found}" for name, found in there.items()))


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""
