"""Setting one table in a TOML file, every other line of it left as it is."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from typing import Any

from vademecum.errors import ConfigError

_HEADER = re.compile(r"^\s*\[")
_BARE = re.compile(r"[A-Za-z0-9_-]+")


def with_table(text: str, under: str, name: str, entry: Mapping[str, Any]) -> str:
    """The text with a table `[under.name]`; one that is there already is replaced where it stands.

    Raises:
        ConfigError: The text is not TOML.
    """
    held = loaded(text).get(under, {})
    end = "\r\n" if "\r\n" in text else "\n"
    header = f"[{under}.{_key(name)}]"
    block = end.join([header, *(f"{key} = {_value(value)}" for key, value in entry.items())]) + end
    if name not in held:
        before = text if not text or text.endswith("\n") else text + end
        return before + (end if before.strip() else "") + block
    lines = text.splitlines(keepends=True)
    # Its own subtables, such as [under.name.env], stand after it and stay.
    start = next((at for at, line in enumerate(lines) if _names(line, under, name)), None)
    if start is None:
        return text
    stop = next((at for at in range(start + 1, len(lines)) if _HEADER.match(lines[at])), len(lines))
    while stop > start + 1 and (not lines[stop - 1].strip() or lines[stop - 1].lstrip().startswith("#")):
        stop -= 1  # what stands before the next table belongs to that
    return "".join(lines[:start]) + block + "".join(lines[stop:])


def loaded(text: str) -> dict[str, Any]:
    """The data of a text.

    Raises:
        ConfigError: It is not TOML.
    """
    try:
        return tomllib.loads(text.removeprefix("\ufeff"))
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        raise ConfigError(f"it is not TOML: {error}", hint="put it right by hand, then try again") from error


def _names(line: str, under: str, name: str) -> bool:
    spelled = "|".join(map(re.escape, {name, json.dumps(name), f"'{name}'"}))
    return re.match(rf"^\s*\[\s*{re.escape(under)}\s*\.\s*(?:{spelled})\s*\]", line) is not None


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else json.dumps(name)


def _value(value: object) -> str:
    # Strings, switches and lists of strings are written alike in JSON and TOML, but for DEL.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
