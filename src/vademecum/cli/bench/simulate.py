"""`vademecum bench simulate`: what becomes of policies that are repeated."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import click

from vademecum.cli.bench.extra import needed
from vademecum.cli.bench.progress import bar
from vademecum.cli.bench.tables import percent
from vademecum.cli.output import table
from vademecum.cli.verb import Common, Verb, common

_ARMS = ("vademecum", "drop-results", "recency")
#: A table has about so many lines; steps are multiples of five.
_LINES = 20


@click.command(
    cls=Verb,
    examples=(
        ("vademecum bench simulate SESSION.jsonl", "a session log at the trigger of a 200K window"),
        ("vademecum bench simulate A.jsonl B.jsonl --trigger 160000 --arm vademecum", "two chained, one arm"),
        ("vademecum bench simulate A.jsonl --window 32000 --probes 200 --json", "with recall, as JSON Lines"),
    ),
)
@click.argument("files", nargs=-1, required=True, metavar="FILE…", type=click.Path(path_type=Path, exists=True))
@click.option("--arm", "arms", metavar="NAME", multiple=True,
              help=f"An arm, or package.module:function.  [default: {', '.join(_ARMS)}]")  # fmt: skip
@click.option("--trigger", metavar="N", type=click.IntRange(1_000), help="Compact above this many tokens.")
@click.option("--preset", metavar="NAME", default="",
              help="Whose trigger it is.  [default: each arm's own, or half]")  # fmt: skip
@click.option("--window", metavar="N", type=click.IntRange(1_000),
              help="The model's window.  [default: twice --trigger, or 200000]")  # fmt: skip
@click.option("--target", metavar="N", type=click.IntRange(500), help="Where to end.  [default: the preset's]")
@click.option("--cycles", metavar="N", type=click.IntRange(1), help="End after so many compactions.")
@click.option("--passes", metavar="N", type=click.IntRange(1), default=1, show_default=True,
              help="Go through the files so often, each time with other identifiers.")  # fmt: skip
@click.option("--probes", metavar="N", type=click.IntRange(0), default=0, show_default=True,
              help="Questions after a compaction, about all that was seen.")  # fmt: skip
@click.option("--every", metavar="N", type=click.IntRange(1), default=5, show_default=True,
              help="Ask after the first compaction and after every so many.")  # fmt: skip
@click.option("--seed", metavar="N", type=int, default=1, show_default=True, help="Of every choice.")
@click.option("--jobs", metavar="N", type=click.IntRange(1), help="Processes.  [default: one for each core]")
@click.option("-o", "--out", metavar="FOLDER", type=click.Path(path_type=Path), help="Write ARM.jsonl for each arm.")
@common
def command(
    shared: Common,
    *,
    files: tuple[Path, ...],
    arms: tuple[str, ...],
    cycles: int | None,
    jobs: int | None,
    out: Path | None,
    **given: Any,
) -> int:
    """Shows what repeated compactions do to a session.

    The logs are chained and unrolled; whenever the trigger is crossed, each arm compacts. Without -o nothing is
    written. Run again on the same folder, it does the arms that are missing.
    """
    needed()
    from vademecum.bench.arms.table import chosen
    from vademecum.bench.simulation.arms import simulated
    from vademecum.bench.simulation.setting import Setting

    rows = chosen(arms or _ARMS)
    setting = Setting(cycles=cycles or 0, **given)
    processes = jobs or os.cpu_count() or 1
    with bar(shared, "simulating") as note:
        for number, done in enumerate(simulated(files, rows, setting, folder=out, jobs=processes, note=note)):
            if shared.json:
                for line in done.lines:
                    click.echo(json.dumps(line, ensure_ascii=True))
            else:
                _table(done.cycles, done.end, first=number == 0)
    return 0


def _table(cycles: list[dict[str, Any]], end: dict[str, Any], *, first: bool) -> None:
    if not first:
        click.echo()
    click.echo(
        f"{end['arm']}: {end['end_state']} after {end['cycles']:,} cycles, {end['consumed']:,} tokens and "
        f"{end['requests']:,} requests; trigger {end['trigger']:,}"
    )
    asked = any(row["recall"] for row in cycles)
    head = ("cycle", "before → after", "freed", "text floor", "messages", "input/request")
    step = 5 * max(1, -(-len(cycles) // (5 * _LINES)))
    shown = [row for row in cycles if row["cycle"] in (1, len(cycles)) or row["cycle"] % step == 0]
    lines = [(*head, "recall", "one search", "stale") if asked else head, *(_line(row, asked=asked) for row in shown)]
    if cycles:
        table(lines, right=(0, 1, 2, 3, 4, 5, 6, 7, 8))


def _line(row: dict[str, Any], *, asked: bool) -> tuple[str, ...]:
    figures = (
        str(row["cycle"]),
        f"{row['before']:,} → {row['after']:,}",
        percent(row["freed_ratio"]),
        f"{row['floor']['text_floor']:,}",
        f"{row['rows']:,}",
        f"{row['billed_per_request']:,}",
    )
    if not asked:
        return figures
    recall: dict[str, Any] = row["recall"] or {}
    stale = row["stale"]
    return (
        *figures,
        percent(recall.get("closed")),
        percent(recall.get("search")),
        f"{stale['stale']}/{stale['asked']}" if stale else "–",
    )
