"""The facade: the only place where the core meets effects."""

from __future__ import annotations

from vademecum.compactor.compactor import Compactor
from vademecum.compactor.flow import run
from vademecum.compactor.job import Job
from vademecum.compactor.once import compact, outside_tokens, session_name
from vademecum.compactor.options import Compaction, Options
from vademecum.compactor.workspace import Workspace

__all__ = [
    "Compaction",
    "Compactor",
    "Job",
    "Options",
    "Workspace",
    "compact",
    "outside_tokens",
    "run",
    "session_name",
]
