"""`vademecum import`: session logs into the archive."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click

from vademecum.archive import Archive
from vademecum.cli.app import code_of
from vademecum.cli.logs import opened
from vademecum.cli.output import emit, table
from vademecum.cli.taking_in import Taken, take_in
from vademecum.cli.verb import Common, Verb, common
from vademecum.core.tokens import TokenCounter
from vademecum.errors import ConfigError, VademecumError
from vademecum.models.tokenizer import count_tokens
from vademecum.paths import expand_home
from vademecum.sessions import Reading, readings
from vademecum.sessions.kinds import NAMES
from vademecum.sessions.places import Place, found

#: Sessions of one file that are told one by one; of more, the sum.
_MOST_TOLD = 5


@click.command(
    cls=Verb,
    examples=(
        ("vademecum import", "what this machine's agents have logged; --yes takes it in"),
        ("vademecum import logs/*.jsonl.gz", "logs of any sort, compressed or not"),
        ("vademecum import codex rollout.jsonl --session nightly --json", "name the kind and the session"),
    ),
)
@click.argument("what", nargs=-1, metavar="[KIND] [FILE…]")
@click.option("--session", metavar="ID", help="The session's id, for a single file.")
@click.option("--yes", is_flag=True, help="Without a FILE: take in what was found.")
@common
def command(shared: Common, *, what: tuple[str, ...], session: str | None, yes: bool) -> int:
    """Takes session logs in. Doing it again adds nothing; a grown log is continued.

    Without a FILE it looks in the usual places for logs of known agents and says what it would take.
    """
    named = bool(what) and what[0] in NAMES and not Path(what[0]).exists()
    kind, files = (what[0], what[1:]) if named else ("", what)
    if not files:
        if named and not yes:
            raise ConfigError(
                f"import {kind}: no file is named", hint=f"--yes takes the logs of {kind} that are found"
            )
        if session is not None:
            raise ConfigError("--session names the session of one file, and none is named", hint="name the file")
        places = list(found(expand_home("~", os.environ), os.environ))
        places = [held for held in places if not kind or held[0].kind == kind]
        if not yes:
            return _would_take(shared, places)
        files, kind = tuple(str(log) for _, _, logs in places for log in logs), ""
    if session is not None and len(files) > 1:
        raise ConfigError("--session names one session, several files are given", hint="import them one by one")
    return _imported(shared, files, kind, session)


def _imported(shared: Common, files: tuple[str, ...], kind: str, session: str | None) -> int:
    counter = TokenCounter(count_tokens)
    reports: list[dict[str, Any]] = []
    code = 0
    with shared.archive(make=True) as archive:
        for file in _shown(files, shared):
            try:
                taken = _take_in(archive, file, kind, session, counter)
            except VademecumError as error:
                code = max(code, code_of(error))
                reports.append(_failed(file, error))
            else:
                reports += taken
                _say(shared, taken)
    if shared.json:
        emit("import/1", {"files": reports})
    return code


def _would_take(shared: Common, places: list[tuple[Place, Path, list[Path]]]) -> int:
    rows = [
        {"kind": place.kind, "place": str(folder), "files": len(logs), "bytes": sum(map(_size, logs))}
        for place, folder, logs in places
    ]
    if shared.json:
        emit("import_found/1", {"places": rows})
    elif not rows:
        click.echo("no logs in the usual places; name the files")
    else:
        shown = [[str(row["kind"]), f"{row['files']:,}", f"{row['bytes']:,}", str(row["place"])] for row in rows]
        table([["kind", "logs", "bytes", "place"], *shown], right=(1, 2))
        shared.say("nothing was taken in yet: add --yes")
    return 0


def _size(log: Path) -> int:
    try:
        return (
            sum(file.stat().st_size for file in log.rglob("*") if file.is_file())
            if log.is_dir()
            else log.stat().st_size
        )
    except OSError:
        return 0


def _take_in(
    archive: Archive, file: str, kind: str, session: str | None, counter: TokenCounter
) -> list[dict[str, Any]]:
    reports: list[dict[str, Any]] = []
    with opened(file) as source:
        for number, reading in enumerate(readings(source, kind)):
            name = session if number == 0 else f"{session}/{reading.session or number}" if session else None
            reports.append(_report(file, reading, take_in(archive, reading, name, counter, file)))
    return reports


def _report(file: str, reading: Reading, taken: Taken) -> dict[str, Any]:
    return {
        "file": file,
        "kind": reading.kind,
        "session": taken.session,
        "messages": taken.messages,
        "new": taken.new,
        "calls": taken.calls,
        "results": taken.results,
        "branches": len(reading.branches),
        "compaction_rows_left_out": reading.dropped,
        "rows_left_out": sum(reading.left_out.values()),
        "skipped": [{"line": line, "reason": reason} for line, reason in sorted(reading.skipped)],
    }


def _failed(file: str, error: VademecumError) -> dict[str, Any]:
    """The report of a file that could not be taken in; the others go on."""
    click.echo(f"error: {error}" if file in str(error) else f"error: {file}: {error}", err=True)
    if error.hint:
        click.echo(f"hint: {error.hint}", err=True)
    counts = ("messages", "new", "calls", "results", "branches", "compaction_rows_left_out", "rows_left_out")
    nothing = dict.fromkeys(counts, 0)
    return {"file": file, "kind": "", "session": "", **nothing, "skipped": [], "error": str(error)}


def _say(shared: Common, reports: list[dict[str, Any]]) -> None:
    told = reports if len(reports) <= _MOST_TOLD else [_sum(reports)]
    for report in told if not shared.json else ():
        click.echo(
            f"{report['file']} → {report['session'] or 'no session'}: {_count(report, 'messages')} "
            f"({report['new']:,} new{_where(report)}), {_count(report, 'calls')}, {_count(report, 'results')}"
        )
    for report in reports:
        for skipped in report["skipped"]:
            where = f"line {skipped['line']}" if skipped["line"] else "a part"
            shared.say(f"{report['file']}: {where} skipped: {skipped['reason']}")


def _count(report: dict[str, Any], what: str) -> str:
    number: int = report[what]
    return f"{number:,} {what.removesuffix('s') if number == 1 else what}"


def _where(report: dict[str, Any]) -> str:
    """New messages may be more than the log's last state has: those of its rewound branches are archived, too."""
    return ", with those of other branches" if report["new"] > report["messages"] else ""


def _sum(reports: list[dict[str, Any]]) -> dict[str, Any]:
    keys = ("messages", "new", "calls", "results")
    sums = {key: sum(report[key] for report in reports) for key in keys}
    return {"file": reports[0]["file"], "session": f"{len(reports):,} sessions", **sums}


def _shown(files: tuple[str, ...], shared: Common) -> Iterable[str]:
    """The files, with a progress bar where there are several and a person looks on."""
    if len(files) < 2 or shared.quiet or shared.json or not sys.stderr.isatty():
        return files
    from rich.console import Console
    from rich.progress import track

    return track(files, description="importing", console=Console(stderr=True, no_color=not shared.color))
