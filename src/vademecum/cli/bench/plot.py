"""`vademecum bench plot`: a run as a page for a browser."""

from __future__ import annotations

from pathlib import Path

import click

from vademecum.cli.bench.extra import needed
from vademecum.cli.output import emit
from vademecum.cli.policy import settings
from vademecum.cli.verb import Common, Verb, common
from vademecum.errors import ConfigError
from vademecum.models.catalog import Catalog


@click.command(
    cls=Verb,
    examples=(
        ("vademecum bench plot out -o report.html", "a run as one page, which needs no network"),
        ("vademecum bench plot out --cycles repeated -o report.html", "with what vademecum simulate wrote"),
        ("vademecum bench plot out -o report.html --json", "what is in the page, for a program"),
    ),
)
@click.argument("folder", metavar="RUN", type=click.Path(path_type=Path))
@click.option("--cycles", metavar="FOLDER", type=click.Path(path_type=Path),
              help="A simulation's folder, or a file of results.")  # fmt: skip
@click.option("--price", metavar="P:M|IN/OUT/CACHED",
              help="What tokens cost: a model of the catalog, or USD for a million.")  # fmt: skip
@click.option("-o", "--out", metavar="FILE", required=True, type=click.Path(path_type=Path), help="The page.")
@common
def command(shared: Common, *, folder: Path, cycles: Path | None, price: str | None, out: Path) -> int:
    """Writes a run's report: one HTML page with plots, tables and every probe."""
    needed()
    from vademecum.bench.price import price_of
    from vademecum.bench.report.page import report

    if not (folder / "run.json").exists():
        raise ConfigError(f"{folder} holds no run", hint="vademecum bench run FILE -o FOLDER makes one")
    made = report(
        folder, cycles, price=price_of(price, Catalog.of(settings(shared.flags()).catalog)) if price else None
    )
    data = made.text.encode("utf-8")
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_bytes(data)
    if shared.json:
        counts = {"arms": made.arms, "probes": made.probes, "cycles": made.cycles}
        emit("bench.plot/1", {"file": str(out), "bytes": len(data), **counts, "excerpt_chars": made.cut.excerpt})
    else:
        shared.say(f"wrote {out}: {made.arms} arms, {made.probes:,} probes, {len(data) / 1e6:.1f} MB")
    return 0
