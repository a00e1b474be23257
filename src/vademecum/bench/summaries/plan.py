"""Which model summarises in a run."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

import msgspec

from vademecum.errors import ConfigError

PLAN = "vademecum.bench.summaries/1"
#: Before the names of a run's files about summaries.
PREFIX = "summary_"


@dataclass(frozen=True)
class Plan:
    """The plan of a run's summaries; the same plan and the same answers give the same bytes.

    Attributes:
        model: The model's name: what results are labelled with.
        window: Its limit in tokens; a longer region is summarised in stretches, whose notes are joined.
        replicates: How often each summary is written.
        max_tokens: Upper limit of one answer; 0 leaves it to the policy.
    """

    model: str
    window: int = 128_000
    replicates: int = 1
    max_tokens: int = 0

    def begin(self, folder: Path) -> None:
        """Writes the plan into a run's folder, or checks that it is the one that was begun.

        Raises:
            ConfigError: The folder's summaries are made otherwise.
        """
        held = Plan.of(folder)
        if held is not None and held != self:
            raise ConfigError(
                f"the summaries in {folder} are made with another plan: {_told(held)}, not {_told(self)}",
                hint="name another folder, or the same summary model, window and replicates to go on with it",
            )
        folder.mkdir(parents=True, exist_ok=True)
        _path(folder).write_text(json.dumps({"schema": PLAN, **asdict(self)}, indent=1) + "\n", "utf-8")

    @staticmethod
    def of(folder: Path) -> Plan | None:
        """The plan of a run; None where no model summarises."""
        path = _path(folder)
        return msgspec.convert(json.loads(path.read_text("utf-8")), Plan) if path.exists() else None


def _told(plan: Plan) -> str:
    limit = f", answers of {plan.max_tokens:,}" if plan.max_tokens else ""
    return f"{plan.model!r} with a window of {plan.window:,}, {plan.replicates} replicates{limit}"


def _path(folder: Path) -> Path:
    return folder / f"{PREFIX}plan.json"
