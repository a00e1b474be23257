"""The window that a library call means: the one that it gives, else that of the model which it names."""

from __future__ import annotations

from vademecum.core.budget import Window
from vademecum.errors import ConfigError
from vademecum.models.catalog import Catalog


def window_for(window: int | Window | None, model: str | None) -> Window:
    """The window and where its figure comes from.

    Args:
        window: What was given; it wins.
        model: The model's name, as `provider:model` or the model alone.

    Raises:
        ConfigError: Neither is given, or the catalog does not know the model.
    """
    if window is not None:
        return window if isinstance(window, Window) else Window(window)
    if model is None:
        raise ConfigError("neither window nor model is given", hint="give window=200_000, or model='provider:model'")
    catalog = Catalog.of(None)
    found = catalog.find(model)
    if found is None or found.window is None:
        near = catalog.near(model)
        meant = f"did you mean {' or '.join(near)}? Else " if near else ""
        raise ConfigError(f"the window of model {model!r} is not known", hint=f"{meant}give window=N in tokens")
    return Window(found.window, "catalog")
