"""Scorecards as tables for a terminal."""

from __future__ import annotations

from collections.abc import Callable
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
    head = ("arm", "tokens", "reader %", "full", "search %", "full", "present", "stale", "inv.")
    rows: list[tuple[str, ...]] = [head]
    for arm in card["arms"]:
        closed, search = arm["closed"], arm.get("search")
        rows.append(
            (
                arm["arm"],
                f"{arm['tokens']:,}",
                share(closed["overall"]),
                _bare(closed.get("relative")),
                share(search["overall"] if search else None),
                _bare(search.get("relative") if search else None),
                _bare(closed["present"]["value"]),
                str(closed["kinds"].get("latest", {}).get("stale", 0)),
                str(arm["invented"]),
            )
        )
    table(rows, right=(1, 3, 5, 6, 7, 8))
    click.echo()
    controls(card, "reader", lambda arm, mode: arm.get(mode))
    counted = ", ".join(f"{name}: {sum(kinds.values()):,} probes" for name, kinds in card["probes"].items())
    most = max(
        (arm[mode]["needed"] for arm in card["arms"] for mode in ("closed", "search") if mode in arm), default=0
    )
    paragraph(f"{counted}; 95 % intervals, drawn by messages; ± 5 points take up to {most:,} independent questions")
    paragraph(
        "reader: right answers from what was kept; full: % of those from the uncompacted context; search: with one "
        "search of the archive; present: % of answers that stand in what was kept; stale and inv. (invented): "
        "answers, 0 is best"
    )
    _summaries(card)
    _untouched(card)


def controls(card: dict[str, Any], answerer: str, of: Callable[[dict[str, Any], str], Any]) -> None:
    """The line of controls under a table: no context, search only, permuted golds (B-5).

    Args:
        card: The scorecard.
        answerer: Whose figures they are.
        of: The answerer's figures of an arm in a mode; None where there are none.
    """
    nothing = next((arm for arm in card["arms"] if arm["arm"] == "nothing"), None)
    cells = [of(nothing, mode) if nothing is not None else None for mode in ("closed", "search")]
    told = [
        f"{name} {share(cell['overall']) if cell else '– (arm nothing was not run)'}"
        for name, cell in zip(("no context", "search only"), cells, strict=True)
    ]
    permuted = [
        (cell["permuted"]["value"], arm["arm"])
        for arm in card["arms"]
        for mode in ("closed", "search")
        if (cell := of(arm, mode))
    ]
    if permuted:
        most, arm = max(permuted, key=lambda pair: pair[0])
        told.append(f"permuted golds at most {100 * most:.1f}{f' ({arm})' if most else ''}")
    paragraph(f"controls, {answerer} %: {'; '.join(told)}")


def _bare(value: float | None) -> str:
    """A share in percent under a heading that says so."""
    return "–" if value is None else f"{100 * value:.0f}"


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
