"""Scorecards as tables for a terminal."""

from __future__ import annotations

from typing import Any

import click

from vademecum.cli.output import paragraph, table


def share(cell: dict[str, float] | None) -> str:
    """A recall with its interval, in percent."""
    if cell is None:
        return "–"
    return f"{100 * cell['value']:.1f} [{100 * cell['low']:.0f}–{100 * cell['high']:.0f}]"


def percent(value: float | None) -> str:
    """A share in percent; a dash where there is none."""
    return "–" if value is None else f"{100 * value:.0f} %"


def arms_table(card: dict[str, Any]) -> None:
    """One line for each arm: tokens kept, recall closed book and with one search, and what it is of the ceiling."""
    head = ("arm", "tokens", "reader %", "of full", "search %", "of full", "present %", "stale", "invented")
    rows: list[tuple[str, ...]] = [head]
    for arm in card["arms"]:
        closed, search = arm["closed"], arm.get("search")
        rows.append(
            (
                arm["arm"],
                f"{arm['tokens']:,}",
                share(closed["overall"]),
                percent(closed.get("relative")),
                share(search["overall"] if search else None),
                percent(search.get("relative") if search else None),
                f"{100 * closed['present']['value']:.0f}",
                str(closed["kinds"].get("latest", {}).get("stale", 0)),
                str(arm["invented"]),
            )
        )
    table(rows, right=(1, 3, 5, 6, 7, 8))
    counted = ", ".join(f"{name}: {sum(kinds.values()):,} probes" for name, kinds in card["probes"].items())
    click.echo()
    paragraph(f"{counted}; 95 % intervals, drawn by messages")
    paragraph(
        "reader: right answers from what was kept; of full: by those from the uncompacted context; search: with one "
        "search of the archive; present: the answer stands in what was kept; stale and invented: answers, 0 is best"
    )
    _summaries(card)
    _untouched(card)


def _summaries(card: dict[str, Any]) -> None:
    """Says whose summaries some arms have, and how far chance moves them."""
    told = card["summaries"]
    if told is None:
        return
    arms = [arm for arm in card["arms"] if arm["model"]]
    lost = "".join(f", {count:,} {why}" for why, count in told["faults"].items())
    names = f": {', '.join(arm['arm'] for arm in arms)}" if arms else ""
    paragraph(f"summaries by {told['model']} (window {told['window']:,}; {told['calls']:,} calls{lost}){names}")
    for arm in arms:
        if several := arm["closed"]["replicates"]:
            paragraph(f"{arm['arm']}, closed book, replicates: {', '.join(f'{100 * one:.1f}' for one in several)}")


def _untouched(card: dict[str, Any]) -> None:
    """Names the arms that had nothing to do, whose figures are those of the uncompacted context."""
    idle = [
        arm["arm"]
        for arm in card["arms"]
        if any(details.get("outcome") == "nothing_needed" for details in arm["details"].values())
    ]
    if idle:
        paragraph(
            f"Below the trigger, so left as it was by {', '.join(idle)}: a longer session or a smaller --window "
            "shows what they do."
        )
