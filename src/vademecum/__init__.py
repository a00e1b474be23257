"""Context compaction for long-running LLM agents: nothing overflows, nothing is lost.

The public API is what this module exports; importing it is cheap, because every name is loaded
when it is first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vademecum.archive import Archive, Hit, Restored, Session
    from vademecum.chain import ChainReply, FallbackChain, Member
    from vademecum.compactor import Compaction, Compactor, compact
    from vademecum.core.receipt import Receipt
    from vademecum.errors import VademecumError
    from vademecum.models.clients import Client
    from vademecum.presets.advice import ADVICE

__version__ = "0.1.0"

__all__ = [
    "ADVICE",
    "Archive",
    "ChainReply",
    "Client",
    "Compaction",
    "Compactor",
    "FallbackChain",
    "Hit",
    "Member",
    "Receipt",
    "Restored",
    "Session",
    "VademecumError",
    "compact",
]

_HOMES = {
    "ADVICE": "vademecum.presets.advice",
    "Archive": "vademecum.archive",
    "ChainReply": "vademecum.chain",
    "Client": "vademecum.models.clients",
    "Compaction": "vademecum.compactor",
    "Compactor": "vademecum.compactor",
    "FallbackChain": "vademecum.chain",
    "Hit": "vademecum.archive",
    "Member": "vademecum.chain",
    "Receipt": "vademecum.core.receipt",
    "Restored": "vademecum.archive",
    "Session": "vademecum.archive",
    "VademecumError": "vademecum.errors",
    "compact": "vademecum.compactor",
}


def __getattr__(name: str) -> object:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(home), name)
