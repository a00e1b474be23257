"""`vademecum bench run`: every arm on some lineages, without a model or with some."""

from __future__ import annotations

import os
from pathlib import Path

import click

from vademecum.cli.bench.extra import needed
from vademecum.cli.bench.model_tables import models_table
from vademecum.cli.bench.models import Models, faults, interviewed, model_options
from vademecum.cli.bench.progress import bar
from vademecum.cli.bench.summaries import SummaryModel, summarized_arms, summary_options
from vademecum.cli.bench.tables import arms_table
from vademecum.cli.output import emit
from vademecum.cli.verb import Common, Verb, common
from vademecum.errors import BadRequest, ConfigError


@click.command(
    cls=Verb,
    examples=(
        ("vademecum bench run SESSION.jsonl -o out", "every arm on a session log"),
        ("vademecum bench run A.jsonl -o out --arm vademecum --arm my_package:my_arm", "with a policy of your own"),
        ("vademecum bench run A.jsonl -o out --summary-batch asked --summary-model M", "with summaries, by files"),
    ),
)
@click.argument("files", nargs=-1, required=True, metavar="FILE…", type=click.Path(path_type=Path))
@click.option(
    "-o", "--out", metavar="FOLDER", required=True, type=click.Path(path_type=Path), help="The run's folder."
)
@click.option("--arm", "arms", metavar="NAME", multiple=True, help="An arm, or package.module:function. [all]")
@click.option("--cheats", is_flag=True, help="Also the arms that cheat, which the figures expose.")
@click.option("--tokens", metavar="N", type=click.IntRange(1_000), default=500_000, show_default=True,
              help="Length of each prefix, in tokens of four characters.")  # fmt: skip
@click.option("--window", metavar="N", type=click.IntRange(1_000), default=200_000, show_default=True,
              help="The model's window in tokens.")  # fmt: skip
@click.option("--target", metavar="N", type=click.IntRange(500), default=40_000, show_default=True,
              help="Where arms that aim at a size are to end.")  # fmt: skip
@click.option("--probes", metavar="N", type=click.IntRange(1), default=1_000, show_default=True,
              help="Cloze probes for each lineage at most.")  # fmt: skip
@click.option("--seed", metavar="N", type=int, default=1, show_default=True, help="Of every choice.")
@click.option("--jobs", metavar="N", type=click.IntRange(1), help="Processes.  [default: one for each core]")
@model_options
@summary_options
@common
def command(
    shared: Common,
    *,
    files: tuple[Path, ...],
    out: Path,
    arms: tuple[str, ...],
    cheats: bool,
    tokens: int,
    window: int,
    target: int,
    probes: int,
    seed: int,
    jobs: int | None,
    models: Models,
    summaries: SummaryModel,
) -> int:
    """Benches arms on session logs or lineages. Run again on the same folder, it does what is missing.

    Exit code 1 while results wait for summaries, 3 when a model gave no text for some calls.
    """
    needed()
    from vademecum.bench.arms.table import chosen
    from vademecum.bench.run import Run, run
    from vademecum.bench.scorecard import scorecard
    from vademecum.bench.setting import Setting

    setting = Setting(tokens, window, target, probes, seed=seed)
    asked = Run(out, _named(files), setting, chosen(arms, cheats=cheats, model=summaries.asked))
    processes = jobs or os.cpu_count() or 1
    with bar(shared, "benching") as note:
        run(asked, jobs=processes, note=note)
    waiting = summarized_arms(shared, asked, summaries, models.thinking) if summaries.asked else 0
    lost: dict[str, int] = {}
    if models.asked and not waiting:
        lost = interviewed(shared, asked, models, processes)
    card = scorecard(out, seed=seed)
    if shared.json:
        emit("bench.scorecard/1", {key: value for key, value in card.items() if key != "schema"})
    else:
        arms_table(card)
        models_table(card)
        shared.say(f"vademecum bench show {out} has more")
    if lost:
        raise BadRequest(
            f"{sum(lost.values()):,} calls brought no answer{faults(lost)}",
            hint="run it again to ask them once more; what is pending counts for nothing in the table",
        )
    return 1 if waiting else 0


def _named(files: tuple[Path, ...]) -> dict[str, Path]:
    named: dict[str, Path] = {}
    for file in files:
        name = file.name.split(".")[0] or file.name
        if name in named:
            raise ConfigError(f"two files have the name {name}: {named[name]} and {file}", hint="rename one of them")
        if not file.exists():
            raise ConfigError(f"there is no file {file}", hint="name a session log or a lineage")
        named[name] = file
    return named
