"""`vademecum import`: session logs into the archive."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click

from vademecum.archive import Archive
from vademecum.cli.app import code_of
from vademecum.cli.envelope import Envelope
from vademecum.cli.inputs import read_input, source_name
from vademecum.cli.output import emit
from vademecum.cli.verb import Common, Verb, common
from vademecum.compactor import session_name
from vademecum.core.tokens import TokenCounter
from vademecum.core.transcript import Transcript
from vademecum.errors import ConfigError, VademecumError
from vademecum.models.tokenizer import count_tokens
from vademecum.sessions import Log, read_chat

KINDS = ("chat",)


@click.command(
    cls=Verb,
    examples=(
        ("vademecum import chat.jsonl", "one log, under its own session id"),
        ("vademecum import logs/*.jsonl.gz", "many, compressed or not"),
        ("vademecum import chat night.jsonl --session nightly --json", "name the kind and the session"),
    ),
)
@click.argument("what", nargs=-1, required=True, metavar="[KIND] FILE…")
@click.option("--session", metavar="ID", help="The session's id, for a single file.")
@common
def command(shared: Common, *, what: tuple[str, ...], session: str | None) -> int:
    """Takes session logs in. Doing it again adds nothing; a grown log is continued."""
    files = what[1:] if what[0] in KINDS and not Path(what[0]).exists() else what
    if not files:
        raise ConfigError(f"import {what[0]}: no file is named")
    if session is not None and len(files) > 1:
        raise ConfigError("--session names one session, several files are given", hint="import them one by one")
    counter = TokenCounter(count_tokens)
    reports: list[dict[str, Any]] = []
    code = 0
    with shared.archive(make=True) as archive:
        for file in _shown(files, shared):
            try:
                reports.append(_take_in(archive, file, session, counter))
            except VademecumError as error:
                code = max(code, code_of(error))
                reports.append(_failed(file, error))
            else:
                _say(shared, reports[-1])
    if shared.json:
        emit("import/1", {"files": reports})
    return code


def _take_in(archive: Archive, file: str, session: str | None, counter: TokenCounter) -> dict[str, Any]:
    log = read_chat(read_input(file))
    if not log.messages:
        return _report(file, "", log, 0)  # a file without a message is no session
    name = session or log.session or session_name(log.messages, log.system)
    held = archive.session(name, format=log.dialect.name, source=source_name(file))
    new = held.follow(Transcript.of(log.messages, counter.messages(log.messages)))
    archive.keep_envelope(name, Envelope.of(log).dumped(), source_name(file))
    return _report(file, name, log, new)


def _report(file: str, session: str, log: Log, new: int) -> dict[str, Any]:
    return {
        "file": file,
        "kind": log.kind,
        "session": session,
        "messages": len(log.messages),
        "new": new,
        "calls": sum(len(message.calls()) for message in log.messages),
        "results": sum(len(message.results()) for message in log.messages),
        "compaction_rows_left_out": log.dropped,
        "skipped": [{"line": line, "reason": reason} for line, reason in log.skipped],
    }


def _failed(file: str, error: VademecumError) -> dict[str, Any]:
    """The report of a file that could not be taken in; the others go on."""
    click.echo(f"error: {file}: {error}", err=True)
    if error.hint:
        click.echo(f"hint: {error.hint}", err=True)
    nothing = dict.fromkeys(("messages", "new", "calls", "results", "compaction_rows_left_out"), 0)
    return {"file": file, "kind": "", "session": "", **nothing, "skipped": [], "error": str(error)}


def _say(shared: Common, report: dict[str, Any]) -> None:
    if not shared.json:
        held = report["session"] or "no session"
        click.echo(
            f"{report['file']} → {held}: {report['messages']:,} messages ({report['new']:,} new), "
            f"{report['calls']:,} calls, {report['results']:,} results"
        )
    for skipped in report["skipped"]:
        shared.say(f"{report['file']}: line {skipped['line']} skipped: {skipped['reason']}")


def _shown(files: tuple[str, ...], shared: Common) -> Iterable[str]:
    """The files, with a progress bar where there are several and a person looks on."""
    if len(files) < 2 or shared.quiet or shared.json or not sys.stderr.isatty():
        return files
    from rich.console import Console
    from rich.progress import track

    return track(files, description="importing", console=Console(stderr=True, no_color=not shared.color))
