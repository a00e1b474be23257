"""`vademecum restore`: the exact bytes of what left."""

from __future__ import annotations

import time

import click

from vademecum.cli.output import emit, emit_bytes
from vademecum.cli.policy import settings
from vademecum.cli.verb import Common, Verb, common
from vademecum.compactor.staleness import is_stale


@click.command(
    cls=Verb,
    examples=(
        ("vademecum restore t_k3x9mq2v7a", "one part, byte for byte"),
        ("vademecum restore t_k3x9mq2v7a..t_p2q7r4s6t3", "a range: one message's JSON a line"),
        ("vademecum restore t_k3x9mq2v7a.2 --pattern ERROR --limit 4000", "the lines that match, one page of them"),
    ),
)
@click.argument("id")
@click.option("--session", metavar="ID", help="Look in this session only.")
@click.option("--offset", metavar="N", type=click.IntRange(min=0), default=0, help="First byte of the page.")
@click.option("--limit", metavar="N", type=click.IntRange(min=0), help="Bytes of the page at most.")
@click.option("--pattern", metavar="RE", help="Only lines that this regular expression finds.")
@click.option("--wire", is_flag=True, help="The part's wire JSON even where it is plain text.")
@common
def command(
    shared: Common, *, id: str, session: str | None, offset: int, limit: int | None, pattern: str | None, wire: bool
) -> int:
    """Writes what an id names to stdout, byte for byte.

    That is its text, or its wire JSON where it is more than text.
    """
    with shared.archive() as archive:
        found = archive.restore(id, session=session, offset=offset, limit=limit, pattern=pattern, wire=wire)
    workspace = settings(shared.flags()).workspace
    if not shared.json:
        emit_bytes(found.data)
        return 0
    now = time.time()
    emit(
        "restore/1",
        {
            "id": found.id,
            "session": found.session,
            "kind": found.kind,
            "role": found.role,
            "tool": found.tool,
            "arguments": found.arguments,
            "age_s": None if found.ts is None else max(0, round(now - found.ts)),
            "stale": is_stale(found, workspace),
            "size_bytes": found.size,
            "text": found.data.decode("utf-8", "surrogatepass"),
        },
    )
    return 0
