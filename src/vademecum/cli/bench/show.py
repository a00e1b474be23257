"""`vademecum bench show`: a run's scorecard."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from vademecum.cli.bench.costs import costs_table
from vademecum.cli.bench.extra import needed
from vademecum.cli.bench.model_tables import model_breakdown, models_table
from vademecum.cli.bench.tables import arms_table, percent, share
from vademecum.cli.output import emit, paragraph, table
from vademecum.cli.policy import settings
from vademecum.cli.verb import Common, Verb, common
from vademecum.errors import ConfigError
from vademecum.models.catalog import Catalog


@click.command(
    cls=Verb,
    examples=(
        ("vademecum bench show out", "recall against tokens kept"),
        ("vademecum bench show out --arm vademecum", "one arm: by kind, place, position"),
        ("vademecum bench show out --price openai:gpt-5 --json", "the scorecard for a program, at a model's prices"),
    ),
)
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--arm", metavar="NAME", help="This arm, broken down.")
@click.option("--price", metavar="P:M|IN/OUT/CACHED",
              help="What tokens cost: a model of the catalog, or USD for a million.")  # fmt: skip
@common
def command(shared: Common, *, folder: Path, arm: str | None, price: str | None) -> int:
    """Shows what a run found."""
    needed()
    from vademecum.bench.price import price_of
    from vademecum.bench.scorecard import scorecard

    if not (folder / "run.json").exists():
        raise ConfigError(f"{folder} holds no run", hint="vademecum bench run FILE -o FOLDER makes one")
    card = scorecard(folder, price=price_of(price, Catalog.of(settings(shared.flags()).catalog)) if price else None)
    if arm is not None:
        card["arms"] = [row for row in card["arms"] if row["arm"] == arm]
        if not card["arms"]:
            raise ConfigError(
                f"there is no arm {arm!r} in {folder}", hint=f"vademecum bench show {folder} lists them"
            )
    if shared.json:
        emit("bench.scorecard/1", {key: value for key, value in card.items() if key != "schema"})
        return 0
    arms_table(card)
    click.echo()
    costs_table(card)
    models_table(card)
    for row in card["arms"] if arm is not None else ():
        for mode in ("closed", "search"):
            if mode in row:
                click.echo(f"\n{'closed book' if mode == 'closed' else 'with one search'}")
                _breakdown(row[mode])
                if "model" in row[mode]:
                    click.echo()
                    model_breakdown(row[mode]["model"])
    return 0


def _breakdown(found: dict[str, Any]) -> None:
    rows = [("", "", "asked", "reader %", "present")]
    for view in ("kinds", "where", "about", "third", "stated"):
        rows += [
            (view, name, f"{cell['asked']:,}", share(cell["reader"]), percent(cell["present"]["value"]))
            for name, cell in found[view].items()
        ]
    table(rows, right=(2,))
    if unread := sum(cell["unread"] for cell in found["kinds"].values()):
        paragraph(f"{unread:,} golds of several words are no question to the reader, which names identifiers")
    permuted = found["permuted"]
    paragraph(f"permuted golds: {share(permuted)} % right by chance")
    if found["replicates"]:
        paragraph(f"replicates of the summaries: {', '.join(f'{100 * one:.1f}' for one in found['replicates'])}")
