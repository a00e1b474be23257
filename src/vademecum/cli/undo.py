"""`vademecum undo`: takes the newest compaction of a session back."""

from __future__ import annotations

import click

from vademecum.cli.output import emit
from vademecum.cli.verb import Common, Verb, common
from vademecum.core.tokens import TokenCounter
from vademecum.models.tokenizer import count_tokens


@click.command(
    cls=Verb,
    examples=(
        ("vademecum undo nightly", "the context is what it was before its newest compaction"),
        ("vademecum undo nightly --view window-32000", "of the view that a smaller window has"),
        ("vademecum undo nightly --json", "for a program"),
    ),
)
@click.argument("session")
@click.option(
    "--view", metavar="NAME", default="main", show_default=True, help="main, or window-N of a smaller window."
)
@common
def command(shared: Common, *, session: str, view: str) -> int:
    """Takes the newest compaction of a session back.

    Nothing was lost, so nothing has to be found again.

    It is not made again until the context has grown by a quarter, no longer fits the window, or somebody
    asks for a compaction. What was wrong with it can be mended meanwhile: pin what it lost.
    """
    with shared.archive() as archive:
        held = archive.existing(session)
        standing = held.compaction(view)
        counter = TokenCounter(count_tokens)
        before = sum(counter.messages(held.projection(view)))
        cycle = held.undo(view)
        after = sum(counter.messages(held.projection(view)))
    undone = None if standing is None else standing.cycle
    if shared.json:
        fields = {"session": session, "view": view, "undone_cycle": undone, "cycle": max(0, cycle)}
        emit("undo/1", {**fields, "tokens_before": before, "tokens_after": after})
    elif undone is None:
        shared.say(f"{session}: there is no compaction to take back")
    else:
        stands = f"cycle {cycle} stands" if cycle else "the whole transcript stands"
        click.echo(f"{session}: cycle {undone} taken back: {before:,} → {after:,} tokens, {stands}")
    return 1 if undone is None else 0
