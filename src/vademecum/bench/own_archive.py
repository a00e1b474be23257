"""The bench's own archives: in memory, and with marks of secrets that are the same in every process (B-11)."""

from __future__ import annotations

import hashlib

from vademecum.archive import Archive


def own_archive(seed: int) -> Archive:
    """An archive in memory whose marks of secrets depend on a run's seed alone.

    Args:
        seed: Of the run.
    """
    archive = Archive.memory()
    archive.key_marks(hashlib.blake2b(f"vademecum bench {seed}".encode(), digest_size=16).digest())
    return archive
