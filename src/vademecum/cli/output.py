"""Writing results: JSON objects with a schema, plain tables, and one line per receipt."""

from __future__ import annotations

import json
import sys
import textwrap
from collections.abc import Sequence
from typing import Any, Literal

import click

from vademecum.core.receipt import Receipt


def emit(schema: str, data: dict[str, Any]) -> None:
    """One JSON object on stdout; `schema` is the name without its prefix, such as `budget/1`."""
    click.echo(json.dumps({"schema": f"vademecum.{schema}", **data}, ensure_ascii=True))


def emit_bytes(data: bytes) -> None:
    """Exact bytes on stdout."""
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


#: Columns of a line on a terminal; ids, names of models and paths that stand first are never cut for it.
WIDTH = 100
_LEAST = 12


def paragraph(text: str) -> None:
    """Text on stdout, broken into lines of at most `WIDTH` columns."""
    click.echo(textwrap.fill(text, WIDTH, break_long_words=False, break_on_hyphens=False))


def table(rows: Sequence[Sequence[str]], right: Sequence[int] = (), *, cut: Literal["", "start", "end"] = "") -> None:
    """Columns on stdout, as wide as they need to be.

    Args:
        rows: The cells.
        right: Columns that are set to the right.
        cut: Which end of the last column gives way where the line would be wider than `WIDTH`.
    """
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))] if rows else []
    if cut and rows:
        room = max(WIDTH - sum(widths[:-1]) - 2 * (len(widths) - 1), _LEAST)
        rows = [(*row[:-1], _cut(row[-1], room, cut)) for row in rows]
        widths[-1] = min(widths[-1], room)
    for row in rows:
        cells = [
            cell.rjust(widths[column]) if column in right else cell.ljust(widths[column])
            for column, cell in enumerate(row)
        ]
        click.echo("  ".join(cells).rstrip())


def _cut(text: str, room: int, end: str) -> str:
    if len(text) <= room:
        return text
    return f"…{text[1 - room :]}" if end == "start" else f"{text[: room - 1]}…"


def tokens(count: int, origin: str = "counted") -> str:
    """A token figure; `~` stands before an estimate."""
    return f"{'~' if origin == 'estimated' else ''}{count:,}"


_NOTES = {
    "crowded": " (another round will not fit below the trigger)",
    "above_trigger": " (still above the trigger)",
}


def receipt_line(receipt: Receipt) -> str:
    """What happened, on one line: numbers before → after."""
    before, after = tokens(receipt.tokens_before, receipt.origin), tokens(receipt.tokens_after, receipt.origin)
    name = f"{receipt.session} cycle {receipt.cycle}"
    match receipt.outcome:
        case "compacted" | "crowded" | "above_trigger":
            tier = next((tier.name for tier in reversed(receipt.tiers) if tier.outcome in ("fits", "helped")), "")
            total = sum(receipt.timing.values())
            share = 100 * (1 - receipt.tokens_after / receipt.tokens_before) if receipt.tokens_before else 0
            note = _NOTES.get(receipt.outcome, "")
            return (
                f"{name}: {before} → {after} tokens (−{share:.0f} %){note} by {tier}, "
                f"{len(receipt.removed):,} parts archived, {total} ms"
            )
        case "nothing_needed":
            why = f" ({receipt.failure})" if receipt.failure else ""
            return f"{name}: {before} tokens, the trigger is {receipt.trigger_tokens:,}: nothing to do{why}"
        case "nothing_compactable" if receipt.failure:
            return f"{name}: nothing can be compacted: {receipt.failure}"
        case "nothing_compactable":
            return (
                f"{name}: nothing can be compacted: {receipt.overhead_tokens:,} tokens are overhead and the rest is "
                f"the newest round; the trigger is {receipt.trigger_tokens:,}"
            )
        case _:
            return f"{name}: {before} tokens, unchanged: {receipt.outcome} {receipt.failure}".rstrip()
