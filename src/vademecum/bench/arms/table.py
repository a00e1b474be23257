"""The arms, a row each (B-3)."""

from __future__ import annotations

from collections.abc import Sequence

from vademecum.bench.arms import cheats as cheating
from vademecum.bench.arms import plain
from vademecum.bench.arms.arm import Row, arm_of
from vademecum.bench.arms.decision import decision
from vademecum.bench.arms.product import vademecum
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
)
#: Arms that cheat; each is exposed by a figure of the table.
CHEATS: tuple[Row, ...] = (
    Row("bag-of-identifiers", cheating.bag_of_identifiers),
    Row("archive-as-context", cheating.archive_as_context, searches=False),
    Row("leaked-golds", cheating.leaked_golds),
    Row("stale-beside-new", cheating.stale_beside_new),
)


def chosen(names: Sequence[str] = (), *, cheats: bool = False) -> tuple[Row, ...]:
    """Arms by their names; without names all that need no model.

    Args:
        names: Names of rows, or somebody's own arms as `package.module:function`.
        cheats: Also those that cheat.

    Raises:
        ConfigError: There is no such arm.
    """
    known = {row.name: row for row in (*ARMS, *CHEATS)}
    if not names:
        return tuple(row for row in ARMS if not row.needs_model) + (CHEATS if cheats else ())
    rows: list[Row] = []
    for name in names:
        if ":" in name:
            rows.append(Row(name.replace(":", "."), arm_of(name)))
        elif name in known:
            rows.append(known[name])
        else:
            raise ConfigError(f"there is no arm {name!r}", hint=f"arms: {', '.join(known)}")
    return tuple(rows) + (CHEATS if cheats else ())
