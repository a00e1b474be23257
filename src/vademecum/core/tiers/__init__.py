"""The ladder: each tier makes the context smaller in its own way, gentle ones first."""

from __future__ import annotations

from collections.abc import Callable

from vademecum.core.case import Case
from vademecum.core.draft import Draft
from vademecum.core.requests import Steps
from vademecum.core.tiers.images import images
from vademecum.core.tiers.local_summary import local_summary
from vademecum.core.tiers.prune import prune
from vademecum.core.tiers.summary import summary
from vademecum.core.tiers.tool_results import tool_results

Tier = Callable[[Case, Draft], Steps[Draft]]

#: The order is fixed; a preset may leave rungs out, never move them.
LADDER: tuple[tuple[str, Tier], ...] = (
    ("summary", summary),
    ("tool_results", tool_results),
    ("images", images),
    ("local_summary", local_summary),
    ("prune", prune),
)
