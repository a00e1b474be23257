"""`vademecum bench batch`: the calls of a run as batch files, and their answers."""

from __future__ import annotations

from pathlib import Path

import click

from vademecum.cli.bench.extra import needed
from vademecum.cli.bench.models import faults, left
from vademecum.cli.bench.progress import bar
from vademecum.cli.bench.summaries import UNNAMED
from vademecum.cli.output import emit, table
from vademecum.cli.verb import Common, Verb, Verbs, common

_RUN = click.argument("run", metavar="RUN", type=click.Path(path_type=Path))


@click.group(
    cls=Verbs,
    examples=(
        ("vademecum bench batch write out -o requests.jsonl --model M", "what is to be asked"),
        ("vademecum bench batch read out answers.jsonl", "what was answered"),
        ("vademecum bench batch status out", "how far it is"),
    ),
)
@common
def command(shared: Common) -> None:
    """Asks models by files: any model, anywhere, at any time."""


@command.command(
    "write",
    cls=Verb,
    examples=(
        ("vademecum bench batch write out -o requests.jsonl --model gpt-x", "all that can be asked now"),
        ("vademecum bench batch write out -o judge.jsonl --role judge --model gpt-y", "for one of the models"),
        ("vademecum bench batch write out -o requests.jsonl --most 1000 --json", "in portions"),
    ),
)
@_RUN
@click.option("-o", "--out", metavar="FILE", required=True, type=click.Path(path_type=Path), help="Where they go.")
@click.option(
    "--model", metavar="NAME", default="", help="The model's name in each request.  [none; for summaries the run's]"
)
@click.option("--role", "roles", multiple=True, type=click.Choice(("summarizer", "writer", "answerer", "judge")),
              help="Only what this one is asked.")  # fmt: skip
@click.option("--thinking", metavar="N", type=click.IntRange(0), default=0,
              help="Tokens for what the model thinks before it answers.")  # fmt: skip
@click.option("--most", metavar="N", type=click.IntRange(1), help="So many requests at most.")
@common
def write_command(
    shared: Common, *, run: Path, out: Path, model: str, roles: tuple[str, ...], thinking: int, most: int | None
) -> int:
    """Writes pending calls in OpenAI's batch format; what is more than 200 MB or 50,000 goes into further files.

    Exit code 1 when none is pending.
    """
    needed()
    from vademecum.bench.batches import Batches
    from vademecum.bench.calls.batch import write
    from vademecum.bench.calls.request import EVERY_ROLE

    with Batches(run) as batches:
        models = dict.fromkeys(EVERY_ROLE, model)
        if not model and batches.summaries is not None and batches.summaries.plan.model != UNNAMED:
            models["summarizer"] = batches.summaries.plan.model
        made = write(batches.pending(roles or EVERY_ROLE), out, models, most=most, thinking=thinking)
        if batches.held_back:
            shared.say(
                f"{batches.held_back:,} more for the summarizer need vademecum bench run with more --max-calls"
            )
    total = made.counts.total()
    files = [str(file) for file in made.files]
    if shared.json:
        counts = dict(sorted(made.counts.items()))
        emit("bench.batch_written/1", {"file": str(out), "requests": total, "roles": counts, "files": files})
    else:
        shared.say(f"wrote {total:,} requests to {', '.join(files)}" if total else "nothing is pending")
    return 0 if total else 1


@command.command(
    "read",
    cls=Verb,
    examples=(
        ("vademecum bench batch read out answers.jsonl", "partial answers do no harm: the rest is asked again"),
        ("vademecum bench batch read out a.jsonl b.jsonl", "several files, in any order"),
        ("vademecum bench batch read out answers.jsonl --json", "for a program"),
    ),
)
@_RUN
@click.argument("files", nargs=-1, required=True, metavar="FILE…", type=click.Path(path_type=Path, exists=True))
@common
def read_command(shared: Common, *, run: Path, files: tuple[Path, ...]) -> int:
    """Reads answers: OpenAI's batch output, or {"custom_id", "text"} lines. Exit code 1 when none was taken."""
    needed()
    from vademecum.bench.batches import Batches
    from vademecum.bench.calls.batch import read

    with Batches(run) as batches:
        with bar(shared, "summarising") as note:
            taken = batches.take((given for file in files for given in read(file)), note)
        status = batches.status()
    if shared.json:
        told = {"taken": taken.taken, "known": taken.known, "unknown": taken.unknown, "faults": dict(taken.faults)}
        emit("bench.batch_read/1", {**told, "pending": status["pending"]})
    else:
        shared.say(
            f"took {taken.taken:,} answers, {taken.known:,} known, {taken.unknown:,} of another run"
            + faults(taken.faults)
        )
        left(shared, run, status["pending"])
    return 0 if taken.taken else 1


@command.command(
    "status",
    cls=Verb,
    examples=(
        ("vademecum bench batch status out", "calls answered and pending"),
        ("vademecum bench batch status out -q", "the table alone"),
        ("vademecum bench batch status out --json", "for a program"),
    ),
)
@_RUN
@common
def status_command(shared: Common, *, run: Path) -> int:
    """Shows how far a run's models are."""
    needed()
    from vademecum.bench.batches import Batches

    with Batches(run) as batches:
        status = batches.status()
    if shared.json:
        emit("bench.batch_status/1", status)
        return 0
    rows = [("", "answered", "pending")]
    rows += [(role, f"{count:,}", f"{status['pending'][role]:,}") for role, count in status["answered"].items()]
    table(rows, right=(1, 2))
    click.echo(f"{status['graded']:,} of {status['cells']:,} answers judged{faults(status['faults'])}")
    left(shared, run, status["pending"])
    return 0
