"""The archive: every transcript in full, searchable, and what compactions made of it."""

from __future__ import annotations

from vademecum.archive.sqlite.archive import Archive
from vademecum.archive.sqlite.session import Session
from vademecum.archive.values import Cycle, Hit, ModelUsage, Piece, Restored, Savings, SessionInfo, StoredCompaction

__all__ = [
    "Archive",
    "Cycle",
    "Hit",
    "ModelUsage",
    "Piece",
    "Restored",
    "Savings",
    "Session",
    "SessionInfo",
    "StoredCompaction",
]
