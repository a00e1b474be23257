"""`vademecum bench list`: the runs in some folders."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from vademecum.cli.bench.extra import needed
from vademecum.cli.output import emit, table
from vademecum.cli.verb import Common, Verb, common


@click.command(
    cls=Verb,
    examples=(
        ("vademecum bench list", "runs in this folder and two below"),
        ("vademecum bench list out older", "in others"),
        ("vademecum bench list out --json", "settings, arms and what is missing, for a program"),
    ),
)
@click.argument("folders", nargs=-1, metavar="[FOLDER]…", type=click.Path(path_type=Path))
@common
def command(shared: Common, *, folders: tuple[Path, ...]) -> int:
    """Lists runs: setting, arms, what is done and what is missing. Exit code 1 when there are none."""
    needed()
    from vademecum.bench.listing import listing

    runs = listing(folders or (Path(),))
    if shared.json:
        emit("bench.runs/1", {"runs": runs})
    elif runs:
        head = ("run", "lineages", "tokens", "window", "target", "seed", "arms", "done", "missing", "model answers")
        table([head, *map(_row, runs)], right=tuple(range(1, len(head))))
    else:
        shared.say("there are no runs; vademecum bench run FILE -o FOLDER makes one")
    return 0 if runs else 1


def _row(run: dict[str, Any]) -> tuple[str, ...]:
    setting, asked = run["setting"], [told for told in (run["models"], run["summaries"]) if told is not None]
    return (
        run["run"],
        str(len(run["lineages"])),
        *(f"{setting[name]:,}" for name in ("tokens", "window", "target")),
        str(setting["seed"]),
        str(len(run["arms"])),
        str(run["done"]),
        str(len(run["missing"])),
        f"{sum(told['answers'] for told in asked):,}" if asked else "–",
    )
