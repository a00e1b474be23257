"""The runs below some folders: with what setting, which arms, and what is missing."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from vademecum.bench.interview.desk import about_facts
from vademecum.bench.summaries.begun import Begun
from vademecum.bench.summaries.standing import Summaries
from vademecum.errors import ConfigError

#: A run is looked for in a folder, in those within it, and in those within these.
_DEPTH = 2


def listing(folders: Sequence[Path]) -> list[dict[str, Any]]:
    """Every run in or below some folders, in the order of their names.

    Args:
        folders: Where to look.

    Raises:
        ConfigError: A folder is none.
    """
    found: dict[Path, dict[str, Any]] = {}
    for folder in folders:
        if not folder.is_dir():
            raise ConfigError(f"there is no folder {folder}", hint="name a run, or a folder with runs in it")
        for run in _runs(folder, _DEPTH):
            found.setdefault(run, _about(run))
    return [found[run] for run in sorted(found)]


def _runs(folder: Path, depth: int) -> Iterator[Path]:
    if (folder / "run.json").is_file():
        yield folder
    elif depth:
        for inner in folder.iterdir():
            if inner.is_dir():
                yield from _runs(inner, depth - 1)


def _about(run: Path) -> dict[str, Any]:
    head = json.loads((run / "run.json").read_text("utf-8"))
    done = {name: _arms(run / name) for name in head["lineages"]}
    begun = Begun.of(run)
    arms = sorted({arm for names in done.values() for arm in names}.union(() if begun is None else begun.arms))
    return {
        "run": str(run),
        "setting": head["setting"],
        "lineages": head["lineages"],
        "arms": arms,
        "done": sum(map(len, done.values())),
        "missing": [[name, arm] for name in head["lineages"] for arm in arms if arm not in done[name]],
        "models": _models(run, head["lineages"]),
        "summaries": _summaries(run),
    }


def _arms(folder: Path) -> set[str]:
    if not folder.is_dir():
        return set()
    return {path.name[:-5] for path in folder.glob("*.json") if not path.name.endswith(".timing.json")}


def _models(run: Path, lineages: Sequence[str]) -> dict[str, Any] | None:
    """What models are asked in a run and how many answers there are; None where nothing is."""
    path = run / "interview.json"
    if not path.exists():
        return None
    plan = json.loads(path.read_text("utf-8"))
    answers = run / "answers.jsonl"
    written = [about_facts(run / name) for name in lineages]
    return {
        "facts": plan["facts"],
        "replicates": plan["replicates"],
        "answers": answers.read_bytes().count(b"\n") if answers.exists() else 0,
        "questions": sum(about["asked"] for about in written if about is not None),
    }


def _summaries(run: Path) -> dict[str, Any] | None:
    """Which model summarises in a run and how far it is; None where none does."""
    found = Summaries.of(run)
    if found is None:
        return None
    return {
        "model": found.plan.model,
        "replicates": found.plan.replicates,
        "answers": len(found.answers),
        "pending": len(found.pending()),
    }
