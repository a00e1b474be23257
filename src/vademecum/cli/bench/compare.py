"""`vademecum bench compare`: two runs, question by question."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from vademecum.cli.bench.extra import needed
from vademecum.cli.output import emit, paragraph, table
from vademecum.cli.verb import Common, Verb, common

_FOLDER = click.Path(path_type=Path)


@click.command(
    cls=Verb,
    examples=(
        ("vademecum bench compare before after", "what became better or worse, arm by arm"),
        ("vademecum bench compare main branch --fail-on regression", "exit code 1 when an arm became worse"),
        ("vademecum bench compare before after --arm vademecum --json", "one arm, for a program"),
    ),
)
@click.argument("first", metavar="A", type=_FOLDER)
@click.argument("second", metavar="B", type=_FOLDER)
@click.option("--arm", "arms", metavar="NAME", multiple=True, help="Only this arm.  [all in both]")
@click.option(
    "--fail-on", type=click.Choice(("regression",)), help="Exit code 1 when B is worse beyond the interval."
)
@click.option("--seed", metavar="N", type=int, default=1, show_default=True, help="Of the intervals.")
@common
def command(
    shared: Common, *, first: Path, second: Path, arms: tuple[str, ...], fail_on: str | None, seed: int
) -> int:
    """Compares two runs of the same lineages. A difference counts when its interval says so."""
    needed()
    from vademecum.bench.compare import compare

    found = compare(first, second, seed=seed, arms=arms)
    if shared.json:
        emit("bench.comparison/1", {key: value for key, value in found.items() if key != "schema"})
    else:
        shown(shared, found)
    return 1 if fail_on and found["regressions"] else 0


def shown(shared: Common, found: dict[str, Any]) -> None:
    """A table for each answerer, then what the arms keep."""
    for answerer in dict.fromkeys(row["answerer"] for row in found["rows"]):
        lines = [("arm", answerer, "asked", "A %", "B %", "difference", "p", "")]
        lines += [_line(row) for row in found["rows"] if row["answerer"] == answerer]
        table(lines, right=(2, 3, 4, 6))
        click.echo()
    changed = {arm: kept for arm, kept in found["tokens"].items() if kept[0] != kept[1]}
    told = ", ".join(f"{arm} {one:,} → {other:,}" for arm, (one, other) in changed.items())
    rest = len(found["tokens"]) - len(changed)
    same = f"the same in {rest:,} {'arm' if rest == 1 else 'arms'}" if rest else ""
    paragraph(f"tokens kept, A → B: {', '.join(filter(None, (told, same)))}")
    for name, (one, other) in found["setting"].items():
        shared.say(f"the runs differ in {name}: {one} and {other}")
    for run, names in zip(found["runs"], found["only"], strict=True):
        if names:
            shared.say(f"only in {run}: {', '.join(names)}")


def _line(row: dict[str, Any]) -> tuple[str, ...]:
    gain = row["difference"]
    return (
        row["arm"],
        "closed" if row["mode"] == "closed" else "one search",
        f"{row['asked']:,}",
        f"{100 * row['before']:.1f}",
        f"{100 * row['after']:.1f}",
        f"{100 * gain['value']:+.1f} [{100 * gain['low']:+.1f} to {100 * gain['high']:+.1f}]",
        f"{row['p_holm']:.3f}",
        row["verdict"],
    )
