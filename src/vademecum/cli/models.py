"""`vademecum models`: windows, output limits and prices of models."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import click

from vademecum.cli.output import emit, table
from vademecum.cli.policy import settings
from vademecum.cli.verb import Common, Verb, Verbs, common
from vademecum.models.catalog import Catalog, snapshot
from vademecum.models.known import Known

#: Models that a person is shown at once.
_MOST = 40


@click.group(
    cls=Verbs,
    examples=(
        ("vademecum models list sonnet", "the models that are called so"),
        ("vademecum models show anthropic:claude-sonnet-4-5", "one of them"),
        ("vademecum models list --provider openai --json", "for a program"),
    ),
)
@common
def command(shared: Common) -> None:  # the verbs below have it all
    """Looks up windows, output limits and prices of models."""


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
    catalog = Catalog.of(settings(shared.flags()).catalog)
    found = catalog.models(text, provider)
    if shared.json:
        emit("models/1", {**_snapshot(), "models": [_fields(known) for known in found]})
        return 0 if found else 1
    if not found:
        shared.say("no model is called so")
        return 1
    rows = [("model", "window", "output", "$ in", "$ out", "$ cached")]
    table([*rows, *(_row(known) for known in found[:_MOST])], right=(1, 2, 3, 4, 5))
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
        ("vademecum models show gpt-4.1", "where many serve it: as its maker has it"),
        ("vademecum models show gpt-4.1 --json", "for a program"),
    ),
)
@click.argument("name", metavar="[P:]M")
@common
def show_command(shared: Common, *, name: str) -> int:
    """Shows one model. Exit code 1 when it is not known."""
    catalog = Catalog.of(settings(shared.flags()).catalog)
    known = catalog.find(name)
    if shared.json:
        fields = None if known is None else _fields(known)
        near = [] if known is not None else catalog.near(name)
        emit("model/1", {**_snapshot(), "model": fields, "near": near})
        return 0 if known is not None else 1
    if known is None:
        near = catalog.near(name)
        shared.say(f"{name} is not known" + (f"; did you mean {' or '.join(near)}?" if near else ""))
        return 1
    rows = [
        ("model", known.name),
        ("window", _count(known.window)),
        ("output", _count(known.max_output)),
        ("reads", _price(known.input_usd)),
        ("writes", _price(known.output_usd)),
        ("from cache", _price(known.cache_read_usd)),
        ("into cache", _price(known.cache_write_usd)),
        ("source", known.source if known.source != "catalog" else _snapshot()["catalog"]),
    ]
    table(rows)
    shared.say("prices in USD for a million tokens")
    return 0


def _snapshot() -> dict[str, Any]:
    name, newest = snapshot()
    return {"catalog": name, "newest": newest}


def _fields(known: Known) -> dict[str, Any]:
    return {"name": known.name, **asdict(known)}


def _row(known: Known) -> tuple[str, ...]:
    prices = (known.input_usd, known.output_usd, known.cache_read_usd)
    return (known.name, _count(known.window), _count(known.max_output), *(_price(price) for price in prices))


def _count(value: int | None) -> str:
    return "-" if value is None else f"{value:,}"


def _price(value: float | None) -> str:
    return "-" if value is None else f"{value:g}"
