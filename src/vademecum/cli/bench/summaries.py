"""Options of a run that say which model writes summaries, and the arms that it writes them for."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from vademecum.cli.bench.grouped import grouped
from vademecum.cli.bench.models import endpoint, faults
from vademecum.cli.bench.progress import bar
from vademecum.cli.verb import Common
from vademecum.errors import BadRequest, ConfigError

if TYPE_CHECKING:
    from vademecum.bench.run import Run
    from vademecum.bench.summaries.desk import Desk

#: The label of a model that nobody named.
UNNAMED = "unnamed"
REQUESTS = "requests.jsonl"
_REQUESTS = re.compile(r"requests(?:-\d+)?\.jsonl")


@dataclass(frozen=True, slots=True)
class SummaryModel:
    """What was typed about the model that summarises.

    Attributes:
        model: `URL#model`, or with a folder of batch files the model's name.
        batch: The folder of batch files.
        window: The model's limit in tokens.
        output: Upper limit of one answer; None leaves it to the policy.
        replicates: How often each summary is written.
        most: How many calls a run may make.
    """

    model: str | None
    batch: Path | None
    window: int
    output: int | None
    replicates: int
    most: int

    @property
    def asked(self) -> bool:
        """Whether there is one."""
        return self.model is not None or self.batch is not None

    @property
    def label(self) -> str:
        """Its name: results do not depend on where it is."""
        return (self.model or "").rpartition("#")[2] or UNNAMED


_OPTIONS = (
    click.option("--summary-model", metavar="URL#M|NAME",
                 help="The model that summarises: behind a URL, or its name in batch files."),
    click.option("--summary-batch", metavar="FOLDER", type=click.Path(path_type=Path, file_okay=False),
                 help="Write its requests there as batch files, and read the answers that lie there."),
    click.option("--summary-window", metavar="N", type=click.IntRange(2_000), default=128_000, show_default=True,
                 help="Its limit in tokens; longer regions are summarised in stretches."),
    click.option("--summary-output", metavar="N", type=click.IntRange(256),
                 help="The longest answer that it gives.  [as long as the policy asks for]"),
    click.option("--summary-replicates", metavar="N", type=click.IntRange(1), default=1, show_default=True,
                 help="How often each summary is written."),
    click.option("--max-calls", "summary_most", metavar="N", type=click.IntRange(0), default=1_000, show_default=True,
                 help="Summary calls of the whole run at most."),
)  # fmt: skip
#: Adds the options about summaries; the function gets them as `summaries`, a `SummaryModel`.
summary_options = grouped("summaries", SummaryModel, _OPTIONS, prefix="summary_")


def summarized_arms(shared: Common, asked: Run, given: SummaryModel, thinking: int) -> int:
    """Does the arms that need the summary model, as far as there are answers.

    Returns:
        How many results still wait.

    Raises:
        BadRequest: The model behind the URL gave no text for some calls.
        ConfigError: The options contradict each other, or the run's summaries are made otherwise.
    """
    from vademecum.bench.summaries.desk import Desk
    from vademecum.bench.summaries.drive import summarized
    from vademecum.bench.summaries.plan import Plan

    ask = None
    if given.model and "://" in given.model:
        if given.batch is not None:
            raise ConfigError(
                "--summary-batch asks nobody behind a URL", hint="give --summary-model the model's name"
            )
        ask = endpoint(given.model, thinking)
    elif given.batch is None:
        raise ConfigError(
            f"{given.model!r} is no URL#MODEL", hint="write http://127.0.0.1:8080/v1#MODEL, or add --summary-batch"
        )
    plan = Plan(given.label, given.window, given.replicates, given.output or 0)
    plan.begin(asked.folder)
    desk = Desk(asked.folder, plan, ask=ask, most=given.most)
    if given.batch is not None:
        _read(shared, desk, given.batch)
    read = Counter(desk.faults)
    with bar(shared, "summarising") as note:
        waiting = summarized(asked, desk, note=note)
    if given.batch is not None:
        _write(shared, desk, given, waiting, thinking)
    elif lost := desk.faults - read:
        raise BadRequest(
            f"{lost.total():,} calls of {given.label} brought no text{faults(dict(lost))}, {waiting:,} results wait",
            hint="run it again to ask once more, with --summary-window and --summary-output as the model has them",
        )
    if desk.refused:
        shared.say(f"--max-calls {given.most:,} is reached: {waiting:,} results wait; run it again with more")
    return waiting


def _read(shared: Common, desk: Desk, folder: Path) -> None:
    from vademecum.bench.calls.batch import read

    files = sorted(path for path in folder.glob("*.jsonl") if not _REQUESTS.fullmatch(path.name))
    taken = desk.take(given for path in files for given in read(path))
    if files:
        shared.say(f"took {taken:,} new answers from {len(files)} files{faults(dict(desk.faults))}")


def _write(shared: Common, desk: Desk, given: SummaryModel, waiting: int, thinking: int) -> None:
    """Writes what is pending in place of what was asked the time before."""
    from vademecum.bench.calls.batch import write

    folder = given.batch
    assert folder is not None  # noqa: S101  # asked by the caller
    folder.mkdir(parents=True, exist_ok=True)
    for path in folder.glob("*.jsonl"):
        if _REQUESTS.fullmatch(path.name):
            path.unlink()
    if not waiting:
        return
    name = "" if given.label == UNNAMED else given.label
    made = write(desk.pending.values(), folder / REQUESTS, {"summarizer": name}, most=desk.room(), thinking=thinking)
    count = made.counts.total()
    if count < len(desk.pending):
        shared.say(f"--max-calls {given.most:,}: {len(desk.pending) - count:,} more requests are not written")
    shared.say(
        f"{waiting:,} results wait for summaries: {count:,} requests in {', '.join(map(str, made.files))}; "
        f"put the answers as *.jsonl into {folder} and run the same again"
    )
