"""`vademecum bench probes`: what is asked about a lineage."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from vademecum.cli.bench.extra import needed
from vademecum.cli.output import emit, table
from vademecum.cli.verb import Common, Verb, common

if TYPE_CHECKING:
    from vademecum.bench.probes.probe import Probe

_VIEWS = ("kind", "where", "third", "about")


@click.command(
    cls=Verb,
    examples=(
        ("vademecum bench probes SESSION.jsonl", "how many questions of each kind"),
        ("vademecum bench probes SESSION.jsonl -o probes.jsonl --show 2", "written, and two of each kind shown"),
        ("vademecum bench probes probes.jsonl --json", "of a file that was written before, for a program"),
    ),
)
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("-o", "--out", metavar="FILE", type=click.Path(path_type=Path), help="Write them as JSON Lines.")
@click.option("--show", metavar="N", type=click.IntRange(0), default=0, help="So many examples of each kind.")
@click.option("--tokens", metavar="N", type=click.IntRange(1_000), default=500_000, show_default=True,
              help="Length of the prefix, in tokens of four characters.")  # fmt: skip
@click.option("--probes", metavar="N", type=click.IntRange(1), default=1_000, show_default=True,
              help="Cloze probes at most.")  # fmt: skip
@click.option("--seed", metavar="N", type=int, default=1, show_default=True, help="Of every choice.")
@common
def command(shared: Common, *, file: Path, out: Path | None, show: int, tokens: int, probes: int, seed: int) -> int:
    """Makes the questions about a session log or lineage, or shows those of a file."""
    needed()
    from vademecum.bench.material import prepared
    from vademecum.bench.probes.probe import is_file_of_probes, load, save
    from vademecum.bench.setting import Setting

    if is_file_of_probes(file):
        about, found = load(file)
    else:
        setting = Setting(tokens=tokens, cloze=probes, seed=seed)
        material = prepared(file, setting)
        found = list(material.probes)
        about = {"lineage": material.plain.lineage.name, "sha256": material.plain.lineage.sha256(), "seed": seed}
    if out is not None:
        save(found, out, {key: value for key, value in about.items() if key != "schema"})
    _told(shared, file, found, show)
    if out is not None:
        shared.say(f"wrote {len(found):,} probes to {out}")
    return 0


def _told(shared: Common, file: Path, found: list[Probe], show: int) -> None:
    counts = {view: dict(sorted(Counter(getattr(probe, view) for probe in found).items())) for view in _VIEWS}
    examples = _examples(found, show)
    if shared.json:
        emit("bench.probes/1", {"file": str(file), "probes": len(found), **counts, "examples": examples})
        return
    table([(view, name, f"{count:,}") for view, cells in counts.items() for name, count in cells.items()], right=(2,))
    for row in examples:
        click.echo(f"\n{row['kind']} {row['id']}, message {row['message']} ({row['where']}, {row['third']})")
        click.echo(f"  {row['question']}\n  search: {' '.join(row['words'])}\n  gold: {row['gold'] or '(none)'}")


def _examples(found: list[Probe], most: int) -> list[dict[str, Any]]:
    """The first probes of each kind."""
    shown: Counter[str] = Counter()
    rows: list[dict[str, Any]] = []
    for probe in found:
        shown[probe.kind] += 1
        if shown[probe.kind] <= most:
            rows.append(probe.as_dict())
    return rows
