"""What a run's summaries were begun with and what they wait for, so that they go on from batch files alone."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

import msgspec

from vademecum.bench.arms.table import chosen, named
from vademecum.bench.calls.request import Request
from vademecum.bench.run import Run
from vademecum.bench.setting import Setting
from vademecum.bench.summaries.plan import PREFIX
from vademecum.errors import ConfigError

BEGUN = "vademecum.bench.summaries_begun/1"


@dataclass(frozen=True)
class Begun:
    """Where a run's summaries go on.

    Attributes:
        lineages: Name → file.
        arms: The arms that a model summarises for.
        most: How many calls the run may make; None for any number.
    """

    lineages: dict[str, str]
    arms: tuple[str, ...]
    most: int | None = None

    def save(self, folder: Path) -> None:
        """Writes it into a run's folder."""
        _begun(folder).write_text(json.dumps({"schema": BEGUN, **asdict(self)}, indent=1) + "\n", "utf-8")

    @staticmethod
    def of(folder: Path) -> Begun | None:
        """That of a run; None where no summary was begun."""
        path = _begun(folder)
        return msgspec.convert(json.loads(path.read_text("utf-8")), Begun) if path.exists() else None

    def run(self, folder: Path) -> Run:
        """The run, as far as a model summarises in it.

        Args:
            folder: Where it stands now.

        Raises:
            ConfigError: A file of a lineage is gone, or somebody's own arm is.
        """
        for name, file in self.lineages.items():
            if not Path(file).exists():
                raise ConfigError(
                    f"{file}, which {name} was made of, is gone",
                    hint="answers are kept: name the session's file to vademecum bench run with the same folder",
                )
        head = json.loads((folder / "run.json").read_text("utf-8"))
        rows = chosen([named(arm) for arm in self.arms], model=True)
        files = {name: Path(file) for name, file in self.lineages.items()}
        return Run(folder, files, msgspec.convert(head["setting"], Setting), rows)


def begun_with(asked: Run, most: int | None) -> Begun:
    """What is written down about a run.

    Args:
        asked: The run.
        most: How many summary calls it may make.
    """
    files = {name: str(path.absolute()) for name, path in asked.lineages.items()}
    return Begun(files, tuple(row.name for row in asked.rows if row.needs_model), most)


def keep_pending(requests: Iterable[Request], folder: Path) -> None:
    """Writes down which requests have no answer; nothing is left where all have."""
    path = _pending(folder)
    rows = [json.dumps(asdict(request), ensure_ascii=True) + "\n" for request in requests]
    if not rows:
        path.unlink(missing_ok=True)
        return
    part = path.with_suffix(".part")
    part.write_text("".join(rows), "utf-8")
    part.replace(path)


def pending_in(folder: Path) -> list[Request]:
    """The requests that were written down."""
    path = _pending(folder)
    lines = path.read_text("utf-8").splitlines() if path.exists() else []
    return [msgspec.json.decode(line, type=Request) for line in lines]


def _begun(folder: Path) -> Path:
    return folder / f"{PREFIX}begun.json"


def _pending(folder: Path) -> Path:
    return folder / f"{PREFIX}pending.jsonl"
