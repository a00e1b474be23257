"""`vademecum bench`: which policy keeps what, at what cost, and how it fares when it is repeated."""

from __future__ import annotations

from importlib import import_module

import click

from vademecum.cli.verb import Common, Verbs, common

#: Verb → module; each is imported only when it is used, since NumPy and SciPy take their time.
VERBS = {
    "lineage": "lineage",
    "run": "run",
    "show": "show",
    "plot": "plot",
    "simulate": "simulate",
    "batch": "batch",
    "compare": "compare",
    "list": "runs",
    "probes": "probes",
}


class _Verbs(Verbs):
    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        module = VERBS.get(cmd_name)
        return None if module is None else import_module(f"vademecum.cli.bench.{module}").command


@click.group(
    cls=_Verbs,
    examples=(
        ("vademecum bench run SESSION.jsonl -o out", "every arm on a session of yours, without a model"),
        ("vademecum bench show out", "recall against tokens kept"),
        ("vademecum bench lineage build A.jsonl B.jsonl -o lineages", "chain logs into a lineage"),
    ),
)
@common
def command(shared: Common) -> None:
    """Compares compaction policies by numbers."""
