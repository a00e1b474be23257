"""`vademecum doctor`: whether everything is there that Vademecum needs."""

from __future__ import annotations

from dataclasses import asdict

import click

from vademecum.cli.checkup import files, machine, servers
from vademecum.cli.checkup.finding import Finding
from vademecum.cli.output import emit
from vademecum.cli.verb import Common, Verb, common

_COLORS = {"ok": "green", "warn": "yellow", "fail": "red"}


@click.command(
    cls=Verb,
    examples=(
        ("vademecum doctor", "a line for each thing that was looked at"),
        ("vademecum doctor --db old.db", "with another archive"),
        ("vademecum doctor --json", "for a program; exit code 1 when something fails"),
    ),
)
@common
def command(shared: Common) -> int:
    """Checks the machine, the settings and the archive. Exit code 1 when something fails."""
    findings = checked(shared)
    failed = any(found.status == "fail" for found in findings)
    if shared.json:
        emit("doctor/1", {"ok": not failed, "checks": [asdict(found) for found in findings]})
        return int(failed)
    for found in findings:
        mark = click.style(f"{found.status:<4}", fg=_COLORS[found.status] if shared.color else None)
        click.echo(f"{mark}  {found.name:<14}  {found.text}")
        if found.remedy:
            click.echo(f"{'':<22}→ {found.remedy}")
    return int(failed)


def checked(shared: Common) -> list[Finding]:
    """Everything that is looked at, in the order in which it is told."""
    return [
        machine.python(),
        machine.sqlite(),
        machine.tokenizer(),
        *machine.extras(),
        *files.files(shared),
        servers.servers(),
        machine.terminal(),
    ]
