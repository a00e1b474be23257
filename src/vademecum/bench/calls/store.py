"""The answers of a run's models: one file, sorted, so that the same answers are the same bytes."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from vademecum.bench.calls.request import Request


@dataclass(frozen=True, slots=True)
class Given:
    """What came back for one call.

    Attributes:
        id: Of the request.
        text: What the model wrote; empty where that was lost.
        model: Which one, as it names itself.
        fault: Why there is no text: `error`, `empty`, `malformed`, `refused`; empty where there is.
        finish: Why it stopped: `stop`, `length`, `tool_call`, `refusal` or `other`.
        input: Tokens that it read and no cache had, 0 where that is not told.
        output: Tokens that it wrote, 0 where that is not told.
        cached: Tokens that it read from the provider's cache.
    """

    id: str
    text: str
    model: str = ""
    fault: str = ""
    finish: str = "stop"
    input: int = 0
    output: int = 0
    cached: int = 0


#: Answers a request.
Ask = Callable[[Request], Given]
#: Fields of an answer that are written only where they say something.
_TELLING = {"finish": "stop", "input": 0, "output": 0, "cached": 0}


class Answers:
    """What models have answered so far, and which calls came back without a text.

    Args:
        folder: The run.
        of: What stands before the names of its files.
    """

    def __init__(self, folder: Path, of: str = "") -> None:
        self._path = folder / f"{of}answers.jsonl"
        self._faults = folder / f"{of}faults.jsonl"
        self._texts = {row["id"]: Given(**row) for row in _rows(self._path)}
        self._lost: dict[str, str] = {row["id"]: row["fault"] for row in _rows(self._faults)}

    def __contains__(self, id: str) -> bool:
        return id in self._texts

    def __len__(self) -> int:
        return len(self._texts)

    def given(self, id: str) -> Given | None:
        """What came back for a call, None where nothing did yet."""
        return self._texts.get(id)

    def text(self, id: str) -> str | None:
        """The answer to a call, None where there is none yet."""
        given = self._texts.get(id)
        return None if given is None else given.text

    def add(self, given: Given) -> None:
        """Keeps an answer in memory; the first one to a call holds."""
        if given.fault:
            self._lost[given.id] = given.fault
        else:
            self._texts.setdefault(given.id, given)

    def save(self) -> None:
        """Writes them."""
        _write(self._path, [_row(self._texts[id]) for id in sorted(self._texts)])
        if self._lost:
            _write(self._faults, [{"id": id, "fault": self._lost[id]} for id in sorted(self._lost)])

    def counts(self) -> dict[str, int]:
        """Role → how many of its calls are answered."""
        return dict(sorted(Counter(id.partition("-")[0] for id in self._texts).items()))

    def models(self) -> dict[str, list[str]]:
        """Role → the models that say they answered for it."""
        found: dict[str, set[str]] = {}
        for id, given in self._texts.items():
            if given.model:
                found.setdefault(id.partition("-")[0], set()).add(given.model)
        return {role: sorted(names) for role, names in sorted(found.items())}

    def faults(self) -> dict[str, int]:
        """Why → how many calls once came back without a text (most were asked again)."""
        return dict(sorted(Counter(self._lost.values()).items()))


def _row(given: Given) -> dict[str, Any]:
    row = asdict(given)
    del row["fault"]
    return {name: value for name, value in row.items() if _TELLING.get(name) != value}


def _rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.exists() else []


def _write(path: Path, rows: list[dict[str, Any]]) -> None:
    part = path.with_suffix(".part")
    part.write_text("".join(json.dumps(row, ensure_ascii=True) + "\n" for row in rows), "utf-8")
    part.replace(path)
