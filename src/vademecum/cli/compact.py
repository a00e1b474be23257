"""`vademecum compact`: a transcript in, a context that fits out, the rest in the archive."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import click

from vademecum.archive import Archive, Session
from vademecum.cli.formats import format_option
from vademecum.cli.inputs import check_output, source_name, write_output
from vademecum.cli.logs import read_log
from vademecum.cli.output import emit, emit_bytes, receipt_line
from vademecum.cli.policy import chosen_budget, settings
from vademecum.cli.summary import chosen_summarizer
from vademecum.cli.verb import Asked, Common, Verb, budget_options, common
from vademecum.compactor import Compaction, Options, Workspace, outside_tokens, run, session_name
from vademecum.compactor.envelope import Envelope, rendered
from vademecum.core.plan_data import plan_data
from vademecum.core.receipt import Receipt
from vademecum.core.tokens import TokenCounter
from vademecum.errors import ArchiveError, ConfigError
from vademecum.models.tokenizer import count_tokens
from vademecum.sessions import Log


@click.command(
    cls=Verb,
    examples=(
        ("vademecum compact chat.jsonl --window 200K -o context.jsonl", "write the context, print the receipt"),
        ("vademecum compact body.json --window 200K --target 40K > small.json", "a request body in, one out"),
        ("vademecum compact chat.jsonl --window 32K --dry-run", "show what would be done, change nothing"),
    ),
)
@click.argument("file")
@budget_options
@click.option("--session", metavar="ID", help="The session's id.  [default: the file's own, or by its beginning]")
@click.option("--summarizer", metavar="WHO", help="off (default), local, active (needs --model), URL#M or P:M.")
@click.option("--focus", metavar="TEXT", default="", help="What is to be kept above all.")
@click.option("--workspace", metavar="DIR", help="Show edited files of this folder in the carry as they are now.")
@format_option
@click.option("--dry-run", is_flag=True, help="Plan and report; commit and write nothing.")
@click.option("-o", "--output", metavar="OUT", help="Write the context there; stdout gets the receipt.")
@common
def command(
    shared: Common,
    *,
    file: str,
    asked: Asked,
    session: str | None,
    summarizer: str | None,
    focus: str,
    workspace: str | None,
    format: str | None,
    dry_run: bool,
    output: str | None,
) -> int:
    """Compacts a transcript and archives what leaves. Run again on the grown file, it goes on with its session."""
    if shared.json and output is None and not dry_run:
        raise ConfigError(
            "--json without -o: the context and the receipt cannot both go to stdout", hint="add -o OUT"
        )
    config = settings({**shared.flags(asked), "workspace": workspace, "summary.by": summarizer})
    chosen, limits = chosen_budget(config, say=shared.say)
    if output is not None:
        check_output(output, source=file)
    log = read_log(file, format, session)
    for line, reason in log.skipped:
        shared.say(f"{f'line {line}' if line else 'a part'} skipped: {reason}")
    counter = TokenCounter(count_tokens)
    mode, summarize = chosen_summarizer(config, limits.window, counter)
    options = Options(
        budget=limits,
        preset=chosen,
        summarizer=mode,
        summarize=summarize,
        counter=counter,
        token_compression=config.token_compression,
        focus=focus,
        workspace=None if config.workspace is None else Workspace(config.workspace),
        pin_cap=config.pin_cap,
        dry_run=dry_run,
        model=config.model or "",
    )
    if dry_run:
        with _as_it_stands(config.db) as archive, archive.rehearsal():
            return _report_plan(shared, _compacted(archive, log, session, options, file)[1])
    # A file without a message is no session: it leaves no trace.
    opened = partial(Archive.open, config.db, owner=shared.owner, redact_index=config.redact_index)
    with opened() if log.messages else Archive.memory() as archive:
        held, done = _compacted(archive, log, session, options, file)
        data = _context(archive, held, log, file)
    _write(shared, output, data, done.receipt)
    return 0


def _compacted(
    archive: Archive, log: Log, session: str | None, options: Options, source: str
) -> tuple[Session, Compaction]:
    name = session or log.session or session_name(log.messages, log.system)
    held = archive.session(name, format=log.dialect.name, source=source_name(source))
    outside = outside_tokens(options.counter, log.system, log.tools)
    done = run(held, log.messages, outside, options)
    if done.receipt.outcome == "failed":
        raise ArchiveError(done.receipt.failure, hint="nothing was written; the transcript is untouched")
    return held, done


def _context(archive: Archive, session: Session, log: Log, file: str) -> bytes:
    envelope = Envelope.of(log)
    archive.keep_envelope(session.id, envelope.dumped(), source_name(file))
    return rendered(session, envelope)


def _write(shared: Common, output: str | None, data: bytes, receipt: Receipt) -> None:
    if receipt.pins_left_out:
        shared.say(f"the cap on pins leaves out {', '.join(receipt.pins_left_out)}: raise the setting pin_cap")
    if receipt.phase:
        shared.say(receipt.phase)
    if output is None:
        emit_bytes(data)
        shared.say(receipt_line(receipt))
        return
    write_output(output, data)
    if shared.json:
        fields = receipt.as_dict()
        emit(fields.pop("schema").removeprefix("vademecum."), fields)
    else:
        click.echo(receipt_line(receipt))


def _report_plan(shared: Common, done: Compaction) -> int:
    fields = done.receipt.as_dict()
    fields.pop("schema")
    if shared.json:
        emit("plan/1", {"receipt": fields, "plan": None if done.plan is None else plan_data(done.plan)})
        return 0
    click.echo(receipt_line(done.receipt))
    for tier in done.receipt.tiers:
        click.echo(f"  {tier.name:<14} {tier.tokens_after:>10,}  {tier.outcome}")
    for section, size in done.receipt.sections:
        click.echo(f"  carry: {section:<14} {size:>8,}")
    if done.plan is not None and shared.verbose:
        click.echo(json.dumps(plan_data(done.plan), indent=1))
    return 0


def _as_it_stands(db: Path) -> Archive:
    """The archive, or an empty one in memory where there is none yet: a dry run makes no file."""
    return Archive.open(db) if db.exists() else Archive.memory()
