"""`vademecum bench lineage`: chains of session logs, with a manifest that proves which they are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from vademecum.cli.output import emit, table
from vademecum.cli.verb import Common, Verb, Verbs, common

_FILE = click.Path(path_type=Path, exists=True)


@click.group(
    cls=Verbs,
    examples=(
        ("vademecum bench lineage build A.jsonl B.jsonl --name work -o lineages", "chain two logs"),
        ("vademecum bench lineage show lineages/work.jsonl.gz", "how long it is"),
        ("vademecum bench lineage verify lineages/work.jsonl.gz", "whether it is still the same"),
    ),
)
@common
def command(shared: Common) -> None:
    """Makes, shows and verifies lineages."""


@command.command(
    "build",
    cls=Verb,
    examples=(
        ("vademecum bench lineage build A.jsonl B.jsonl --name work -o lineages", "chain two logs, oldest first"),
        ("vademecum bench lineage build SESSION.jsonl --tokens 500000 -o lineages", "the beginning of one"),
        ("vademecum bench lineage build A.jsonl -o lineages --json", "the manifest for a program"),
    ),
)
@click.argument("files", nargs=-1, required=True, metavar="FILE…", type=_FILE)
@click.option("-o", "--out", metavar="FOLDER", required=True, type=click.Path(path_type=Path), help="Where it goes.")
@click.option("--name", metavar="NAME", help="Its name.  [default: that of the first log]")
@click.option("--tokens", metavar="N", type=click.IntRange(1), help="Only its beginning (four characters a token).")
@common
def build_command(shared: Common, *, files: tuple[Path, ...], out: Path, name: str | None, tokens: int | None) -> int:
    """Chains session logs into a lineage: copies and rows of earlier compactions are left out."""
    from vademecum.bench.lineage import build, save

    made = build(files, name=name or files[0].name.split(".")[0])
    if tokens is not None:
        made = made.prefix(tokens)
    path = save(made, out)
    _manifest(shared, made.manifest())
    shared.say(f"wrote {path} and its manifest")
    return 0


@command.command(
    "show",
    cls=Verb,
    examples=(
        ("vademecum bench lineage show SESSION.jsonl", "what the bench makes of a session log"),
        ("vademecum bench lineage show lineages/work.jsonl.gz", "how long a lineage is"),
        ("vademecum bench lineage show lineages/work.jsonl.gz --json", "for a program"),
    ),
)
@click.argument("file", type=_FILE)
@common
def show_command(shared: Common, *, file: Path) -> int:
    """Shows how long a lineage is and what it is made of."""
    from vademecum.bench.lineage import load

    _manifest(shared, load(file).manifest())
    return 0


@command.command(
    "verify",
    cls=Verb,
    examples=(
        ("vademecum bench lineage verify lineages/work.jsonl.gz", "exit code 1 when it is another one"),
        ("vademecum bench lineage verify lineages/work.jsonl.gz -q", "the exit code alone"),
        ("vademecum bench lineage verify lineages/work.jsonl.gz --json", "for a program"),
    ),
)
@click.argument("file", type=_FILE)
@common
def verify_command(shared: Common, *, file: Path) -> int:
    """Checks a lineage against its manifest. Exit code 1 when they differ."""
    from vademecum.bench.lineage import verify

    found = verify(file)
    if shared.json:
        emit("bench.lineage_check/1", {"file": str(file), "differences": found})
    else:
        for line in found:
            click.echo(line)
        shared.say(f"{file} is {'another lineage than its manifest says' if found else 'as its manifest says'}")
    return 1 if found else 0


def _manifest(shared: Common, manifest: dict[str, Any]) -> None:
    if shared.json:
        emit("bench.lineage/1", {key: value for key, value in manifest.items() if key != "schema"})
        return
    rows = [(key.replace("_", " "), _told(value)) for key, value in manifest.items() if key != "schema"]
    table(rows)


def _told(value: int | str | list[str]) -> str:
    if isinstance(value, int):
        return f"{value:,}"
    return value if isinstance(value, str) else ", ".join(value)
