"""The arms, a row each (B-3)."""

from __future__ import annotations

from collections.abc import Sequence

from vademecum.bench.arms import cheats as cheating
from vademecum.bench.arms import plain
from vademecum.bench.arms.arm import Row, arm_of
from vademecum.bench.arms.decision import decision
from vademecum.bench.arms.product import vademecum
from vademecum.bench.arms.summarized import summary_only, vademecum_with_model
from vademecum.errors import ConfigError

ARMS: tuple[Row, ...] = (
    Row("uncompacted", plain.uncompacted, searches=False),
    Row("nothing", plain.nothing),
    Row("head-tail", plain.head_and_tail),
    Row("recency", plain.recency),
    Row("recency-tools-60k", plain.recency_tools, {"tools": 60_000}),
    Row("drop-results", plain.drop_results),
    Row("drop-results-keep-calls", plain.drop_results, {"calls": True}),
    Row("decision", decision),
    Row("decision-60k", decision, {"budget": 60_000}),
    Row("decision-random-60k", decision, {"scorer": "random", "budget": 60_000}),
    Row("vademecum", vademecum),
    Row("vademecum-20k", vademecum, {"target": 20_000}),
    Row("vademecum-10k", vademecum, {"target": 10_000}),
    Row("agent", vademecum, {"preset": "agent"}),
    Row("hermes", vademecum, {"preset": "hermes"}),
    # With a model that summarises.
    Row("summary-only", summary_only, needs_model=True),
    Row("summary-recovery", vademecum_with_model, {"preset": "hermes"}, needs_model=True),
    Row("agent-summary", vademecum_with_model, {"preset": "agent"}, needs_model=True),
    Row("vademecum-local", vademecum_with_model, {"by": "local"}, needs_model=True),
    Row("vademecum-active", vademecum_with_model, needs_model=True),
)
#: Arms that cheat; each is exposed by a figure of the table.
CHEATS: tuple[Row, ...] = (
    Row("bag-of-identifiers", cheating.bag_of_identifiers),
    Row("archive-as-context", cheating.archive_as_context, searches=False),
    Row("leaked-golds", cheating.leaked_golds),
    Row("stale-beside-new", cheating.stale_beside_new),
)


def chosen(names: Sequence[str] = (), *, cheats: bool = False, model: bool = False) -> tuple[Row, ...]:
    """Arms by their names; without names all, or all that need no model.

    Args:
        names: Names of rows, or somebody's own arms as `package.module:function`.
        cheats: Also those that cheat.
        model: Whether there is a model that summarises.

    Raises:
        ConfigError: There is no such arm, or it needs a model and there is none.
    """
    known = {row.name: row for row in (*ARMS, *CHEATS)}
    if not names:
        return tuple(row for row in ARMS if model or not row.needs_model) + (CHEATS if cheats else ())
    rows: list[Row] = []
    for name in names:
        if ":" in name:
            arm = arm_of(name)
            rows.append(Row(name.replace(":", "."), arm, needs_model=bool(getattr(arm, "needs_model", False))))
        elif name in known:
            rows.append(known[name])
        else:
            raise ConfigError(f"there is no arm {name!r}", hint=f"arms: {', '.join(known)}")
    needing = [row.name for row in rows if row.needs_model]
    if needing and not model:
        raise ConfigError(
            f"{', '.join(needing)}: no model is there to summarise", hint="give --summary-model or --summary-batch"
        )
    return tuple(rows) + (CHEATS if cheats else ())


def named(name: str) -> str:
    """The name by which `chosen` finds a row again: that of the table, or that of somebody's own function."""
    known = any(row.name == name for row in (*ARMS, *CHEATS))
    return name if known else ":".join(name.rsplit(".", 1))
