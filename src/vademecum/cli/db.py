"""`vademecum db`: keeping the archive in order."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click

from vademecum.cli.db_removal import opened, purge_command, retain_command
from vademecum.cli.output import emit, table
from vademecum.cli.verb import Common, Verb, Verbs, common

_MIB = 1 << 20


@click.group(
    cls=Verbs,
    examples=(
        ("vademecum db status", "size, counts, the largest sessions"),
        ("vademecum db verify", "whether all of it is whole; exit code 1 if not"),
        ("vademecum db backup /backups/archive.db", "a copy while others go on writing"),
    ),
)
@common
def command(shared: Common) -> None:  # common options may stand before the inner verb, too
    """Keeps the archive in order."""


@command.command(
    "status",
    cls=Verb,
    examples=(
        ("vademecum db status", "size, counts, the largest sessions"),
        ("vademecum db status --json", "for a program"),
        ("vademecum db status --db old.db", "of another archive"),
    ),
)
@common
def status_command(shared: Common) -> int:
    """Tells how large the archive is and what it holds."""
    with opened(shared) as archive:
        found = archive.status()
    if shared.json:
        fields = asdict(found)
        emit("db_status/1", {"path": fields.pop("path"), "schema_version": fields.pop("schema"), **fields})
        return 0
    log = f", log {found.log_bytes / _MIB:,.1f} MiB" if found.log_bytes else ""
    click.echo(
        f"{found.path}: {found.bytes / _MIB:,.1f} MiB, {found.free_bytes / _MIB:,.1f} MiB of it free{log}, "
        f"schema {found.schema}"
    )
    click.echo(", ".join(f"{count:,} {name}" for name, count in found.counts.items()))
    if found.evicted:
        click.echo(f"{found.evicted:,} large strings were evicted")
    if found.erasing:
        click.echo("a removal was interrupted; vademecum db vacuum finishes it")
    rows = [("session", "messages", "KiB", "owner")]
    rows += [(each.id, f"{each.messages:,}", f"{each.bytes // 1024:,}", each.owner) for each in found.largest]
    table(rows, right=(1, 2))
    return 0


@command.command(
    "verify",
    cls=Verb,
    examples=(
        ("vademecum db verify", "exit code 0: all of it is whole"),
        ("vademecum db verify --json", "what is wrong, for a program"),
        ("vademecum db verify --db backup.db", "of a backup"),
    ),
)
@common
def verify_command(shared: Common) -> int:
    """Checks the file and everything in it; exit code 1 when something is wrong."""
    with opened(shared) as archive:
        faults = archive.verify()
    if shared.json:
        emit("db_verify/1", {"whole": not faults, "faults": [asdict(fault) for fault in faults]})
    else:
        for fault in faults:
            click.echo(f"{fault.what} {fault.where}: {fault.text}".replace(" : ", ": "))
        shared.say(
            "all of it is whole" if not faults else f"{len(faults):,} faults; restore a backup, or report them"
        )
    return int(bool(faults))


@command.command(
    "backup",
    cls=Verb,
    examples=(
        ("vademecum db backup /backups/archive.db", "a copy of this moment, private; others may go on writing"),
        ("vademecum db backup /backups/archive.db --force", "in place of an older one"),
        ("vademecum db backup copy.db --json", "for a program"),
    ),
)
@click.argument("path")
@click.option("--force", is_flag=True, help="Replace a file that is there already.")
@common
def backup_command(shared: Common, *, path: str, force: bool) -> int:
    """Copies the archive into a file that is there at once or not at all.

    The copy is not remembered: what is removed later stays in it, unless it is named with --also.
    """
    with opened(shared) as archive:
        size_bytes = archive.backup(path, force=force)
    if shared.json:
        emit("db_backup/1", {"path": str(Path(path).expanduser()), "bytes": size_bytes})
    else:
        click.echo(f"{path}: {size_bytes / _MIB:,.1f} MiB")
    return 0


@command.command(
    "migrate",
    cls=Verb,
    examples=(
        ("vademecum db migrate", "bring the archive to this version's schema; a copy is made first"),
        ("vademecum db migrate --db old.db", "another one"),
        ("vademecum db migrate --json", "for a program"),
    ),
)
@common
def migrate_command(shared: Common) -> int:
    """Brings the archive to this version's schema, as every verb does that opens one."""
    with opened(shared) as archive:
        before, after = archive.connection.migrated, archive.status().schema
        path = archive.connection.path
    kept = f"{path}.schema-{before}" if before else None
    if shared.json:
        emit("db_migrate/1", {"from": before or after, "to": after, "backup": kept})
    else:
        click.echo(
            f"schema {before} → {after}; the old file is {kept}" if before else f"schema {after}: nothing to do"
        )
    return 0


@command.command(
    "vacuum",
    cls=Verb,
    examples=(
        ("vademecum db vacuum", "give free pages back"),
        ("vademecum db vacuum --json", "for a program"),
        ("vademecum db vacuum --reindex", "make the word index anew, too, where verify says that it is damaged"),
    ),
)
@click.option("--reindex", is_flag=True, help="Make the word index anew, too.")
@common
def vacuum_command(shared: Common, *, reindex: bool) -> int:
    """Writes the file anew without what is free in it; finishes removals that were interrupted."""
    with opened(shared) as archive:
        passages = archive.reindex() if reindex else None
        freed = archive.vacuum()
    if shared.json:
        emit("db_vacuum/1", {"freed_bytes": freed, "passages": passages})
    else:
        click.echo(f"{freed / _MIB:,.1f} MiB given back")
    return 0


command.add_command(purge_command)
command.add_command(retain_command)
