"""`vademecum budget`: where the trigger comes from."""

from __future__ import annotations

import click

from vademecum.cli.formats import format_option
from vademecum.cli.output import emit
from vademecum.cli.policy import chosen_budget, settings
from vademecum.cli.verb import Asked, Common, Verb, budget_options, common
from vademecum.errors import ConfigError
from vademecum.models.limit_keys import limit_key
from vademecum.wire import dialect

_BINDING = {
    "fraction": "a share of the window",
    "room": "the room that the reply needs",
    "floor": "the lower bound",
    "override": "--trigger",
}


@click.command(
    cls=Verb,
    examples=(
        ("vademecum budget --window 200K", "half of a 200,000 token window"),
        ("vademecum budget --window 272K --max-output 256K", "a large output limit does not eat the input"),
        ("vademecum budget --window 128K --measured 90K --max-output 64K", "what a request may still ask for"),
    ),
)
@budget_options
@format_option
@click.option("--measured", metavar="N", help="Size of a request in tokens: what output limit fits beside it.")
@common
def command(
    shared: Common,
    *,
    asked: Asked,
    format: str | None,
    measured: str | None,
) -> int:
    """Shows trigger and target for a window, and why."""
    config = settings(shared.flags(asked))
    _, found = chosen_budget(config, say=shared.say)
    size = 0 if measured is None else _count(measured)
    limit = found.output_limit(size)
    if shared.json:
        emit(
            "budget/1",
            {
                "window": {"tokens": found.window.tokens, "origin": found.window.origin},
                "preset": config.preset,
                "max_output": found.max_output,
                "trigger_tokens": found.trigger_tokens,
                "acting_trigger_tokens": found.acting_trigger,
                "target_tokens": found.target(),
                "binding": found.binding,
                "limits": {} if limit is None else {_limit_key(format, config.model): limit},
            },
        )
        return 0
    click.echo(f"window   {found.window.tokens:>10,}  ({found.window.origin})")
    click.echo(
        f"trigger  {found.trigger_tokens:>10,}  (from {_BINDING[found.binding]}; a compaction starts above it)"
    )
    if found.acting_trigger < found.trigger_tokens:
        click.echo(f"acting   {found.acting_trigger:>10,}  (the window leaves no more beside the shortest reply)")
    click.echo(f"target   {found.target():>10,}  (a compaction ends at or below it, without overhead)")
    if limit is not None:
        key = _limit_key(format, config.model)
        click.echo(f"output   {limit:>10,}  ({key} to ask for beside {size:,} tokens of input)")
    return 0


def _limit_key(format: str | None, model: str | None) -> str:
    """The key under which a request of that format asks that model for its output limit."""
    spoken = dialect(format or "openai-chat")
    return limit_key(spoken.name, model or "", spoken.limit_key)


def _count(text: str) -> int:
    from vademecum.config import SETTINGS
    from vademecum.config.kinds import Unfit, from_text

    spec = next(spec for spec in SETTINGS if spec.name == "window")
    try:
        value = from_text(spec, text)
    except Unfit as error:
        raise ConfigError(f"--measured {text!r} is not a token count") from error
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise ConfigError(f"--measured {text!r} is not a token count", hint="such as 90000, 90_000 or 90K")
    return value
