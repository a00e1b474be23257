"""Reads: which tool calls read a file, which part of it, and which ones change it."""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import lru_cache
from typing import cast

from vademecum.core.facts.actions import arguments
from vademecum.core.messages import Message, Part
from vademecum.core.pairing import Pairing, Spot


@dataclass(frozen=True, slots=True)
class ReadRule:
    """How reads and writes are recognised; data, and the same for every preset. See `presets/reads.toml`."""

    readers: tuple[str, ...] = ()
    writers: tuple[str, ...] = ()
    view_commands: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    starts: tuple[str, ...] = ()
    counts: tuple[str, ...] = ()
    ends: tuple[str, ...] = ()
    ranges: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()
    shells: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    shell_read: str = "(?!)"
    patched: str = "(?!)"
    refers_back: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Access:
    """One call's access to files.

    Attributes:
        key: What was asked for, but for the range of lines; empty for a change.
        paths: The files.
        first: The first line that was read.
        last: The last one; infinite for all that follow.
    """

    key: str
    paths: tuple[str, ...]
    first: float = 0.0
    last: float = field(default=float("inf"))

    def covers(self, other: Access) -> bool:
        """Whether it shows at least what another read of the same thing did."""
        return self.key == other.key and self.first <= other.first and self.last >= other.last

    def touches(self, other: Access) -> bool:
        """Whether a change concerns a file that was read; a path may be the end of the other's."""
        return any(_same(mine, theirs) for mine in self.paths for theirs in other.paths)


def accesses(messages: Sequence[Message], pairing: Pairing, rule: ReadRule) -> list[tuple[Spot, Spot, Access]]:
    """Every access that succeeded, in order: the result, the call, and what it was."""
    found: list[tuple[Spot, Spot, Access]] = []
    for result, call in sorted(pairing.call_of.items()):
        part = messages[result[0]].parts[result[1]]
        access = None if part.is_error else access_of(messages[call[0]].parts[call[1]], rule)
        if access is not None:
            found.append((result, call, access))
    return found


def access_of(call: Part, rule: ReadRule) -> Access | None:
    """What a call reads or changes; None for calls of other kinds."""
    tool = call.tool.rpartition("__")[2].lower()
    given = arguments(call)
    if tool in rule.shells:
        return _by_shell(given, rule)
    reads = _named(tool, rule.readers)
    if not reads and not _named(tool, rule.writers):
        return None
    paths = _paths(given, call.text, rule)
    if not paths:
        return None
    if reads or given.get("command") in rule.view_commands:
        first, last = _lines(given, rule)
        return Access(_key(given, rule, paths[0]), paths, first, last)
    return Access("", paths)


def refers_back(text: str, rule: ReadRule) -> bool:
    """Whether a result only says that an earlier one still holds."""
    return (
        len(text) <= _LONGEST_NOTE and bool(rule.refers_back) and _any_of(rule.refers_back).search(text) is not None
    )


#: A result that has nothing new to show is a sentence or two.
_LONGEST_NOTE = 600


@lru_cache(maxsize=8)
def _any_of(patterns: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.IGNORECASE)


def _named(tool: str, patterns: Sequence[str]) -> bool:
    return any(fnmatchcase(tool, pattern) for pattern in patterns)


def _by_shell(given: Mapping[str, object], rule: ReadRule) -> Access | None:
    command = next((given[key] for key in rule.commands if key in given), None)
    if isinstance(command, list):
        command = " ".join(map(str, cast("list[object]", command)[-1:]))
    if not isinstance(command, str) or re.search(rule.shell_read, command) is None:
        return None
    words = [word.strip("'\"") for word in command.split()[1:]]
    names = tuple(posixpath.normpath(word) for word in words if word and not word.startswith("-"))
    where = {key: value for key, value in given.items() if key in ("workdir", "cwd")}
    return Access(f"$ {' '.join(command.split())} {json.dumps(where, sort_keys=True, default=str)}", names)


def _paths(given: Mapping[str, object], text: str, rule: ReadRule) -> tuple[str, ...]:
    path = next((value for key in rule.paths if isinstance(value := given.get(key), str) and value), None)
    if path is not None:
        return (posixpath.normpath(path),)
    patch = next((value for value in given.values() if isinstance(value, str) and "*** " in value), text)
    return tuple(posixpath.normpath(name) for name in re.findall(rule.patched, patch, re.MULTILINE))


def _lines(given: Mapping[str, object], rule: ReadRule) -> tuple[float, float]:
    endless = float("inf")
    for key in rule.ranges:
        both = given.get(key)
        if isinstance(both, list):
            ends = [_number(value) for value in cast("list[object]", both)[:2]]
            first, last = (*ends, None, None)[:2]
            return _from_the_top(first), endless if last is None or last < 0 else last
    first, last, count = (_first_number(given, keys) for keys in (rule.starts, rule.ends, rule.counts))
    if last is None:
        last = endless if count is None else (first or 0.0) + count - 1
    return _from_the_top(first), last


def _from_the_top(line: float | None) -> float:
    """Line 0, line 1 and none are the first one."""
    return 0.0 if line is None or line <= 1 else line


def _first_number(given: Mapping[str, object], keys: Sequence[str]) -> float | None:
    return next((number for key in keys if (number := _number(given.get(key))) is not None), None)


def _number(value: object) -> float | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return float(value)
    return float(value) if isinstance(value, str) and value.isdecimal() else None


def _key(given: Mapping[str, object], rule: ReadRule, path: str) -> str:
    known = {*rule.paths, *rule.starts, *rule.counts, *rule.ends, *rule.ranges, *rule.ignored}
    rest = {name: value for name, value in given.items() if name not in known and value not in (None, "", False)}
    return f"{path} {json.dumps(rest, sort_keys=True, default=str)}" if rest else path


def _same(one: str, other: str) -> bool:
    return one == other or one.endswith(f"/{other}") or other.endswith(f"/{one}")
