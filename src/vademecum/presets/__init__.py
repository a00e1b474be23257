"""The named policies, one TOML file each, and what reads them."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

from vademecum.core.preset import BreakerRule, CarryRule, Preset, TailRule, TargetRule, TriggerRule
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
    data: dict[str, Any] = tomllib.loads(files("vademecum.presets").joinpath(f"{name}.toml").read_text("utf-8"))
    carry = data["carry"]
    return Preset(
        name=data["name"],
        trigger=TriggerRule(**data["trigger"]),
        target=TargetRule(**data["target"]),
        tail=TailRule(**data["tail"]),
        carry=CarryRule(shares=tuple(carry["shares"].items()), least=carry["least"], most=carry.get("most", 0)),
        ladder=tuple(data["ladder"]),
        keep_tools=tuple(data["keep_tools"]),
        breaker=BreakerRule(**data.get("breaker", {})),
    )
