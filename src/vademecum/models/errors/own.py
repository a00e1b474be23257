"""The user's own table of wordings: its rows are tried before the packaged ones.

[[input]]
name = "our gateway"
kind = "context_overflow"
says = ['the pot is full: {n} of {n} drops']
"""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

from vademecum.errors import ConfigError
from vademecum.models.errors.table import STAGES, Row, Table, meanings, packaged, pattern, row_of

_PARTS = (*STAGES, "words", "figures", "statuses", "waits", "fields")
#: What tells that an error is of a row; a row without any would be every error's.
_TELLING = ("code", "says", "status", "provider", "empty")
_LIMITS = ("input", "output", "none", "")


def table_with(file: str | Path | None) -> Table:
    """The packaged table, with the rows of a file before its own; without a file the packaged one.

    Raises:
        ConfigError: The file cannot be read, or something in it is wrong; the error says in which line.
    """
    if file is None:
        return packaged()
    if not isinstance(file, (str, Path)):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ConfigError(f"errors {file!r} is no file", hint="give the path of a TOML file")
    path = Path(file)
    try:
        text = path.read_text("utf-8-sig")
        data = tomllib.loads(text)
    except FileNotFoundError as error:
        raise ConfigError(f"there is no file {path}", hint="the setting errors names it") from error
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}") from error
    except ValueError as error:  # not UTF-8, not TOML; it names the line
        raise ConfigError(f"{path}: not TOML: {error}") from error
    return _Own(path, text.splitlines(), data).before(packaged())


class _Own:
    """A file of wordings; whatever is wrong is told with its line."""

    def __init__(self, path: Path, lines: list[str], data: Mapping[str, Any]) -> None:
        self._path, self._lines, self._data = path, lines, data

    def before(self, table: Table) -> Table:
        for part in self._data:
            if part not in _PARTS:
                near = difflib.get_close_matches(part, _PARTS, n=1)
                hint = f"did you mean {near[0]}?" if near else f"the parts are {', '.join(_PARTS)}"
                raise self._wrong(self._line(part), f"there is no part {part!r}", hint)
        words = self._said("words", lambda: meanings(self._words(), table.words))
        rows = [self._row(stage, at, words) for stage in STAGES for at in range(self._count(stage))]
        figures, status, waits = (
            tuple(
                self._said(part, lambda says=says: pattern(says, words, re.IGNORECASE)) for says in self._says(part)
            )
            for part in ("figures", "statuses", "waits")
        )
        return replace(
            table,
            rows=(*rows, *table.rows),
            figures=(*figures, *table.figures),
            status=(*status, *table.status),
            waits=(*waits, *table.waits),
            fields={name: (*self._fields(name), *known) for name, known in table.fields.items()},
            words=words,
        )

    def _count(self, stage: str) -> int:
        rows = self._data.get(stage, [])
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in cast("list[object]", rows)):
            raise self._wrong(self._line(stage), f"{stage} is no list of rows", f"write [[{stage}]] above a row")
        return len(cast("list[object]", rows))

    def _row(self, stage: str, at: int, words: Mapping[str, str]) -> Row:
        row: Mapping[str, Any] = self._data[stage][at]
        line = self._line(stage, at)
        try:
            _checked(row)
            found = row_of(_listed(row), stage, words, re.IGNORECASE)
        except ConfigError as error:
            raise self._wrong(line, str(error), error.hint) from None
        return replace(found, name=f"{found.name} ({self._path.name}, line {line})")

    def _words(self) -> Mapping[str, str | list[str]]:
        words = self._table("words")
        if wrong := [name for name, value in words.items() if not _texts(value)]:
            raise self._wrong(self._line(wrong[0]), f"the word {wrong[0]} is no pattern, nor a list of them", "")
        return words

    def _says(self, part: str) -> list[str]:
        says = self._table(part)
        if (says and set(says) != {"says"}) or not _texts(says.get("says", [])):
            raise self._wrong(self._line(part), f"{part} is not as it should be", "it has one key: says = ['…']")
        return _list(says.get("says", []))

    def _fields(self, name: str) -> list[str]:
        fields, known = self._table("fields"), set(packaged().fields)
        if wrong := sorted(set(fields) - known):
            hint = f"the figures are {', '.join(sorted(known))}"
            raise self._wrong(self._line("fields"), f"{wrong[0]!r} is no figure", hint)
        if not _texts(fields.get(name, [])):
            raise self._wrong(self._line("fields"), f"{name} is no list of names", "")
        return [each.lower() for each in _list(fields.get(name, []))]

    def _table(self, part: str) -> dict[str, Any]:
        found: object = self._data.get(part, {})
        if not isinstance(found, dict):
            raise self._wrong(self._line(part), f"{part} is no table", f"write [{part}] above its keys")
        return cast("dict[str, Any]", found)

    def _said(self, part: str, make: Callable[[], Any]) -> Any:
        try:
            return make()
        except ConfigError as error:
            raise self._wrong(self._line(part), str(error), error.hint) from None

    def _line(self, part: str, at: int = 0) -> int:
        """The line where a part begins, or its row of that number."""
        heading = re.compile(
            rf"\s*(?:\[\[?\s*[\"']?{re.escape(part)}[\"']?\s*[\].]|[\"']?{re.escape(part)}[\"']?\s*=)"
        )
        found = [number for number, line in enumerate(self._lines, 1) if heading.match(line)]
        return found[at] if at < len(found) else found[0] if found else 1

    def _wrong(self, line: int, what: str, hint: str) -> ConfigError:
        return ConfigError(f"{self._path}, line {line}: {what}", hint=hint)


def _checked(row: Mapping[str, Any]) -> None:
    """Checks the kinds of a row's values.

    Raises:
        ConfigError: One of them is wrong, or the row tells nothing.
    """
    expected: dict[str, tuple[Callable[[Any], bool], str]] = {
        "name": (_text, "a text"),
        "code": (_texts, "a list of codes"),
        "says": (_texts, "a list of patterns"),
        "unless": (_texts, "a list of patterns"),
        "provider": (_texts, "a list of names"),
        "status": (_statuses, "a list of HTTP statuses"),
        "empty": (_switch, "true or false"),
        "certain": (_switch, "true or false"),
        "limit": (_limit, "input, output or none"),
    }
    for key, (fits, what) in expected.items():
        if key in row and not fits(row[key]):
            raise ConfigError(f"{key} is {row[key]!r}, expected {what}")
    if not any(row.get(key) for key in _TELLING):
        raise ConfigError("the row would be of every error", hint=f"give one of {', '.join(_TELLING)}")


def _listed(row: Mapping[str, Any]) -> dict[str, Any]:
    """The row with a list wherever it may have one."""
    lists = ("code", "provider", "status", "says", "unless")
    return {key: _list(value) if key in lists else value for key, value in row.items()}


def _list(value: Any) -> list[Any]:
    return list(cast("list[Any]", value)) if isinstance(value, list) else [value]


def _text(value: Any) -> bool:
    return isinstance(value, str)


def _texts(value: Any) -> bool:
    return all(isinstance(each, str) for each in _list(value))


def _switch(value: Any) -> bool:
    return isinstance(value, bool)


def _limit(value: Any) -> bool:
    return value in _LIMITS


def _statuses(value: Any) -> bool:
    return all(isinstance(each, int) and not isinstance(each, bool) for each in _list(value))
