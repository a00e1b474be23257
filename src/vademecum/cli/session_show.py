"""`vademecum sessions show`: one session, with what it has saved and spent."""

from __future__ import annotations

from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

import click

from vademecum.cli.output import emit, table
from vademecum.cli.policy import settings
from vademecum.cli.saving import cost_usd, saved
from vademecum.cli.verb import Common, Verb, common
from vademecum.models.catalog import Catalog


@click.command(
    "show",
    cls=Verb,
    examples=(
        ("vademecum sessions show nightly", "what it has saved, and what its calls have cost"),
        ("vademecum sessions show nightly --json", "for a program"),
        ("vademecum sessions show nightly --db old.db", "of another archive"),
    ),
)
@click.argument("session")
@common
def show_command(shared: Common, *, session: str) -> int:
    """Shows one session: its size, what its compactions have saved, what its calls have cost."""
    catalog = Catalog.of(settings(shared.flags()).catalog)
    with shared.archive() as archive:
        held = archive.existing(session)
        info = next(found for found in archive.sessions(contains=session) if found.id == session)
        saving, calls, usage = saved(held, catalog), held.savings().calls, held.usage()
    fields: dict[str, Any] = {
        **asdict(info),
        **asdict(saving),
        "compacted_calls": calls,
        "usage": [{**asdict(used), "cost_usd": cost_usd(used, catalog)} for used in usage],
    }
    if shared.json:
        emit("session/1", fields)
        return 0
    _show(fields)
    return 0


def _show(fields: dict[str, Any]) -> None:
    rows = [
        ("session", fields["id"]),
        ("source", fields["source"] or "-"),
        ("format", fields["format"]),
        ("messages", f"{fields['messages']:,}"),
        ("tokens", f"{fields['tokens']:,}"),
        ("cycles", str(fields["cycles"])),
        ("last", day(fields["last"])),
        ("saved", f"{fields['saved_tokens']:,} input tokens in {fields['compacted_calls']:,} calls"),
        ("worth", usd(fields["saved_usd"])),
        ("spent", usd(fields["spent_usd"])),
        ("cached", f"{percent(fields['cached_ratio'])} of the input"),
    ]
    table(rows)
    if fields["usage"]:
        heads = ("model", "for", "calls", "input", "cached", "written", "output", "reasoning", "cost")
        counts = ("calls", "prompt_tokens", "cached_tokens", "written_tokens", "output_tokens", "reasoning_tokens")
        told = [
            (used["model"] or "-", used["kind"], *(f"{used[count]:,}" for count in counts), usd(used["cost_usd"]))
            for used in fields["usage"]
        ]
        click.echo()
        table([heads, *told], right=range(2, 9))


def usd(value: float | None) -> str:
    """A sum of money; `-` where it is not known."""
    return "-" if value is None else f"${value:,.4f}" if 0 < value < 0.01 else f"${value:,.2f}"


def percent(ratio: float | None) -> str:
    """A share; `-` where it is not known."""
    return "-" if ratio is None else f"{100 * ratio:.0f} %"


def day(moment: float | None) -> str:
    """A time, to the minute; empty where there is none."""
    return "" if moment is None else datetime.fromtimestamp(moment, UTC).strftime("%Y-%m-%d %H:%M")
