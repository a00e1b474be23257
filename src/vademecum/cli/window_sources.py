"""What is known of a model that was named: by the catalog, by its server, by its errors."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from vademecum.archive import Archive
from vademecum.archive.sqlite.windows import StoredWindow
from vademecum.cli.policy import chosen_preset
from vademecum.config import Settings
from vademecum.core.budget import Window, budget
from vademecum.core.windows import Sources, Told
from vademecum.errors import ArchiveError
from vademecum.models.catalog import Catalog
from vademecum.models.named import key_of
from vademecum.models.sources import sources


def sources_of(config: Settings, name: str, *, user: int | None = None) -> Sources:
    """Everything that is known of a model.

    Args:
        config: The settings: catalog and archive.
        name: The model.
        user: The window that the user gave.
    """
    catalog = Catalog.of(config.catalog)
    key = key_of(name, catalog)
    held = StoredWindow(key.endpoint, key.model)
    if config.db.exists():
        with suppress(ArchiveError), Archive.open(config.db) as archive:
            held = archive.windows.of(key.endpoint, key.model)
    return sources(key, catalog=catalog, user=user, probed=held.probed, learned=held.learned)


def trigger_of(config: Settings, window: Window) -> int:
    """The trigger of a window by the preset in force, without an output limit."""
    return budget(chosen_preset(config), window=window).trigger_tokens


def told_fields(origin: str, told: Told) -> dict[str, Any]:
    """What one source says, as JSON data."""
    return {
        "origin": origin,
        "tokens": told.window,
        "standing": told.standing,
        "max_output": told.max_output,
        "source": told.source,
        "at": told.at or None,
    }


def fields_of(found: Sources, config: Settings) -> dict[str, Any]:
    """Window, output limit and trigger with where each comes from, as JSON data."""
    window, most = found.window, found.max_output
    rows = (("learned", found.learned), ("probed", found.probed), ("catalog", found.catalog))
    return {
        "window": {"tokens": window.tokens, "origin": window.origin},
        "max_output": None if most is None else {"tokens": most, "origin": found.max_output_origin},
        "trigger_tokens": trigger_of(config, window),
        "sources": [told_fields(origin, told) for origin, told in rows if told is not None],
    }
