"""From flags and settings to the core's values: preset, window, budget."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from vademecum.config import Settings, load
from vademecum.core.budget import Budget, Window, budget
from vademecum.core.preset import Preset
from vademecum.errors import ConfigError
from vademecum.presets import preset

#: The window of a model about which nothing is known.
DEFAULT_WINDOW = Window(32_000, "default")


def settings(flags: Mapping[str, object]) -> Settings:
    """The settings in force, with these flags on top."""
    return load(flags, environ=os.environ, cwd=Path.cwd())


def refuse_model(model: str | None) -> None:
    """Models cannot be looked up yet.

    Raises:
        ConfigError: A model was named.
    """
    if model is not None:
        raise ConfigError(
            f"--model {model}: this version cannot look up a model's window", hint="give the window, with --window N"
        )


def chosen_preset(config: Settings) -> Preset:
    """The preset in force, with the settings that the user gave of its numbers."""
    base = preset(config.preset)
    trigger = base.trigger
    if config["compaction_fraction"].given:
        trigger = replace(trigger, fraction=config.compaction_fraction)
    if config["compaction_window_cap"].given:
        trigger = replace(trigger, window_cap=config.compaction_window_cap)
    if config["compaction_floor"].given:
        trigger = replace(trigger, floor=config.compaction_floor)
    if config["compression.threshold"].given:
        trigger = replace(trigger, fraction=config.compression_threshold)
    return replace(base, trigger=trigger, keep_tools=(*base.keep_tools, *config.keep_tools))


def chosen_budget(config: Settings, *, default: Window | None = None) -> tuple[Preset, Budget]:
    """The preset and the budget in force.

    Args:
        config: The settings.
        default: The window where none is given; None refuses to guess.

    Raises:
        ConfigError: No window is given.
    """
    window = default if config.window is None else Window(config.window, "user")
    if window is None:
        raise ConfigError("the window is not known", hint="give the model's window in tokens, with --window N")
    chosen = chosen_preset(config)
    return chosen, budget(
        chosen,
        window=window,
        max_output=config.max_output,
        trigger=config.trigger,
        target=config.target,
    )
