"""`vademecum db purge` and `vademecum db retain`: removing parts and old sessions for good."""

from __future__ import annotations

import time
from dataclasses import asdict

import click

from vademecum.archive import Archive
from vademecum.archive.values import Purged
from vademecum.cli import copies
from vademecum.cli.asking import asked
from vademecum.cli.output import emit
from vademecum.cli.policy import settings
from vademecum.cli.verb import Common, Verb, common
from vademecum.errors import ConfigError, PartNotFound, SessionNotFound

_MIB = 1 << 20
_vacuum = click.option(
    "--no-vacuum", is_flag=True, help="Do not write the file anew: quicker, but traces of old pages may stay in it."
)


def opened(shared: Common) -> Archive:
    """The archive, which must be there.

    Raises:
        ConfigError: It is not.
    """
    path = settings(shared.flags()).db
    if not path.exists():
        raise ConfigError(
            f"there is no archive at {path}", hint="name one with --db, or make it with import or compact"
        )
    return Archive.open(path, owner=shared.owner)


@click.command(
    "purge",
    cls=Verb,
    examples=(
        ("vademecum db purge t_k3x5mq2v7a.2", "remove one part for good, wherever it stands"),
        ("vademecum db purge t_k3x5mq2v7a --yes", "all parts of a message, without being asked"),
        ("vademecum db purge t_k3x5mq2v7a --also /backups/archive.db", "in a backup, too; repeat it for others"),
    ),
)
@click.argument("id")
@click.option("--session", metavar="ID", help="In this session only.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@_vacuum
@copies.also_option
@common
def purge_command(
    shared: Common, *, id: str, session: str | None, yes: bool, no_vacuum: bool, also: tuple[str, ...]
) -> int:
    """Removes a part for good: from the transcript, the word index, the ledger, and what compactions quote of it.

    It does not come back when it is sent again. Copies of the archive are not known here: backups have it still,
    unless they are named with --also.
    """
    db = settings(shared.flags()).db
    with opened(shared) as archive:
        found = archive.find(id, session=session)
        named = copies.checked(also, db)
        if not asked(f"remove {id} ({found.role}) for good?", yes=yes):
            return 1
        done = archive.purge(id, session=session, vacuum=not no_vacuum)
    there, failed = copies.from_copies(named, shared.owner, lambda copy: _purged(copy, id, session))
    left = copies.untouched(db, named)
    if shared.json:
        figures = [
            {"path": str(path), "messages": each.messages, "parts": each.parts, "compactions": each.compactions}
            for path, each in there
        ]
        emit("db_purge/1", {"id": id, **asdict(done), "also": figures, "copies": left})
        copies.check_done(failed)
        return 0
    click.echo(
        f"{id}: {done.parts} parts in {done.messages} places, quoted in {done.compactions} compactions: removed"
    )
    for path, each in there:
        click.echo(f"{path}: {each.parts} parts in {each.messages} places, quoted in {each.compactions} compactions")
    if left or not named:
        shared.say(copies.told(left))
    if done.quoted_by:
        shared.say(f"other messages still say the same: {', '.join(done.quoted_by)}")
    if not done.log_emptied:
        shared.say("a process that reads holds on to the log: run vademecum db vacuum when it has ended")
    copies.check_done(failed)
    return 0


def _purged(copy: Archive, id: str, session: str | None) -> Purged:
    """The same in a copy, which need not have it."""
    try:
        return copy.purge(id, session=session)
    except (PartNotFound, SessionNotFound):
        return Purged(0, 0, 0, (), log_emptied=True)


@click.command(
    "retain",
    cls=Verb,
    examples=(
        ("vademecum db retain --older-than 90d --dry-run", "which sessions would go"),
        ("vademecum db retain --older-than 90d --yes", "remove them for good"),
        ("vademecum db retain --max-size 2G --yes", "evict the oldest large strings that stand in no context"),
    ),
)
@click.option("--older-than", metavar="AGE", help="Sessions that were not used for so long (90d, 12w, 2y).")
@click.option("--max-size", metavar="SIZE", help="What the archive may have in use (500M, 2G).")
@click.option("--dry-run", is_flag=True, help="Say what would go, and change nothing.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@common
def retain_command(shared: Common, *, older_than: str | None, max_size: str | None, dry_run: bool, yes: bool) -> int:
    """Removes sessions by age, and makes room; by default as `archive.retention` and `archive.max_size` say."""
    config = settings({**shared.flags(), "archive.retention": older_than, "archive.max_size": max_size})
    longest, most = config.archive_retention, config.archive_max_size
    if longest is None and most is None:
        raise ConfigError(
            "nothing says what is to go", hint="--older-than 90d or --max-size 2G, or set archive.retention"
        )
    with opened(shared) as archive:
        ids = [] if longest is None else archive.outdated(time.time() - longest)
        over = 0 if most is None else max(0, archive.in_use() - most)
        removed, strings, freed = 0, 0, 0
        if not dry_run and (ids or over) and asked(_question(ids, over), yes=yes):
            removed = archive.remove(*ids, vacuum=False).messages if ids else 0
            strings, freed = archive.evict(most) if most is not None else (0, 0)
        elif not dry_run and (ids or over):
            return 1
    if shared.json:
        emit(
            "db_retain/1",
            {
                "dry_run": dry_run,
                "sessions": ids,
                "messages": removed,
                "over_bytes": over,
                "evicted": strings,
                "evicted_bytes": freed,
            },
        )
        return 0
    for id in ids:
        click.echo(id)
    would = "would go" if dry_run else "removed"
    shared.say(f"{len(ids):,} sessions {would}; {over / _MIB:,.1f} MiB over the cap, {freed / _MIB:,.1f} MiB evicted")
    return 0


def _question(ids: list[str], over: int) -> str:
    parts = [f"remove {len(ids):,} sessions for good" if ids else "", f"evict {over / _MIB:,.1f} MiB" if over else ""]
    return " and ".join(part for part in parts if part) + "?"
