"""The published JSON Schemas of every verb's `--json`, one file each: `vademecum.<name>/1` is in `<name>.json`."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

PREFIX = "vademecum."


def names() -> list[str]:
    """The schemas there are, as `schema` in an output has them without the prefix and version."""
    found = files("vademecum.cli.schemas").iterdir()
    return sorted(entry.name.removesuffix(".json") for entry in found if entry.name.endswith(".json"))


def schema(name: str) -> dict[str, Any]:
    """The JSON Schema of that name."""
    return json.loads(files("vademecum.cli.schemas").joinpath(f"{name}.json").read_text("utf-8"))
