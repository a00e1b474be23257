"""From what was written to a checked value, one reader per kind of setting.

Flags and variables are text; files and Python callers have types of their own, which are taken at their
word: a bool is no number, a whole number no fraction. Texts accept `1_000`, `200K` and `1.5M` for tokens.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from decimal import Decimal
from pathlib import Path
from typing import cast

from vademecum.config.settings import Value
from vademecum.config.table import Kind, SettingSpec
from vademecum.paths import expand_home

MOST_TOKENS = 10**12

_COUNT = re.compile(r"([0-9]+(?:_[0-9]+)*)", re.ASCII)
_SCALED = re.compile(r"([0-9]{1,12}(?:\.[0-9]{1,12})?)([KkMm])", re.ASCII)
_FRACTION = re.compile(r"[0-9]{0,20}\.[0-9]{0,40}", re.ASCII)
_AGE = re.compile(r"([0-9]{1,5})([dwy])", re.ASCII)
_SIZE = re.compile(r"([0-9]{1,6}(?:\.[0-9]{1,6})?)([KMGT])(?:i?B)?", re.ASCII)
_DAY_S = {"d": 86_400, "w": 7 * 86_400, "y": 365 * 86_400}
_BYTES = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}
_SCALE = {"K": 1_000, "M": 1_000_000}
_SWITCH = {
    "true": True,
    "yes": True,
    "on": True,
    "1": True,
    "false": False,
    "no": False,
    "off": False,
    "0": False,
}

EXPECTED: dict[Kind, str] = {
    "tokens": "a token count: a whole number from 1 up, such as 200_000",
    "fraction": "a fraction: a number with a dot, above 0 and at most 1, such as 0.5",
    "target": "a fraction of the trigger with a dot (0.4) or a token count (40_000)",
    "switch": "true or false",
    "names": "a list of tool names",
    "urls": "a list of URLs",
    "text": "a name",
    "path": "a path",
    "archive": "the path of a file",
    "age": "a number of days, weeks or years, such as 90d, 12w or 2y",
    "size": "a number of bytes, such as 500M or 2G",
}


class Unfit(Exception):
    """The raw value does not fit the kind; the caller knows from where it came and says so."""


def expected(spec: SettingSpec) -> str:
    """What the setting takes, in words for an error."""
    return "one of " + ", ".join(spec.choices) if spec.kind == "choice" else EXPECTED[spec.kind]


def read(spec: SettingSpec, raw: object, *, base: Path, environ: Mapping[str, str]) -> Value:
    """The checked value of `raw`; relative paths start at `base`.

    Raises:
        Unfit: When the value is not of the setting's kind.
    """
    if spec.kind == "choice":
        return _choice(spec, raw)
    if spec.kind in {"path", "archive"}:
        return _path(raw, base, environ)
    return _READERS[spec.kind](raw)


def from_text(spec: SettingSpec, text: str) -> object:
    """The typed value that a flag or variable spells; the text itself where it spells none."""
    plain = text.strip()
    if spec.kind in {"tokens", "fraction", "target"}:
        return _number(plain)
    if spec.kind == "switch":
        return _SWITCH.get(plain.casefold(), text)
    if spec.kind in {"names", "urls"}:
        return [name.strip() for name in text.split(",") if name.strip()]
    return text if spec.kind in {"path", "archive"} else plain


def _number(text: str) -> object:
    if found := _COUNT.fullmatch(text):
        digits = found[1].replace("_", "")
        return int(digits) if len(digits) <= len(str(MOST_TOKENS)) else text
    if found := _SCALED.fullmatch(text):
        scaled = Decimal(found[1]) * _SCALE[found[2].upper()]
        return int(scaled) if scaled == scaled.to_integral_value() else text
    if _FRACTION.fullmatch(text) and text != ".":
        return float(text)
    return text


def _tokens(raw: object) -> int:
    if not isinstance(raw, int) or isinstance(raw, bool) or not 0 < raw <= MOST_TOKENS:
        raise Unfit
    return raw


def _fraction(raw: object) -> float:
    if not isinstance(raw, float) or not 0.0 < raw <= 1.0:  # NaN fails both comparisons
        raise Unfit
    return raw


def _target(raw: object) -> int | float:
    return _fraction(raw) if isinstance(raw, float) else _tokens(raw)


def _switch(raw: object) -> bool:
    if not isinstance(raw, bool):
        raise Unfit
    return raw


def _names(raw: object) -> tuple[str, ...]:
    if not isinstance(raw, list | tuple):
        raise Unfit
    names: list[str] = []
    for name in cast("list[object] | tuple[object, ...]", raw):
        if not isinstance(name, str) or not name.strip():
            raise Unfit
        names.append(name.strip())
    return tuple(dict.fromkeys(names))


def _text(raw: object) -> str:
    if not isinstance(raw, str) or not raw.strip() or not raw.isprintable():
        raise Unfit
    return raw.strip()


def _age(raw: object) -> int:
    found = _AGE.fullmatch(raw.strip().lower()) if isinstance(raw, str) else None
    if found is None or not int(found[1]):
        raise Unfit
    return int(found[1]) * _DAY_S[found[2]]


def _size(raw: object) -> int:
    if isinstance(raw, int) and not isinstance(raw, bool) and raw > 0:
        return raw
    if isinstance(raw, str) and _COUNT.fullmatch(raw.strip()):
        return _tokens(int(raw))
    found = _SIZE.fullmatch(raw.strip().upper().replace("I", "i")) if isinstance(raw, str) else None
    if found is None or not (count := int(Decimal(found[1]) * _BYTES[found[2]])):
        raise Unfit
    return count


def _choice(spec: SettingSpec, raw: object) -> str:
    if not isinstance(raw, str) or raw not in spec.choices:
        raise Unfit
    return raw


def _path(raw: object, base: Path, environ: Mapping[str, str]) -> Path:
    if isinstance(raw, Path):
        return base / raw
    if not isinstance(raw, str) or not raw.strip() or "\0" in raw or "://" in raw:
        raise Unfit
    return base / expand_home(raw, environ)


_READERS: dict[Kind, Callable[[object], Value]] = {
    "tokens": _tokens,
    "fraction": _fraction,
    "target": _target,
    "switch": _switch,
    "names": _names,
    "urls": _names,
    "text": _text,
    "age": _age,
    "size": _size,
}
