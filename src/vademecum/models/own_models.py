"""The user's own file of models: what it says goes before the catalog.

["anthropic:claude-next"]
window = 500_000
max_output = 64_000
input_usd = 3.0          # USD for a million tokens

["acme:large"]
provider = "acme"        # for providers that the catalog does not have
window = 64_000
"""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from vademecum.errors import ConfigError
from vademecum.models.known import Known

_COUNTS = ("window", "max_output")
_PRICES = ("input_usd", "output_usd", "cache_read_usd", "cache_write_usd")


def read_own(path: Path) -> Mapping[str, Known]:
    """The models of a TOML file, one table each, by their names as written.

    Raises:
        ConfigError: It cannot be read, or something in it is wrong.
    """
    try:
        data = tomllib.loads(path.read_text("utf-8-sig"))
    except FileNotFoundError as error:
        raise ConfigError(f"there is no file {path}", hint="the setting catalog names it") from error
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}") from error
    except ValueError as error:  # not UTF-8, not TOML
        raise ConfigError(f"{path}: not TOML: {error}") from error
    return {name: _known(path, name, fields) for name, fields in data.items()}


def _known(path: Path, name: str, fields: object) -> Known:
    if not isinstance(fields, dict):
        raise ConfigError(f"{path}: {name} is not a table", hint='write ["provider:model"] above its keys')
    table = dict(cast("dict[str, object]", fields))
    values: dict[str, Any] = {}
    provider = table.pop("provider", "")
    if not isinstance(provider, str):
        raise ConfigError(f"{path}: provider of {name} is {provider!r}, expected a name")
    for key, value in table.items():
        if key not in (*_COUNTS, *_PRICES):
            near = difflib.get_close_matches(key, (*_COUNTS, *_PRICES), n=1)
            hint = f"did you mean {near[0]}?" if near else f"the keys are {', '.join((*_COUNTS, *_PRICES))}"
            raise ConfigError(f"{path}: {name} has no key {key!r}", hint=hint)
        values[key] = _count(path, name, key, value) if key in _COUNTS else _price(path, name, key, value)
    return Known(provider, name.removeprefix(f"{provider}:"), **values, source=str(path))


def _count(path: Path, name: str, key: str, value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise ConfigError(f"{path}: {key} of {name} is {value!r}, expected a whole number from 1 up")
    return value


def _price(path: Path, name: str, key: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 1_000_000:
        raise ConfigError(f"{path}: {key} of {name} is {value!r}, expected USD for a million tokens")
    return float(value)
