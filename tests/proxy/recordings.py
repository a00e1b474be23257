"""Recorded requests of real agent programs, from the optional folder beside the project."""

from __future__ import annotations

import json
import lzma
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from proxy.harness import encoded
from vademecum.proxy.endpoints import format_of
from vademecum.wire.bodies import BODIES

_OWN = {"host", "content-length", "connection", "transfer-encoding"}


@dataclass(frozen=True)
class Recorded:
    """One recorded request."""

    number: int
    run: str
    method: str
    target: str
    headers: list[tuple[str, str]]
    fields: dict[str, Any] | None

    @cached_property
    def body(self) -> bytes:
        return b"" if self.fields is None else encoded(self.fields)

    @property
    def path(self) -> str:
        return self.target.split("?")[0]

    @property
    def format(self) -> str:
        """The wire format; empty for what passes through."""
        return format_of(self.path) or ""

    @property
    def rows(self) -> list[Any]:
        """Its messages as JSON data."""
        return (self.fields or {}).get(BODIES[self.format].messages) or [] if self.format else []

    @property
    def compacted(self) -> bool:
        """Whether its context may be changed: not where an item stands for a history that the provider has."""
        return bool(self.rows) and not any(row.get("type") == "compaction" for row in self.rows)

    def header(self, name: str) -> str:
        return next((value for key, value in self.headers if key.lower() == name), "")


def recorded(path: Path) -> list[Recorded]:
    with lzma.open(path, "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    return [
        Recorded(
            row["n"],
            row["run"],
            row["method"],
            row["path"] + (f"?{row['query']}" if row.get("query") else ""),
            [(key, value) for key, value in row["headers"] if key.lower() not in _OWN],
            row["body"],
        )
        for row in rows
    ]
