"""What arms cost, as a table for a terminal."""

from __future__ import annotations

from typing import Any

import click

from vademecum.cli.output import paragraph, table


def costs_table(card: dict[str, Any]) -> None:
    """One line for each arm: the compaction, every request after it, and whether other arms beat it."""
    price = card["price"]
    head = ("arm", "tokens", "sec", "calls", "in", "out", "$/compaction", "$/request", "$ cache break", "front")
    rows: list[tuple[str, ...]] = [head]
    for arm in card["arms"]:
        cost = arm["cost"]
        rows.append(
            (
                arm["arm"],
                f"{cost['tokens']:,}",
                "–" if cost["seconds"] is None else f"{cost['seconds']:.1f}",
                f"{cost['calls']:,}",
                f"{cost['input'] + cost['cached']:,}",
                f"{cost['output']:,}",
                f"{cost['usd_per_compaction']:.4f}",
                f"{cost['usd_per_request']:.4f}",
                f"{cost['usd_cache_break']:.4f}",
                _modes([mode for mode in ("closed", "search") if arm["arm"] in card["front"][mode]]),
            )
        )
    table(rows, right=range(1, 9))
    click.echo()
    paragraph(
        f"prices of {price['name']} in USD for a million tokens: input {price['input']:g}, output "
        f"{price['output']:g}, cached {price['cached']:g}, written to the cache {price['written']:g}; "
        "front: no arm that keeps fewer tokens recalls as much"
    )


def _modes(modes: list[str]) -> str:
    return "both" if len(modes) > 1 else "".join(modes)
