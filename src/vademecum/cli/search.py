"""`vademecum search`: find what left the context."""

from __future__ import annotations

import time
from dataclasses import asdict

import click

from vademecum.cli.output import emit
from vademecum.cli.verb import Common, Verb, common
from vademecum.sessions.times import moment

ROLES = ("system", "user", "assistant", "tool")


@click.command(
    cls=Verb,
    examples=(
        ("vademecum search 'port 5433'", "in every session"),
        ("vademecum search 'E0277 trait bound' --session nightly --limit 3", "in one session's whole lineage"),
        ("vademecum search timeout --tool Bash --since 2d --json", "what a tool said in the last two days"),
    ),
)
@click.argument("query", nargs=-1, required=True)
@click.option("--session", metavar="ID", help="This session and those it continues.")
@click.option("--role", metavar="R", type=click.Choice(ROLES), help="system, user, assistant or tool.")
@click.option("--tool", metavar="T", help="Calls and results of this tool.")
@click.option("--since", metavar="T", help="A date (2026-11-30), a time, or an age (90m, 2d).")
@click.option(
    "--limit", metavar="K", type=click.IntRange(1, 100), default=10, show_default=True, help="Hits at most."
)
@click.option(
    "--max-chars", metavar="N", type=click.IntRange(80, 20_000), default=1_200, show_default=True,
    help="Characters of each hit.",
)  # fmt: skip
@common
def command(
    shared: Common,
    *,
    query: tuple[str, ...],
    session: str | None,
    role: str | None,
    tool: str | None,
    since: str | None,
    limit: int,
    max_chars: int,
) -> int:
    """Searches the archive for words and names. Exit code 1 when nothing was found."""
    with shared.archive() as archive:
        hits = archive.search(
            " ".join(query),
            session=session,
            role=role,
            tool=tool,
            since=None if since is None else moment(since, time.time(), "--since"),
            limit=limit,
            max_chars=max_chars,
        )
    if shared.json:
        emit("search/1", {"hits": [asdict(hit) for hit in hits]})
        return 0 if hits else 1
    for hit in hits:
        where = "in the context" if hit.in_context else "archived"
        tool_name = f" {hit.tool}" if hit.tool else ""
        click.secho(f"{hit.id}  {hit.session}  {hit.role}{tool_name}  {where}", bold=shared.color)
        click.echo(f"{hit.text}\n")
    if not hits:
        shared.say("nothing found")
    return 0 if hits else 1
