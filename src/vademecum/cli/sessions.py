"""`vademecum sessions`: what the archive holds, and exporting it."""

from __future__ import annotations

from dataclasses import asdict
from itertools import count

import click

from vademecum.archive import Archive, SessionInfo
from vademecum.archive.values import Removed
from vademecum.cli import copies
from vademecum.cli.asking import asked
from vademecum.cli.inputs import check_output, write_output
from vademecum.cli.live import list_live
from vademecum.cli.output import emit, emit_bytes, table
from vademecum.cli.policy import settings
from vademecum.cli.saving import Saving, saved
from vademecum.cli.session_show import day, percent, show_command, usd
from vademecum.cli.verb import Common, Verb, Verbs, common
from vademecum.compactor.continuing import first_context
from vademecum.compactor.envelope import Envelope, rendered
from vademecum.core.tokens import TokenCounter
from vademecum.errors import ConfigError
from vademecum.models.catalog import Catalog
from vademecum.models.tokenizer import count_tokens


@click.group(
    cls=Verbs,
    invoke_without_command=True,
    examples=(
        ("vademecum sessions", "all sessions, the one used last first"),
        ("vademecum sessions --live", "those that a proxy has served within ten minutes, of every key"),
        ("vademecum sessions export nightly --context", "the context of one, as it is now"),
    ),
)
@click.option("--live", is_flag=True, help="Only those that a proxy has served just now, with what they are at.")
@common
def command(shared: Common, *, live: bool) -> int:
    """Lists the sessions of the archive; `export` writes one out."""
    if click.get_current_context().invoked_subcommand:
        return 0
    return list_live(shared) if live else _list(shared)


@command.command(
    "list",
    cls=Verb,
    examples=(
        ("vademecum sessions list", "all sessions, the one used last first"),
        ("vademecum sessions list --json", "for a program"),
        ("vademecum sessions list --db old.db", "of another archive"),
    ),
)
@common
def list_command(shared: Common) -> int:
    """Lists the sessions of the archive."""
    return _list(shared)


command.add_command(show_command)


@command.command(
    "export",
    cls=Verb,
    examples=(
        ("vademecum sessions export nightly > whole.jsonl", "the whole transcript"),
        ("vademecum sessions export nightly --context -o context.jsonl", "the context as it is now"),
        ("vademecum sessions export nightly -o whole.jsonl.gz", "compressed"),
    ),
)
@click.argument("session")
@click.option("--context", "projection", is_flag=True, help="The context as it is now, not the whole transcript.")
@click.option("-o", "--output", metavar="OUT", help="Write it there instead of to stdout.")
@common
def export_command(shared: Common, *, session: str, projection: bool, output: str | None) -> int:
    """Writes a session out, in the layout that it was read from."""
    if output is not None:
        check_output(output)
    with shared.archive() as archive:
        held = archive.existing(session)
        data = rendered(held, Envelope.loaded(archive.envelope(session)), whole=not projection)
        messages = len(held.context() if projection else held)
    if output is not None:
        write_output(output, data)
    if shared.json:
        emit("export/1", {"session": session, "messages": messages, "bytes": len(data), "text": _text(data, output)})
    elif output is None:
        emit_bytes(data)
    return 0


@command.command(
    "continue",
    cls=Verb,
    examples=(
        ("vademecum sessions continue nightly", "start nightly-2; its first context on stdout"),
        ("vademecum sessions continue nightly --as phase-two -o first.jsonl", "name it, and write the context there"),
        ("vademecum sessions continue nightly -o first.jsonl --json", "for a program"),
    ),
)
@click.argument("parent")
@click.option("--as", "name", metavar="ID", help="The new session's id.  [default: PARENT-2, -3, …]")
@click.option(
    "--tokens",
    metavar="N",
    type=click.IntRange(min=500),
    default=4_000,
    show_default=True,
    help="Tokens of the context.",
)
@click.option("-o", "--output", metavar="OUT", help="Write the context there instead of to stdout.")
@common
def continue_command(shared: Common, *, parent: str, name: str | None, tokens: int, output: str | None) -> int:
    """Starts a session that continues another one: searches reach that, its context begins anew.

    The first context carries the rules, what was concluded, what is still open, and where the rest is.
    """
    if shared.json and output is None:
        raise ConfigError("--json and the context would both go to stdout", hint="write the context with -o OUT")
    if output is not None:
        check_output(output)
    with shared.archive() as archive:
        held = archive.existing(parent)
        if name is not None and archive.has(name):
            raise ConfigError(f"there is a session {name!r} already", hint="name another one with --as")
        new = name or next(id for at in count(2) if not archive.has(id := f"{parent}-{at}"))
        raws = first_context(held, new, TokenCounter(count_tokens), tokens)
        envelope = Envelope.loaded(archive.envelope(parent))
        data = envelope.projected(raws)
        archive.session(new, format=held.dialect.name, source=f"continues {parent}", parent=parent)
        archive.keep_envelope(new, envelope.dumped(), f"continues {parent}")
    if output is not None:
        write_output(output, data)
    if shared.json:
        emit("continued/1", {"session": new, "parent": parent, "messages": len(raws), "bytes": len(data)})
        return 0
    if output is None:
        emit_bytes(data)
    shared.say(f"session {new} continues {parent}")
    return 0


