"""The advice that makes compactions lose less: what the model repeats in its own text stays findable (C-38)."""

from __future__ import annotations

from importlib.resources import files

#: For the system prompt, by the user's choice: from a session's first request on, and never changed within it.
ADVICE: str = " ".join(files("vademecum.presets").joinpath("advice.md").read_text("utf-8").split())
