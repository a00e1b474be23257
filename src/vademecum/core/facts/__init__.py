"""Facts: what is extracted mechanically from each message, once, when it is appended."""

from __future__ import annotations

from vademecum.core.facts.extract import Fact, FactKind, Findings, Mention, extract
from vademecum.core.facts.names import Name, names_in

__all__ = ["Fact", "FactKind", "Findings", "Mention", "Name", "extract", "names_in"]
