"""Settings in layers, each value with the place it came from.

    flags > VADEMECUM_* > nearest vademecum.toml or [tool.vademecum] > user's config.toml > defaults

This package is the lowest layer that may look at the environment, and even here it comes in as an argument.
"""

from vademecum.config.resolve import load
from vademecum.config.settings import Origin, Setting, Settings, Value
from vademecum.config.table import SETTINGS, Kind, SettingSpec, env_name

__all__ = ["SETTINGS", "Kind", "Origin", "Setting", "SettingSpec", "Settings", "Value", "env_name", "load"]
