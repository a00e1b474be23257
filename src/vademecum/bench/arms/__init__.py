"""Policies that are compared: each is one function from a lineage to what it keeps."""

from __future__ import annotations

from vademecum.bench.arms.arm import Arm, Job, Kept, Row, arm_of

__all__ = ["Arm", "Job", "Kept", "Row", "arm_of"]
