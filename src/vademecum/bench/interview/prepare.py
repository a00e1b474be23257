"""Writes down what models will be shown, so that they can be asked without the arms, anywhere."""

from __future__ import annotations

from functools import partial

from vademecum.bench.interview import kept
from vademecum.bench.interview.plan import Plan
from vademecum.bench.material import loaded
from vademecum.bench.run import Note, Run, finished


def prepare(asked: Run, plan: Plan, *, jobs: int = 1, note: Note | None = None) -> None:
    """Makes a run that is done ready for models.

    Args:
        asked: The run.
        plan: What models are asked.
        jobs: How many processes.
        note: Told of each lineage that is done.

    Raises:
        ConfigError: The folder holds a run whose models are asked something else.
    """
    plan.agree(asked.folder)
    missing = [name for name in asked.lineages if not _ready(asked, name)]
    tasks = [(f"{name}: what arms keep", partial(_keep, asked, name)) for name in missing]
    for number, what in enumerate(finished(tasks, jobs), 1):
        if note is not None:
            note(what, number, len(missing))
    plan.save(asked.folder)


def plan_of(asked: Run, facts: int, abstention: int, replicates: int) -> Plan:
    """The plan of a run's models.

    Args:
        asked: The run.
        facts: Fact questions for each lineage.
        abstention: Questions without answer for each.
        replicates: How often each is asked.
    """
    names = tuple(row.name for row in asked.rows)
    return Plan(facts, abstention, replicates, names, tuple(row.name for row in asked.rows if not row.searches))


def _ready(asked: Run, name: str) -> bool:
    within = asked.folder / name / "kept"
    return (within / f"{name}.manifest.json").exists() and all(
        (within / f"{row.name}.json").exists() for row in asked.rows
    )


def _keep(asked: Run, name: str) -> None:
    folder = asked.folder / name
    kept.write(loaded(asked.lineages[name], asked.setting, folder), asked.rows, asked.setting, folder)
