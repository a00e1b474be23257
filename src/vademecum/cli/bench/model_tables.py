"""What models answered, as tables for a terminal."""

from __future__ import annotations

from typing import Any

import click

from vademecum.cli.bench.tables import controls, percent, share
from vademecum.cli.output import paragraph, table


def models_table(card: dict[str, Any]) -> None:
    """The table of the published protocol: what a model answers of each arm's context; nothing without a model."""
    told = card["models"]
    if told is None:
        return
    rows: list[tuple[str, ...]] = [
        ("arm", "model %", "one search %", "tokens", "sec", "asked", "no answer", "permuted")
    ]
    for arm in card["arms"]:
        closed, search = _figures(arm, "closed"), _figures(arm, "search")
        if closed is None:
            continue
        both = [cell for cell in (closed, search) if cell is not None]
        rows.append(
            (
                arm["arm"],
                _recall(closed),
                _recall(search),
                f"{arm['tokens']:,}",
                "–" if arm["seconds"] is None else f"{arm['seconds']:.1f}",
                f"{sum(cell['asked'] for cell in both):,}",
                percent(closed["abstention"]["value"] if closed["abstention"]["asked"] else None),
                percent(max(cell["permuted"]["value"] for cell in both)),
            )
        )
    if len(rows) > 1:
        click.echo()
        table(rows, right=(3, 4, 5, 6, 7))
        click.echo()
        controls(card, "model", _asked)
        for what, key in (("unread judgements, counted for nothing", "parse_failures"), ("pending", "pending")):
            _lacking(card, what, key)
    else:
        click.echo()
    for name, about in told["questions"].items():
        paragraph(f"{name}: {_questions(about)}")
    cells = [
        arm[mode]["model"] for arm in card["arms"] for mode in ("closed", "search") if "model" in arm.get(mode, {})
    ]
    if most := max((cell["needed"] for cell in cells if cell["asked"]), default=0):
        click.echo(f"an interval of ± 5 points takes up to {most:,} independent questions")
    who = "; ".join(f"{role}: {', '.join(names)}" for role, names in told["models"].items())
    paragraph(f"{told['replicates']} replicates{f'; {who}' if who else ''}")


def model_breakdown(found: dict[str, Any]) -> None:
    """What a model answers of one arm's context, by lineage, kind, place and position."""
    rows = [("", "", "asked", "model %")]
    for view in ("lineages", "shapes", "where", "about", "third"):
        rows += [(view, name, f"{cell['asked']:,}", share(cell)) for name, cell in found[view].items()]
    if len(found["replicates"]) > 1:
        rows += [("replicates", str(at), "", f"{100 * value:.1f}") for at, value in enumerate(found["replicates"], 1)]
    rows.append(("permuted golds", "", f"{found['permuted']['asked']:,}", share(found["permuted"])))
    table(rows, right=(2,))


def _figures(arm: dict[str, Any], mode: str) -> dict[str, Any] | None:
    """What a model made of an arm in a mode."""
    return arm.get(mode, {}).get("model")


def _asked(arm: dict[str, Any], mode: str) -> dict[str, Any] | None:
    cell = _figures(arm, mode)
    return cell if cell is not None and cell["asked"] else None


def _lacking(card: dict[str, Any], what: str, key: str) -> None:
    """Says of which arms something is not there; nothing where all is."""
    counts = {
        arm["arm"]: sum(cell[key] for mode in ("closed", "search") if (cell := _figures(arm, mode)))
        for arm in card["arms"]
    }
    if any(counts.values()):
        paragraph(f"{what}: {', '.join(f'{arm} {count:,}' for arm, count in counts.items() if count)}")


def _recall(cell: dict[str, Any] | None) -> str:
    return share(cell["overall"]) if cell is not None and cell["asked"] else "–"


def _questions(about: dict[str, Any] | None) -> str:
    if about is None:
        return "its fact questions are not written yet"
    refused = "".join(f", {count} {why.replace('_', ' ')}" for why, count in about["rejects"].items())
    return f"{about['asked']} fact questions of {about['written']} written{refused}, {about['unreadable']} unreadable"
