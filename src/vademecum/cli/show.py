"""`vademecum show`: a message with its parts and their ids."""

from __future__ import annotations

from typing import Any

import click

from vademecum.cli.output import emit
from vademecum.cli.verb import Common, Verb, common
from vademecum.core.identity import part_id, short
from vademecum.core.text import one_line


@click.command(
    cls=Verb,
    examples=(
        ("vademecum show t_k3x5mq2v7a", "a message, its parts and their ids"),
        ("vademecum show t_k3x5mq2v7a --around 3", "with three messages before and after it"),
        ("vademecum show t_k3x5mq2v7a --json", "the same for a program"),
    ),
)
@click.argument("id")
@click.option("--session", metavar="ID", help="Look in this session only.")
@click.option(
    "--around", metavar="N", type=click.IntRange(0, 200), default=0, help="Messages before and after it, too."
)
@common
def command(shared: Common, *, id: str, session: str | None, around: int) -> int:
    """Shows the message that an id names, with the ids of its parts."""
    with shared.archive() as archive:
        held, rows = archive.neighbours(id, session=session, count=around)
        messages = [(row, row.load(held.dialect)) for row in rows]
        standing = held.compaction()
    shown: list[dict[str, Any]] = [
        {
            "id": short(row.node),
            "session": held.id,
            "position": row.position,
            "role": row.role,
            "tokens": row.tokens,
            "ts": row.ts,
            "in_context": standing is None or standing.shows(row.position),
            "parts": [
                {
                    "id": part_id(row.node, number, len(message.parts)),
                    "kind": part.kind,
                    "tool": part.tool,
                    "call_id": part.call_id,
                    "is_error": part.is_error,
                    "text": part.text,
                }
                for number, part in enumerate(message.parts)
            ],
        }
        for row, message in messages
    ]
    if shared.json:
        emit("show/1", {"messages": shown} if around else shown[0])
        return 0
    for message in shown:
        where = "in the context" if message["in_context"] else "archived"
        place = f"position {message['position']}  {message['tokens']:,} tokens  {where}"
        click.secho(f"{message['id']}  {message['role']}  {place}", bold=shared.color)
        for part in message["parts"]:
            name = f" {part['tool']}" if part["tool"] else ""
            text = part["text"] if not around else one_line(part["text"], 200)
            click.echo(f"  {part['id']}  {part['kind']}{name}\n{text}\n")
    return 0
