"""Options of a run that say which models take part in it, and the part that they take."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from vademecum.cli.bench.grouped import grouped
from vademecum.cli.bench.progress import bar
from vademecum.cli.verb import Common

if TYPE_CHECKING:
    from vademecum.bench.calls.request import Role
    from vademecum.bench.calls.store import Ask
    from vademecum.bench.run import Run

#: Where the key is looked for, in this order; it is sent to the endpoint and nowhere else.
KEYS = ("VADEMECUM_BENCH_KEY", "OPENAI_API_KEY")


@dataclass(frozen=True, slots=True)
class Models:
    """What was typed about models.

    Attributes:
        facts: Fact questions for each lineage; None where it was not said.
        abstention: Questions without answer for each.
        replicates: How often each is asked.
        model: `URL#model` of all roles that have none of their own.
        writer: Of the one that writes questions.
        judge: Of the one that judges.
        thinking: Tokens for what models think before they answer.
        threads: Requests on their way at a time.
    """

    facts: int | None
    abstention: int
    replicates: int
    model: str | None
    writer: str | None
    judge: str | None
    thinking: int
    threads: int

    @property
    def asked(self) -> int:
        """How many fact questions; with a model sixty unless it was said."""
        from vademecum.bench.interview.plan import OURS

        if self.facts is not None:
            return self.facts
        return OURS if self.model or self.writer or self.judge else 0

    def endpoints(self) -> dict[Role, str]:
        """Role → `URL#model`, of those that have one."""
        named: dict[Role, str | None] = {
            "writer": self.writer or self.model,
            "answerer": self.model,
            "judge": self.judge or self.model,
        }
        return {role: where for role, where in named.items() if where}


_OPTIONS = (
    click.option("--facts", metavar="N", type=click.IntRange(1),
                 help="Fact questions for each lineage, written by a model.  [with --model: 60; published: 15]"),
    click.option("--abstention", metavar="N", type=click.IntRange(0), default=8, show_default=True,
                 help="Questions without answer that models are asked too."),
    click.option("--replicates", metavar="N", type=click.IntRange(1), default=1, show_default=True,
                 help="How often models are asked each question."),
    click.option("--model", metavar="URL#M", help="A model behind an OpenAI-compatible URL, for all roles."),
    click.option("--writer", metavar="URL#M", help="Another one that writes the questions."),
    click.option("--judge", metavar="URL#M", help="Another one that judges."),
    click.option("--thinking", metavar="N", type=click.IntRange(0), default=0, show_default=True,
                 help="Tokens for what models think before they answer."),
    click.option("--threads", metavar="N", type=click.IntRange(1, 64), default=4, show_default=True,
                 help="Requests on their way at a time."),
)  # fmt: skip
#: Adds the options about models; the function gets them as `models`, a `Models`.
model_options = grouped("models", Models, _OPTIONS)


def interviewed(shared: Common, asked: Run, models: Models, jobs: int) -> dict[str, int]:
    """Makes a run ready for models, asks those that have an endpoint, and says what is left.

    Returns:
        Why → how many calls brought no text.
    """
    from vademecum.bench.interview.drive import drive
    from vademecum.bench.interview.interview import Interview
    from vademecum.bench.interview.prepare import plan_of, prepare

    endpoints: dict[Role, Ask] = {
        role: endpoint(where, models.thinking) for role, where in models.endpoints().items()
    }
    with bar(shared, "benching") as note:
        prepare(asked, plan_of(asked, models.asked, models.abstention, models.replicates), jobs=jobs, note=note)
    lost: dict[str, int] = {}
    with Interview(asked.folder) as interview:
        if endpoints:
            with bar(shared, "asking") as note:
                taken = drive(interview, endpoints, threads=models.threads, note=note)
            lost = dict(taken.faults)
            shared.say(f"{taken.taken:,} answers{faults(lost)}")
        left(shared, asked.folder, interview.status()["pending"])
    return lost


def endpoint(where: str, thinking: int) -> Ask:
    """The model behind `URL#model`, with the key of the environment."""
    from vademecum.bench.calls.endpoint import Endpoint

    key = next((os.environ[name] for name in KEYS if os.environ.get(name)), "")
    return Endpoint(where, key=key, thinking=thinking)


def left(shared: Common, folder: Path, pending: dict[str, int]) -> None:
    """Says what is still to be asked, and how."""
    if any(pending.values()):
        told = ", ".join(f"{count:,} for the {role}" for role, count in pending.items() if count)
        shared.say(f"pending calls: {told}; vademecum bench batch write {folder} -o requests.jsonl")


def faults(counts: dict[str, int]) -> str:
    """How many calls brought no text, and why; nothing where all did."""
    return "".join(f", {count:,} {why}" for why, count in sorted(counts.items()))
