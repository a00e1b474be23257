"""`vademecum diff`: what a compaction changed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from vademecum.cli.output import emit, paragraph, table
from vademecum.cli.verb import Common, Verb, common
from vademecum.compactor.difference import Change, Difference, difference
from vademecum.core.tokens import TokenCounter
from vademecum.models.tokenizer import count_tokens


@click.command(
    cls=Verb,
    examples=(
        ("vademecum diff nightly", "the newest compaction: before → after, message by message"),
        ("vademecum diff nightly --cycle 2", "an earlier one"),
        ("vademecum diff nightly --json", "for a program, with every part that was shortened"),
    ),
)
@click.argument("session")
@click.option("--cycle", metavar="N", type=click.IntRange(1), help="Which compaction.  [default: the newest]")
@click.option("--view", metavar="NAME", default="main", show_default=True, help="main, or window-N.")
@common
def command(shared: Common, *, session: str, cycle: int | None, view: str) -> int:
    """Shows what a compaction changed: what was kept, shortened, folded, carried."""
    with shared.archive() as archive:
        found = difference(archive.existing(session), TokenCounter(count_tokens), cycle=cycle, view=view)
    if shared.json:
        emit("diff/1", _data(session, view, found))
    else:
        _show(session, found)
    return 0


def _data(session: str, view: str, found: Difference) -> dict[str, Any]:
    receipt = found.receipt
    return {
        "session": session,
        "view": view,
        "cycle": found.compaction.cycle,
        "cause": receipt["cause"],
        "outcome": receipt["outcome"],
        "tokens_before": receipt["tokens_before"],
        "tokens_after": receipt["tokens_after"],
        "ranges": [
            {
                "first": run[0].id,
                "last": run[-1].id,
                "messages": len(run),
                "before": run[0].before,
                "after": run[0].after,
                "tokens_before": sum(change.tokens for change in run),
                "tokens_after": sum(change.tokens_after for change in run),
                "parts": [
                    {"id": id, "after": state, "chars_before": before, "chars_after": after}
                    for change in run
                    for id, state, before, after in change.parts
                ],
            }
            for run in found.stretches()
        ],
        "carry": {"tokens": found.carry_tokens, "sections": receipt["sections"], "text": found.carry},
    }


def _show(session: str, found: Difference) -> None:
    receipt = found.receipt
    before, after = receipt["tokens_before"], receipt["tokens_after"]
    click.echo(f"{session} cycle {found.compaction.cycle} ({receipt['cause']}): {before:,} → {after:,} tokens")
    table(
        [("messages", "", "tokens", "now", "before → after"), *map(_row, found.stretches())],
        right=(2, 3),
    )
    sections = ", ".join(f"{name} {size:,}" for name, size in receipt["sections"].items())
    paragraph(f"carry: {found.carry_tokens:,} tokens ({sections})")


def _row(run: Sequence[Change]) -> tuple[str, ...]:
    first, last = run[0], run[-1]
    named = first.id if len(run) == 1 else f"{first.id}..{last.id}"
    who = first.role if len(run) == 1 else f"{len(run):,}"
    size, left = sum(change.tokens for change in run), sum(change.tokens_after for change in run)
    return named, who, f"{size:,}", f"{left:,}", f"{first.before} → {first.after}"
