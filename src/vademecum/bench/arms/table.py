"""The arms, a row each (B-3)."""

from __future__ import annotations

from vademecum.bench.arms import plain
from vademecum.bench.arms.arm import Row
from vademecum.bench.arms.product import vademecum

ARMS: tuple[Row, ...] = (
    Row("uncompacted", plain.uncompacted, searches=False),
    Row("nothing", plain.nothing),
    Row("head-tail", plain.head_and_tail),
    Row("recency", plain.recency),
    Row("recency-tools-60k", plain.recency_tools, {"tools": 60_000}),
    Row("drop-results", plain.drop_results),
    Row("drop-results-keep-calls", plain.drop_results, {"calls": True}),
    Row("vademecum", vademecum),
    Row("vademecum-20k", vademecum, {"target": 20_000}),
    Row("vademecum-10k", vademecum, {"target": 10_000}),
    Row("agent", vademecum, {"preset": "agent"}),
    Row("hermes", vademecum, {"preset": "hermes"}),
)
#: Arms that cheat; each is exposed by a figure of the table.
CHEATS: tuple[Row, ...] = (Row("bag-of-identifiers", plain.bag_of_identifiers),)
