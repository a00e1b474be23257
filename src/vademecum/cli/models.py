"""`vademecum models`: windows, output limits and prices of models."""

from __future__ import annotations

from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

import click

from vademecum.archive import Archive
from vademecum.cli import models_probe
from vademecum.cli.explain_error import explain_command
from vademecum.cli.output import emit, table
from vademecum.cli.policy import settings
from vademecum.cli.verb import Common, Verb, Verbs, common
from vademecum.cli.window_sources import fields_of, sources_of, trigger_of
from vademecum.config import Settings
from vademecum.core.budget import Window
from vademecum.core.windows import Sources, Told
from vademecum.errors import ArchiveError
from vademecum.models.catalog import Catalog, snapshot
from vademecum.models.known import Known
from vademecum.models.named import key_of

#: Models that a person is shown at once.
_MOST = 40


@click.group(
    cls=Verbs,
    examples=(
        ("vademecum models list sonnet", "the models that are called so"),
        ("vademecum models show anthropic:claude-sonnet-4-5", "one of them, and which window counts"),
        ("vademecum models probe --url http://127.0.0.1:8080", "ask a server"),
    ),
)
@common
def command(shared: Common) -> None:  # the verbs below have it all
    """Looks up windows, output limits and prices of models, asks servers for them, and explains errors."""


command.add_command(models_probe.command)
command.add_command(explain_command)


@command.command(
    "list",
    cls=Verb,
    examples=(
        ("vademecum models list sonnet", "the models that are called so, of every provider"),
        ("vademecum models list --provider openai", "one provider's"),
        ("vademecum models list --json", "all of them, for a program"),
    ),
)
@click.argument("text", required=False, default="")
@click.option("--provider", metavar="P", default="", help="Only what this provider serves.")
@common
def list_command(shared: Common, *, text: str, provider: str) -> int:
    """Lists the models that are known. Exit code 1 when there is none."""
    config = settings(shared.flags())
    catalog = Catalog.of(config.catalog)
    found = catalog.models(text, provider)
    kept = [] if provider else [name for name in _kept(config) if text.casefold() in name.casefold()]
    if shared.json:
        served = [{"name": name, **fields_of(sources_of(config, name), config)} for name in kept]
        emit("models/1", {**_snapshot(), "models": [_fields(known, config) for known in found], "served": served})
        return 0 if found or kept else 1
    if not found and not kept:
        shared.say("no model is called so")
        return 1
    for name in kept:
        window = sources_of(config, name).window
        click.echo(f"{name}  {window.tokens:,} ({window.origin})  trigger {trigger_of(config, window):,}")
    rows = [("model", "window", "trigger", "output", "$ in", "$ out", "$ cached", "from")]
    table([*rows, *(_row(known, config) for known in found[:_MOST])] if found else [], right=(1, 2, 3, 4, 5, 6))
    made = _snapshot()
    if len(found) > _MOST:
        shared.say(f"{len(found) - _MOST:,} more; say what they are called, or --json")
    shared.say(f"prices in USD for a million tokens; {made['catalog']}, the newest model of {made['newest']}")
    return 0


@command.command(
    "show",
    cls=Verb,
    examples=(
        ("vademecum models show anthropic:claude-sonnet-4-5", "one model, as its provider has it"),
        (
            "vademecum models show http://127.0.0.1:8080#qwen3",
            "one of a server that was asked",
        ),
        ("vademecum models show gpt-4.1 --json", "for a program"),
    ),
)
@click.argument("name", metavar="[P:]M")
@common
def show_command(shared: Common, *, name: str) -> int:
    """Shows one model: its window, output limit and prices, the trigger, and where each comes from.

    Exit code 1 when it is not known.
    """
    config = settings(shared.flags())
    catalog = Catalog.of(config.catalog)
    known, found = catalog.find(name), sources_of(config, name, user=config.window)
    there = known is not None or found.probed is not None or found.learned is not None
    near = [] if there else catalog.near(name)
    if shared.json:
        fields = None if known is None else _fields(known, config)
        emit("model/1", {**_snapshot(), "model": fields, "near": near, **fields_of(found, config)})
        return 0 if there else 1
    if not there:
        shared.say(f"{name} is not known" + (f"; did you mean {' or '.join(near)}?" if near else ""))
        return 1
    table(_shown(known.name if known is not None else key_of(name, catalog).model, known, found, config))
    shared.say("prices in USD for a million tokens")
    return 0


def _shown(name: str, known: Known | None, found: Sources, config: Settings) -> list[tuple[str, str]]:
    window, most = found.window, found.max_output
    rows = [
        ("model", name),
        ("window", f"{window.tokens:,} ({window.origin})"),
        ("trigger", f"{trigger_of(config, window):,} (preset {config.preset})"),
        ("output", "-" if most is None else f"{most:,} ({found.max_output_origin})"),
    ]
    if known is not None:
        rows += [
            ("reads", f"{_price(known.input_usd)} (catalog)"),
            ("writes", f"{_price(known.output_usd)} (catalog)"),
            ("from cache", f"{_price(known.cache_read_usd)} (catalog)"),
            ("into cache", f"{_price(known.cache_write_usd)} (catalog)"),
        ]
    rows += [("learned", _said(found.learned))] if found.learned is not None else []
    rows += [("probed", _said(found.probed))] if found.probed is not None else []
    if known is not None:
        source = known.source if known.source != "catalog" else _snapshot()["catalog"]
        rows.append(("catalog", f"{_count(known.window)} by {source}"))
    return rows


def _said(told: Told) -> str:
    when = datetime.fromtimestamp(told.at, tz=UTC).strftime("%Y-%m-%d %H:%M")
    size = "nothing of the window" if told.window is None else f"{told.window:,}"
    return f"{'at most ' if told.standing == 'bound' else ''}{size} by {told.source}, {when} UTC"


def _kept(config: Settings) -> list[str]:
    """Models of which servers or errors have said something, as `URL#model`, or the model alone."""
    if not config.db.exists():
        return []
    try:
        with Archive.open(config.db) as archive:
            return [
                f"{held.endpoint}#{held.model}" if held.endpoint else held.model for held in archive.windows.all()
            ]
    except ArchiveError:
        return []


def _snapshot() -> dict[str, Any]:
    name, newest = snapshot()
    return {"catalog": name, "newest": newest}


def _fields(known: Known, config: Settings) -> dict[str, Any]:
    trigger = None if known.window is None else trigger_of(config, Window(known.window, "catalog"))
    return {"name": known.name, **asdict(known), "trigger_tokens": trigger}


def _row(known: Known, config: Settings) -> tuple[str, ...]:
    prices = (known.input_usd, known.output_usd, known.cache_read_usd)
    trigger = None if known.window is None else trigger_of(config, Window(known.window, "catalog"))
    sizes = (_count(known.window), _count(trigger), _count(known.max_output))
    return (known.name, *sizes, *(_price(price) for price in prices), known.source)


def _count(value: int | None) -> str:
    return "-" if value is None else f"{value:,}"


def _price(value: float | None) -> str:
    return "-" if value is None else f"{value:g}"
