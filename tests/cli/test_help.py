"""Help, usage errors and the last line of defence."""

from pathlib import Path

import click
import pytest

from cli.conftest import Cli
from vademecum import __version__
from vademecum.cli import app
from vademecum.cli.app import VERBS
from vademecum.cli.app import cli as program
from vademecum.errors import ArchiveBusy, ArchiveCorrupt, ArchiveFull, CannotFitError, SchemaTooNew, WireError


def commands(group: click.Group, path: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    """Every verb, and those of its own."""
    found: list[tuple[str, ...]] = []
    for name in group.list_commands(click.Context(group)):
        inner = group.get_command(click.Context(group), name)
        found.append((*path, name))
        if isinstance(inner, click.Group):
            found += commands(inner, (*path, name))
    return found


COMMANDS = commands(program)


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_help_begins_with_three_examples_that_can_be_typed(cli: Cli, command: tuple[str, ...]) -> None:
    done = cli(*command, "--help")
    assert (done.code, done.err) == (0, "")
    head, _, rest = done.text.partition("\n\n")
    assert head.startswith("Examples:\n")
    assert rest.startswith(f"Usage: vademecum {' '.join(command)}")
    examples = [line for line in head.splitlines() if line.startswith(f"  vademecum {command[0]}")]
    assert len(examples) == 3
    assert cli(*command, "-h").out == done.out


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_every_verb_has_the_common_options(cli: Cli, command: tuple[str, ...]) -> None:
    text = cli(*command, "--help").text
    for option in ("--db PATH", "--json", "-q, --quiet", "-v, --verbose", "--no-color"):
        assert f"  {option}" in text


def test_the_list_of_verbs(cli: Cli) -> None:
    done = cli("--help")
    listed = [line.split()[0] for line in done.text.partition("Commands:\n")[2].splitlines() if line[2:3].islower()]
    assert listed[: len(VERBS)] == list(VERBS)
    assert "..." not in done.text.partition("Commands:\n")[2], "each summary fits on its line"


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_verbs_of_a_verb_are_listed_with_their_whole_first_sentences(cli: Cli, command: tuple[str, ...]) -> None:
    assert "..." not in cli(*command, "--help").text.partition("Commands:\n")[2]


def test_no_verb_and_a_wrong_one(cli: Cli) -> None:
    nothing = cli()
    assert (nothing.code, nothing.out) == (2, b"")
    assert nothing.err.startswith("Usage: vademecum ")
    cli("compct").refused(2, "vademecum has no verb 'compct'", "did you mean compact?")
    cli("zzz").refused(2, "vademecum has no verb 'zzz'", "vademecum --help lists the verbs")
    cli("sessions", "exprt").refused(2, "vademecum sessions has no verb 'exprt'", "did you mean export?")
    cli("compact").refused(2, "Missing argument 'FILE'", "vademecum compact --help shows examples")


def test_version(cli: Cli) -> None:
    assert cli("--version").text == f"{__version__}\n"


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (WireError(3, "has no role"), 3),
        (CannotFitError(9, 8), 3),
        (SchemaTooNew("a.db", 9, 1), 3),
        (ArchiveBusy("a.db is locked", hint="try again in a moment"), 3),
        (ArchiveFull("no room left"), 3),
        (ArchiveCorrupt("a.db is damaged"), 3),
        (OSError(28, "No space left on device", "out.jsonl"), 3),
        (RuntimeError("impossible"), 3),
        (KeyboardInterrupt(), 130),
        (click.Abort(), 130),
    ],
    ids=lambda value: type(value).__name__,
)
def test_errors_end_in_one_line(cli: Cli, monkeypatch: pytest.MonkeyPatch, error: BaseException, code: int) -> None:
    def fail(*args: object, **more: object) -> None:
        raise error

    monkeypatch.setattr(program, "main", fail)
    done = cli("sessions")
    done.refused(code, str(error) if code == 3 and not isinstance(error, OSError) else "")
    if type(error) is RuntimeError:
        assert "hint: this is a bug; run again with -v" in done.err


def test_a_traceback_is_shown_on_request(cli: Cli, archive_file: Path) -> None:
    archive_file.parent.mkdir(parents=True)
    archive_file.write_bytes(b"This is no database, whatever its name says." * 50)
    cli("sessions").refused(3, "is damaged or not an archive", "restore it from a backup")
    verbose = cli("sessions", "-v")
    assert verbose.code == 3
    assert "Traceback" in verbose.err
    assert verbose.err.splitlines()[-2].startswith("error: ")


def test_codes_are_those_of_the_reference() -> None:
    assert (app.DONE, app.NO, app.USAGE, app.FAILED, app.INTERRUPTED) == (0, 1, 2, 3, 130)
