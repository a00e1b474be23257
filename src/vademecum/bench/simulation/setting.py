"""What a simulation is made with."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from vademecum.bench.arms.arm import Row
from vademecum.core.budget import Budget, Window, budget
from vademecum.presets import preset

DEFAULT_WINDOW = 200_000


@dataclass(frozen=True)
class Setting:
    """The setting of a simulation.

    Attributes:
        window: The model's window in tokens; None is twice the trigger, or 200,000.
        trigger: A compaction is due above it; None asks the preset.
        preset: Whose trigger it is; empty asks each arm's own preset, `half` where an arm has none.
        target: Where arms that aim at a size are to end; None is the preset's target.
        cycles: Ends after so many compactions; 0 goes on to the end of the lineage.
        passes: How often the lineage is gone through, each time with other identifiers.
        probes: Questions after a compaction at most; 0 asks none.
        every: Questions are asked after the first compaction and after every so many.
        seed: Of every choice.
    """

    window: int | None = None
    trigger: int | None = None
    preset: str = ""
    target: int | None = None
    cycles: int = 0
    passes: int = 1
    probes: int = 0
    every: int = 5
    seed: int = 1

    def budget(self, row: Row) -> Budget:
        """Trigger and target of an arm.

        Raises:
            ConfigError: A figure is out of its range.
        """
        window = self.window or (2 * self.trigger if self.trigger else DEFAULT_WINDOW)
        chosen = preset(self.preset or str(row.options.get("preset", "half")))
        target = row.options.get("target", self.target)
        return budget(chosen, window=Window(window), trigger=self.trigger, target=target)

    def asks_after(self, cycle: int) -> bool:
        """Whether questions are asked after a compaction."""
        return bool(self.probes) and (cycle == 1 or cycle % self.every == 0)

    def as_dict(self) -> dict[str, Any]:
        """JSON data."""
        return asdict(self)
