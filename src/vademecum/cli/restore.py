"""`vademecum restore`: the exact bytes of what left."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import cast

import click

from vademecum.archive import Restored
from vademecum.cli.output import emit, emit_bytes
from vademecum.cli.policy import settings
from vademecum.cli.verb import Common, Verb, common

#: Argument names under which tools take the file that they read.
_PATHS = ("file_path", "path", "filename", "file")


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


def is_stale(found: Restored, workspace: Path | None) -> bool | None:
    """Whether the file that a result came from has changed since; None where that cannot be told.

    Only files inside the given workspace are looked at: a session must not make other files be read.
    """
    if workspace is None or found.ts is None or found.kind != "tool_result":
        return None
    try:
        given: object = json.loads(found.arguments)
    except ValueError:
        return None
    if not isinstance(given, dict):
        return None
    fields = cast("dict[str, object]", given)
    named = next((fields[key] for key in _PATHS if isinstance(fields.get(key), str)), None)
    if named is None:
        return None
    root = workspace.resolve()
    path = (root / str(named)).resolve()
    if not path.is_relative_to(root):
        return None
    try:
        return path.stat().st_mtime > found.ts
    except OSError:
        return True
