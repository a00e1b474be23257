"""What is known of a model's window, put together from the user's word, the archive and the catalog."""

from __future__ import annotations

from dataclasses import replace

from vademecum.core.windows import Key, Sources, Told
from vademecum.models.catalog import Catalog
from vademecum.models.endpoint import Variant
from vademecum.models.known import Known


def sources(
    key: Key,
    *,
    catalog: Catalog,
    user: int | None = None,
    probed: Told | None = None,
    learned: Told | None = None,
    variant: Variant | None = None,
) -> Sources:
    """Everything that is said of a model.

    Args:
        key: The model, and where it runs.
        catalog: The catalog, with the user's file.
        user: The window that the user gave.
        probed: What its server answered.
        learned: What its errors taught; of a variant, what those of the variant did.
        variant: What the request's headers ask for.
    """
    known = cataloged(catalog, key)
    found = None
    if known is not None and (known.window is not None or known.max_output is not None):
        found = Told(known.window, "announced", known.source, max_output=known.max_output)
    if variant is not None:
        wide = Told(variant.window, "announced", f"header {variant.header}: {variant.starts}…")
        found = wide if found is None else replace(found, window=max(found.window or 0, variant.window))
        if probed is not None and probed.standing != "runtime":
            probed = replace(probed, window=max(probed.window or 0, variant.window))
    return Sources(user, probed, learned, found)


def cataloged(catalog: Catalog, key: Key) -> Known | None:
    """What the catalog has of a model: as its provider serves it, else as its maker does."""
    found = catalog.find(f"{key.provider}:{key.model}") if key.provider else None
    return found or catalog.find(key.model)
