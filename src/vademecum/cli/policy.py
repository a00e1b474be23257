"""From flags and settings to the core's values: preset, window, budget."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import get_args

from vademecum.config import Setting, Settings, load
from vademecum.config.settings import Origin
from vademecum.core.budget import Budget, Window, budget
from vademecum.core.preset import Preset
from vademecum.core.windows import DEFAULT_TOKENS
from vademecum.errors import ConfigError
from vademecum.models.catalog import Catalog
from vademecum.presets import preset

#: The window of a model about which nothing is known.
DEFAULT_WINDOW = Window(DEFAULT_TOKENS, "default")


def settings(flags: Mapping[str, object]) -> Settings:
    """The settings in force, with these flags on top."""
    return load(flags, environ=os.environ, cwd=Path.cwd())


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


def chosen_budget(
    config: Settings, *, default: Window | None = None, say: Callable[[str], None] = lambda _: None
) -> tuple[Preset, Budget]:
    """The preset and the budget in force.

    Args:
        config: The settings.
        default: The window where neither one nor a model is given; None refuses to guess.
        say: What tells the person that a model is not known.

    Raises:
        ConfigError: Neither a window nor a model is given.
    """
    window = chosen_window(config, say) or default
    if window is None:
        hint = "give the model's window in tokens, with --window N, or the model, with --model P:M"
        raise ConfigError("the window is not known", hint=hint)
    chosen = chosen_preset(config)
    return chosen, budget(
        chosen,
        window=window,
        max_output=config.max_output,
        trigger=config.trigger,
        target=config.target,
    )


def _nearer(one: Setting, other: Setting) -> bool:
    """Whether the first was given in a layer above that of the second."""
    layers = get_args(Origin)
    return layers.index(one.origin) < layers.index(other.origin)


def chosen_window(config: Settings, say: Callable[[str], None]) -> Window | None:
    """The window in force (M-2): the user's, else that of the model in the catalog; None where neither is given.

    A model that was named nearer than the window, such as by a flag where a file has the window, goes before it.
    """
    from vademecum.cli.window_sources import sources_of  # it stands on this module

    given = None if config.window is None else Window(config.window, "user")
    if config.model is None:
        return given
    nearer = given is None or _nearer(config["model"], config["window"])
    found = sources_of(config, config.model, user=None if nearer else config.window).window
    if found.origin != "default":
        return found
    catalog = Catalog.of(config.catalog)
    if given is not None:
        say(f"the window of {config.model} is not known; that of {config['window'].source} is taken")
        return given
    near = catalog.near(config.model)
    meant = f"; did you mean {' or '.join(near)}?" if near else ""
    say(
        f"the window of {config.model} is not known{meant}\n{DEFAULT_WINDOW.tokens:,} tokens are taken; give it with "
        "--window N, or in a file that the setting catalog names"
    )
    return DEFAULT_WINDOW
