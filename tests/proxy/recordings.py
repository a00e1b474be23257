"""Recorded requests of real agent programs, from the optional folder beside the project."""

from __future__ import annotations

import json
import lzma
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from proxy.harness import CHAT, MESSAGES, encoded

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
    def compacted(self) -> bool:
        return self.path in (CHAT, MESSAGES) and bool(self.fields and self.fields.get("messages"))

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