@command.command(
    "rm",
    cls=Verb,
    examples=(
        ("vademecum sessions rm nightly", "remove a session for good, after asking"),
        ("vademecum sessions rm nightly older --yes --also copy.db", "two, without being asked, from a backup, too"),
        ("vademecum sessions rm nightly --yes --json", "for a program"),
    ),
)
@click.argument("sessions", nargs=-1, required=True)
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option(
    "--no-vacuum", is_flag=True, help="Do not write the file anew: quicker, but traces of old pages may stay in it."
)
@copies.also_option
@common
def rm_command(
    shared: Common, *, sessions: tuple[str, ...], yes: bool, no_vacuum: bool, also: tuple[str, ...]
) -> int:
    """Removes sessions for good; what others go on from stays.

    Copies of the archive are not known here: backups have them still, unless they are named with --also.
    """
    db = settings(shared.flags()).db
    with shared.archive() as archive:
        named = copies.checked(also, db)
        total = sum(len(archive.existing(id)) for id in dict.fromkeys(sessions))
        if not asked(f"remove {', '.join(sessions)} ({total:,} messages) for good?", yes=yes):
            return 1
        done = archive.remove(*sessions, vacuum=not no_vacuum)
    there, failed = copies.from_copies(named, shared.owner, lambda copy: _removed(copy, sessions))
    left = copies.untouched(db, named)
    if shared.json:
        figures = [
            {"path": str(path), "sessions": list(each.sessions), "messages": each.messages} for path, each in there
        ]
        emit("removed/1", {**asdict(done), "also": figures, "copies": left})
        copies.check_done(failed)
        return 0
    click.echo(f"{', '.join(done.sessions)}: {done.messages:,} messages erased")
    for path, each in there:
        click.echo(f"{path}: {', '.join(each.sessions) or 'none of them'}: {each.messages:,} messages erased")
    if left or not named:
        shared.say(copies.told(left))
    if not done.log_emptied:
        shared.say("a process that reads holds on to the log: run vademecum db vacuum when it has ended")
    copies.check_done(failed)
    return 0


def _removed(copy: Archive, sessions: tuple[str, ...]) -> Removed:
    """The same in a copy, which need not have all of them."""
    return copy.remove(*(id for id in sessions if copy.has(id)))


def _text(data: bytes, output: str | None) -> str | None:
    return data.decode("utf-8", "surrogatepass") if output is None else None


def _list(shared: Common) -> int:
    catalog = Catalog.of(settings(shared.flags()).catalog)
    with shared.archive() as archive:
        found = archive.sessions()
        spared = [saved(archive.existing(info.id), catalog) for info in found]
        others = [owner for owner in archive.owners() if owner != shared.owner]
    if others and not shared.json:
        shared.say(f"sessions that a proxy keeps for a key: {', '.join(f'--owner {owner}' for owner in others)}")
    if shared.json:
        rows = [{**asdict(info), **asdict(saving)} for info, saving in zip(found, spared, strict=True)]
        emit("sessions/1", {"sessions": rows})
        return 0
    if not found:
        shared.say("no sessions of your own yet: vademecum compact FILE or vademecum import FILE makes one")
        return 0
    heads = ("session", "messages", "tokens", "cycles", "saved", "$ saved", "cached", "last", "source")
    rows = [heads, *(_row(info, saving) for info, saving in zip(found, spared, strict=True))]
    if not any(saving.saved_tokens or saving.cached_ratio is not None for saving in spared):
        rows = [(*row[:4], *row[7:]) for row in rows]  # no provider has reported anything: nothing but dashes
    table(rows, right=range(1, len(rows[0]) - 2), cut="start")
    return 0


def _row(info: SessionInfo, saving: Saving) -> tuple[str, ...]:
    return (
        info.id,
        f"{info.messages:,}",
        f"{info.tokens:,}",
        str(info.cycles),
        f"{saving.saved_tokens:,}",
        usd(saving.saved_usd),
        percent(saving.cached_ratio),
        day(info.last),
        _from(info),
    )


def _from(info: SessionInfo) -> str:
    """Where a session comes from: the one that it continues, or its file."""
    return f"continues {info.parent}" if info.parent else info.source
