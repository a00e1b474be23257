"""`vademecum context`: what fills the context, by category."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from vademecum.cli.logs import read_log
from vademecum.cli.output import emit, table, tokens
from vademecum.cli.policy import DEFAULT_WINDOW, chosen_budget, settings
from vademecum.cli.verb import Asked, Common, Verb, budget_options, common
from vademecum.cli.window_sources import sources_of
from vademecum.compactor import outside_tokens
from vademecum.compactor.calibrations import assumed
from vademecum.compactor.filling import Context, filling, stored_context
from vademecum.compactor.memory import running_of
from vademecum.config import Settings
from vademecum.core.budget import Window
from vademecum.core.tokens import TokenCounter
from vademecum.errors import ConfigError, SessionNotFound
from vademecum.models.tokenizer import count_tokens


@click.command(
    cls=Verb,
    examples=(
        ("vademecum context nightly --window 200K", "a session of the archive"),
        ("vademecum context chat.jsonl --window 200K", "a file, before it is compacted"),
        ("vademecum context --json", "the session that was used last, for a program"),
    ),
)
@click.argument("what", required=False, metavar="[SESSION|FILE|-]")
@budget_options
@common
def command(
    shared: Common,
    *,
    what: str | None,
    asked: Asked,
) -> int:
    """Shows what fills a context, and how far the trigger is."""
    config = settings(shared.flags(asked))
    counter = TokenCounter(count_tokens)
    found, (runs, window) = _found(shared, what, counter, config.model or "")
    _, budget = chosen_budget(config, default=window, say=shared.say)
    fields = filling(found, budget, counter).as_dict()
    name = config.model or (runs if config.window is None else "")
    fields["model"] = _model(config, name) if name else None
    if shared.json:
        emit("context/1", fields)
        return 0
    _show(fields)
    return 0


def _model(config: Settings, name: str) -> dict[str, Any]:
    """What the model writes at most and what it costs, with where that is from."""
    from vademecum.models.catalog import Catalog

    found, known = sources_of(config, name), Catalog.of(config.catalog).find(name)
    most = found.max_output
    return {
        "name": name,
        "max_output": None if most is None else {"tokens": most, "origin": found.max_output_origin},
        "input_usd": None if known is None else known.input_usd,
        "output_usd": None if known is None else known.output_usd,
        "source": None if known is None else known.source,
    }


def _found(shared: Common, what: str | None, counter: TokenCounter, model: str) -> tuple[Context, tuple[str, Window]]:
    """The context of a session, or a file as it is; and the model that it runs on, with its window."""
    if what is not None and (what == "-" or Path(what).exists()):
        log = read_log(what)
        outside = outside_tokens(counter, log.system, log.tools)
        return Context(log.messages, outside, scale=assumed(model, sum(outside))), ("", DEFAULT_WINDOW)
    with shared.archive() as archive:
        if what is None:
            newest = archive.sessions(limit=1)
            if not newest:
                raise ConfigError("the archive has no session yet", hint="vademecum compact FILE makes one")
            what = newest[0].id
        try:
            runs, window = running_of(archive.existing(what)) or ("", DEFAULT_WINDOW)
            return stored_context(archive, what, counter, model or runs), (runs, window)
        except SessionNotFound:
            if Path(what).name != what or Path(what).suffix:  # a session's id can look like this, too
                shared.say(f"there is no file {what}")
            raise


def _show(fields: dict[str, Any]) -> None:
    origin = fields["measured"]["origin"]
    measured = fields["measured"]["tokens"]
    window, trigger = fields["window"]["tokens"], fields["trigger_tokens"]
    rows = [("", "tokens", "share")]
    for name, size in fields["categories"].items():
        if size:
            rows.append((name.replace("_", " "), tokens(size, origin), f"{100 * size / max(measured, 1):.0f} %"))
    rows.append(("measured", tokens(measured, origin), f"{100 * measured / trigger:.0f} % of the trigger"))
    rows.append(("floor", tokens(fields["floor_tokens"], origin), "after the last compaction, else the overhead"))
    rows.append(("target", tokens(fields["target_tokens"]), ""))
    rows.append(("trigger", tokens(trigger), ""))
    rows.append(("window", tokens(window), f"({fields['window']['origin']})"))
    model = fields["model"]
    if model is not None and model["max_output"] is not None:
        rows.append(("output", tokens(model["max_output"]["tokens"]), f"({model['max_output']['origin']})"))
    if model is not None and model["input_usd"] is not None:
        price = f"USD a million tokens read, {model['output_usd'] or 0:g} written ({model['source']})"
        rows.append(("price", f"{model['input_usd']:g}", price))
    rows += [(f"pin {pin['id']}", tokens(pin["tokens"], origin), "stays word for word") for pin in fields["pins"]]
    table(rows, right=(1,))
    if fields["phase"]:
        click.echo(fields["phase"])
