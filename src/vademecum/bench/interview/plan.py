"""What models are asked in a run."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

import msgspec

from vademecum.errors import ConfigError

PLAN = "vademecum.bench.interview/1"
#: Questions for each lineage in the published protocol, and in ours.
PUBLISHED, OURS = 15, 60


@dataclass(frozen=True)
class Plan:
    """The plan of the part that models take.

    Attributes:
        facts: Fact questions for each lineage.
        abstention: Questions without answer for each lineage.
        replicates: How often each is asked.
        arms: Which arms answer.
        closed: Which of them answer closed book only: they mean to keep everything.
    """

    facts: int
    abstention: int
    replicates: int
    arms: tuple[str, ...]
    closed: tuple[str, ...] = ()

    def agree(self, folder: Path) -> None:
        """Checks that a run's folder has no other plan.

        Raises:
            ConfigError: It has one.
        """
        if _path(folder).exists() and Plan.load(folder) != self:
            raise ConfigError(
                f"{folder} holds a run whose models are asked something else",
                hint="name another folder, or the same --facts, --replicates and arms to go on with it",
            )

    def save(self, folder: Path) -> None:
        """Writes it into a run's folder, which then is ready for models."""
        _path(folder).write_text(json.dumps({"schema": PLAN, **asdict(self)}, indent=1) + "\n", "utf-8")

    @staticmethod
    def there(folder: Path) -> bool:
        """Whether a run has one."""
        return _path(folder).exists()

    @staticmethod
    def load(folder: Path) -> Plan:
        """Reads the plan of a run.

        Raises:
            ConfigError: The run has none.
        """
        path = _path(folder)
        if not path.exists():
            raise ConfigError(
                f"in {folder} no model is asked anything", hint="vademecum bench run FILE -o FOLDER --facts 60"
            )
        return msgspec.convert(json.loads(path.read_text("utf-8")), Plan)


def _path(folder: Path) -> Path:
    return folder / "interview.json"
