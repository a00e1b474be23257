"""One line of a check-up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Status = Literal["ok", "warn", "fail"]


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found out about one thing.

    Attributes:
        name: The thing.
        status: `fail` where Vademecum cannot work, `warn` where something is missing.
        text: What was found.
        remedy: What to do about it; empty where nothing is to be done.
    """

    name: str
    status: Status
    text: str
    remedy: str = ""
