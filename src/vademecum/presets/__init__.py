"""The named policies, one TOML file each, and what reads them."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any, cast

from vademecum.core.preset import BreakerRule, CarryRule, Preset, TailRule, TargetRule, TriggerRule
from vademecum.core.reads import ReadRule
from vademecum.errors import ConfigError

NAMES = ("half", "agent", "hermes")


@cache
def preset(name: str = "half") -> Preset:
    """The preset of that name.

    Raises:
        ConfigError: There is no such preset.
    """
    if name not in NAMES:
        raise ConfigError(f"no preset {name!r}", hint=f"the presets are {', '.join(NAMES)}")
    data = _read(name)
    carry = data["carry"]
    return Preset(
        name=data["name"],
        trigger=TriggerRule(**data["trigger"]),
        target=TargetRule(**data["target"]),
        tail=TailRule(**data["tail"]),
        carry=CarryRule(shares=tuple(carry["shares"].items()), least=carry["least"], most=carry.get("most", 0)),
        ladder=tuple(data["ladder"]),
        keep_tools=tuple(data["keep_tools"]),
        reads=_reads(),
        breaker=BreakerRule(**data.get("breaker", {})),
    )


@cache
def _reads() -> ReadRule:
    """The rule is the same for every preset, so it has a file of its own."""
    data = _read("reads")
    rule: dict[str, Any] = {key: tuple(cast("list[str]", data[key])) for key in data if isinstance(data[key], list)}
    return ReadRule(**{**data, **rule})


def _read(name: str) -> dict[str, Any]:
    return tomllib.loads(files("vademecum.presets").joinpath(f"{name}.toml").read_text("utf-8"))
