"""The command `vademecum`: finds the verb, runs it, and turns errors into lines and exit codes.

Exit codes: 0 done, 1 the answer is no, 2 usage or configuration, 3 failed, 130 interrupted.
"""

from __future__ import annotations

import io
import os
import sys
import traceback
from importlib import import_module

import click

from vademecum import __version__
from vademecum.cli.verb import Common, Verbs, common
from vademecum.errors import AmbiguousId, ConfigError, PartNotFound, SessionNotFound, VademecumError

#: Verb → module; each is imported only when it is used.
VERBS = {
    "bench": "bench",
    "budget": "budget",
    "compact": "compact",
    "completion": "completion",
    "config": "config",
    "context": "context",
    "db": "db",
    "diff": "diff",
    "doctor": "doctor",
    "import": "imports",
    "mcp": "mcp",
    "models": "models",
    "pin": "pin",
    "proxy": "proxy",
    "restore": "restore",
    "schema": "schema",
    "search": "search",
    "sessions": "sessions",
    "show": "show",
    "simulate": "simulate",
    "undo": "undo",
}

DONE, NO, USAGE, FAILED, INTERRUPTED = 0, 1, 2, 3, 130


class _Verbs(Verbs):
    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        module = VERBS.get(cmd_name)
        return None if module is None else import_module(f"vademecum.cli.{module}").command


@click.command(
    cls=_Verbs,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Run 'vademecum VERB --help' for a verb's examples.",
)
@click.version_option(__version__, message="%(version)s")
@common
def cli(shared: Common) -> None:  # common options may stand before the verb, too
    """Context compaction for long-running LLM agents: nothing overflows, nothing is lost."""


def main(args: list[str] | None = None) -> None:
    """Runs the command line and exits.

    Args:
        args: Arguments without the program's name; by default those of the process.
    """
    os.umask(0o077)  # what is written holds transcripts: whatever a verb or a library makes is its owner's alone
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a terminal that lacks a character must not end the run
            stream.reconfigure(errors="backslashreplace")
    sys.exit(run(sys.argv[1:] if args is None else args))


def run(args: list[str]) -> int:
    """Runs the command line; returns the exit code."""
    verbose = "-v" in args or "--verbose" in args
    try:
        result: object = cli.main(args=args, prog_name="vademecum", standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        return USAGE
    except click.UsageError as error:
        return _say(error.format_message(), _usage_hint(error), USAGE)
    except click.ClickException as error:
        return _say(error.format_message(), "", USAGE)
    except (click.Abort, KeyboardInterrupt):
        return _say("interrupted", "", INTERRUPTED)
    except VademecumError as error:
        if verbose:
            _show_where()
        return _say(str(error), error.hint, code_of(error))
    except SystemExit:
        # How click says that the reader went away, which is its right; Python must not complain about it at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.__stdout__.fileno() if sys.__stdout__ else 1)
        return DONE
    except OSError as error:
        return _say(f"{error.filename or 'a file'}: {error.strerror or error}", "", FAILED)
    except Exception as error:  # noqa: BLE001  # the last line of defence: no traceback without -v
        if verbose:
            _show_where()
        return _say(f"{type(error).__name__}: {error}", "this is a bug; run again with -v to see where", FAILED)
    return result if isinstance(result, int) else DONE


def code_of(error: VademecumError) -> int:
    """The exit code of an error."""
    match error:
        case ConfigError() | AmbiguousId():
            return USAGE
        case SessionNotFound() | PartNotFound():
            return NO
        case _:
            return FAILED


def _usage_hint(error: click.UsageError) -> str:
    if error.ctx is None:
        return "vademecum --help lists the verbs"
    return f"{error.ctx.command_path} --help shows examples"


def _show_where() -> None:
    """Prints the traceback without secrets: what a library raised may quote what it was given."""
    from secrets import token_bytes  # nobody needs these but who asked for a traceback

    from vademecum.redaction import Redactor

    click.echo(Redactor(token_bytes(16))(traceback.format_exc()), err=True, nl=False)


def _say(text: str, hint: str, code: int) -> int:
    click.echo(f"error: {text}", err=True)
    if hint:
        click.echo(f"hint: {hint}", err=True)
    return code
