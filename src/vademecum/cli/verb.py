"""What every verb shares: examples before everything else in its help, and the common options."""

from __future__ import annotations

import difflib
import functools
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

import click

from vademecum.errors import ConfigError

if TYPE_CHECKING:
    from vademecum.archive import Archive

P = ParamSpec("P")
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Common:
    """The options that every verb has.

    Attributes:
        db: The archive's file as given; None for the configured one.
        json: Whether stdout gets one JSON object and nothing else.
        quiet: Whether stderr stays silent except for errors.
        verbose: Whether errors come with a traceback.
        color: Whether terminal output may be coloured.
        owner: Whose sessions are meant: those that the proxy keeps apart by key have an owner.
    """

    db: str | None = None
    json: bool = False
    quiet: bool = False
    verbose: bool = False
    color: bool = True
    owner: str = ""

    def flags(self, asked: Asked | None = None) -> dict[str, object]:
        """The flags that are settings, for `config.load`."""
        return {"db": self.db, **({} if asked is None else asdict(asked))}

    def archive(self, *, make: bool = False) -> Archive:
        """The archive that is configured. Where there is none yet: a new file, or an empty one in memory."""
        from vademecum.archive import Archive
        from vademecum.cli.policy import settings

        config = settings(self.flags())
        path = config.db
        if make or path.exists():
            return Archive.open(path, owner=self.owner, redact_index=config.redact_index)
        self.say(f"there is no archive at {path} yet")
        return Archive.memory()

    def say(self, text: str) -> None:
        """A line for the person, on stderr."""
        if not self.quiet:
            click.echo(text, err=True)

    def below(self, above: Common | None) -> Common:
        """These options with those given before the verb."""
        if above is None:
            return self
        return Common(
            self.db or above.db,
            self.json or above.json,
            self.quiet or above.quiet,
            self.verbose or above.verbose,
            self.color and above.color,
            self.owner or above.owner,
        )


class Verb(click.Command):
    """A command whose help begins with examples."""

    def __init__(self, *args: Any, examples: tuple[tuple[str, str], ...] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.examples = examples

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Writes the examples, then what click writes."""
        if self.examples:
            with formatter.section("Examples"):
                formatter.write_dl(list(self.examples))
            formatter.write("\n")
        super().format_help(ctx, formatter)


class Verbs(Verb, click.Group):
    """A verb with verbs of its own."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Writes the verbs with their whole first sentences; click cuts them to one line."""
        verbs = [(name, self.get_command(ctx, name)) for name in self.list_commands(ctx)]
        rows = [(name, verb.get_short_help_str(limit=400)) for name, verb in verbs if verb and not verb.hidden]
        if rows:
            with formatter.section("Commands"):
                formatter.write_dl(rows)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Finds the verb; an unknown one is refused with the one that resembles it."""
        known = self.list_commands(ctx)
        if args[0] in known or args[0].startswith("-") or ctx.resilient_parsing:
            return super().resolve_command(ctx, args)
        near = difflib.get_close_matches(args[0], known, n=1)
        hint = f"did you mean {near[0]}?" if near else f"{ctx.command_path} --help lists the verbs"
        raise ConfigError(f"{ctx.command_path} has no verb {args[0]!r}", hint=hint)


_OPTIONS = (
    click.option("--db", metavar="PATH", help="The archive's file.  [default: in the user's data folder]"),
    click.option(
        "--owner", metavar="ID", default="", help="Sessions that the proxy keeps for one key; see sessions list."
    ),
    click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout, nothing else."),
    click.option("-q", "--quiet", is_flag=True, help="Say nothing on stderr but errors."),
    click.option("-v", "--verbose", is_flag=True, help="Show where an error came from."),
    click.option("--no-color", is_flag=True, help="No colours."),
)


def common(function: Callable[..., R]) -> Callable[..., R]:
    """Adds the common options; the function gets them as its first argument, a `Common`."""

    @functools.wraps(function)
    def wrapped(
        *args: Any,
        db: str | None,
        owner: str,
        as_json: bool,
        quiet: bool,
        verbose: bool,
        no_color: bool,
        **kwargs: Any,
    ) -> R:
        context = click.get_current_context()
        shared = Common(db, as_json, quiet, verbose, not no_color, owner).below(context.find_object(Common))
        context.obj = shared
        return function(shared, *args, **kwargs)

    decorated: Callable[..., R] = wrapped
    for option in reversed(_OPTIONS):
        decorated = option(decorated)
    return decorated


@dataclass(frozen=True, slots=True)
class Asked:
    """What a budget is to be derived from, as it was typed; None where it was not.

    Attributes:
        window: The model's window.
        model: The model whose window is to be looked up.
        max_output: The output limit of each request.
        preset: The policy.
        trigger: An absolute trigger.
        target: Where to end.
    """

    window: str | None = None
    model: str | None = None
    max_output: str | None = None
    preset: str | None = None
    trigger: str | None = None
    target: str | None = None


_BUDGET = (
    click.option("--window", metavar="N", help="The model's window in tokens (200000, 200_000 or 200K)."),
    click.option("--model", metavar="P:M", help="The model, whose window the catalog knows; see models list."),
    click.option("--max-output", metavar="N", help="The output limit of each request in tokens."),
    click.option("--preset", metavar="NAME", help="half (default), agent or hermes."),
    click.option("--trigger", metavar="N", help="Compact above this many tokens, whatever the preset says."),
    click.option("--target", metavar="F|N", help="Where to end: a fraction of the trigger (0.4), or tokens (40000)."),
)


def budget_options(function: Callable[..., R]) -> Callable[..., R]:
    """Adds the options that a budget is derived from; the function gets them as `asked`, an `Asked`."""

    @functools.wraps(function)
    def wrapped(
        *args: Any,
        window: str | None,
        model: str | None,
        max_output: str | None,
        preset: str | None,
        trigger: str | None,
        target: str | None,
        **kwargs: Any,
    ) -> R:
        return function(*args, asked=Asked(window, model, max_output, preset, trigger, target), **kwargs)

    decorated: Callable[..., R] = wrapped
    for option in reversed(_BUDGET):
        decorated = option(decorated)
    return decorated
