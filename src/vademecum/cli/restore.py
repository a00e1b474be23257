"""`vademecum restore`: the exact bytes of what left."""

from __future__ import annotations

import time

import click

from vademecum.archive import Restored
from vademecum.cli.output import emit, emit_bytes
from vademecum.cli.policy import chosen_budget, settings
from vademecum.cli.verb import Asked, Common, Verb, common
from vademecum.compactor.room import page_bytes
from vademecum.compactor.staleness import is_stale
from vademecum.core.text import one_line


@click.command(
    cls=Verb,
    examples=(
        ("vademecum restore t_k3x5mq2v7a", "one part, byte for byte"),
        ("vademecum restore t_k3x5mq2v7a..t_p2q7r4s6t3", "a range: one message's JSON a line"),
        ("vademecum restore t_k3x5mq2v7a.2 --pattern ERROR --limit 4000", "the lines that match, one page of them"),
    ),
)
@click.argument("id")
@click.option("--session", metavar="ID", help="Look in this session only.")
@click.option("--offset", metavar="N", type=click.IntRange(min=0), default=0, help="First byte of the page.")
@click.option("--limit", metavar="N", type=click.IntRange(min=0), help="Bytes of the page at most.")
@click.option("--pattern", metavar="RE", help="Only lines that this regular expression finds.")
@click.option("--wire", is_flag=True, help="The part's wire JSON even where it is plain text.")
@click.option("--fit", is_flag=True, help="No more than the window still has room for in the session's context.")
@click.option("--window", metavar="N", help="The model's window, for --fit; by default that of the settings.")
@common
def command(
    shared: Common,
    *,
    id: str,
    session: str | None,
    offset: int,
    limit: int | None,
    pattern: str | None,
    wire: bool,
    fit: bool,
    window: str | None,
) -> int:
    """Writes what an id names to stdout, byte for byte.

    That is its text, or its wire JSON where it is more than text. Where it comes from is told on stderr.
    """
    config = settings(shared.flags(Asked(window=window)))
    with shared.archive() as archive:
        if fit or window is not None:
            whole = archive.restore(id, session=session, pattern=pattern, wire=wire)
            _, budget = chosen_budget(config, say=shared.say)
            room = page_bytes(archive.existing(session or whole.session), budget.usable)
            limit = room if limit is None else min(limit, room)
        found = archive.restore(id, session=session, offset=offset, limit=limit, pattern=pattern, wire=wire)
    age = None if found.ts is None else max(0, round(time.time() - found.ts))
    stale = is_stale(found, config.workspace)
    if not shared.json:
        shared.say(_provenance(found, age, stale=stale))
        emit_bytes(found.data)
        return 0
    emit(
        "restore/1",
        {
            "id": found.id,
            "session": found.session,
            "kind": found.kind,
            "role": found.role,
            "tool": found.tool,
            "arguments": found.arguments,
            "age_s": age,
            "stale": stale,
            "size_bytes": found.size,
            "next_offset": found.next_offset,
            "text": found.data.decode("utf-8", "surrogatepass"),
        },
    )
    return 0


def _provenance(found: Restored, age_s: int | None, *, stale: bool | None) -> str:
    """Where a restored part comes from, on one line, and how to get the next page."""
    call = f" of {found.tool} {one_line(found.arguments, 120)}".rstrip() if found.tool else ""
    pieces = [f"{found.kind.replace('_', ' ')}{call}", f"session {found.session}"]
    if age_s is not None:
        pieces.append(f"{_age(age_s)} old")
    if stale:
        pieces.append("STALE: the file has changed since")
    if found.rest or found.offset:
        stop = found.offset + len(found.data)
        pieces.append(f"bytes {found.offset:,} to {stop:,} of {stop + found.rest:,}")
    if found.rest:
        pieces.append(f"go on with --offset {found.next_offset}")
    return f"{found.id}: {', '.join(pieces)}"


def _age(seconds: int) -> str:
    for unit, name in ((86_400, "d"), (3_600, "h"), (60, "min")):
        if seconds >= unit:
            return f"{seconds // unit:,} {name}"
    return f"{seconds} s"
