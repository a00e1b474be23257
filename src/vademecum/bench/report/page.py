"""Puts a report together: template, styles, scripts and data in one file that asks for nothing."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
import tomllib
import zlib
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from vademecum.bench.price import Price
from vademecum.bench.report.drilldown import Cut, drilldown
from vademecum.bench.report.summary import summary

#: From the whole of what is useful down to what fits; the first within `MOST` is taken.
CUTS = (Cut(700, 300), Cut(300, 240), Cut(120, 120), Cut(0, 0))
#: Characters that the compressed probes may take, so that a page stays below 8 MB.
MOST = 7_000_000
STYLES = ("page.css", "figures.css")
VENDOR = ("vendor/d3.min.js", "vendor/plot.umd.min.js")
SCRIPTS = (
    "base.js",
    "state.js",
    "terms.js",
    "tip.js",
    "labels.js",
    "recall.js",
    "arms.js",
    "breakdown.js",
    "differences.js",
    "cost.js",
    "lines.js",
    "cycles.js",
    "store.js",
    "probe.js",
    "probes.js",
    "main.js",
)
_SLOT = re.compile(r"<!-- slot: (\w+) -->")


@dataclass(frozen=True)
class Report:
    """A finished page.

    Attributes:
        text: The page.
        arms: How many arms it compares.
        probes: How many probes can be looked at.
        cycles: How many compactions of a simulation it shows.
        cut: How much of the texts is in it.
    """

    text: str
    arms: int
    probes: int
    cycles: int
    cut: Cut


def report(run: Path, cycles: Path | None = None, *, price: Price | None = None, most: int = MOST) -> Report:
    """The report of a run. The same files give the same bytes.

    Args:
        run: A run's folder.
        cycles: A simulation's folder.
        price: What tokens cost; by default as the catalog has it for a common model.
        most: Characters that the probes may take in the page.

    Raises:
        ConfigError: The second folder holds no simulation.
    """
    shown = summary(run, cycles, price)
    cut, details, packed = _packed(run, most)
    shown["cut"] = {"excerpt": cut.excerpt, "evidence": cut.evidence}
    shown["terms"] = tomllib.loads(_file("terms.toml"))
    scripts = ["\n".join(_file(name) for name in VENDOR), "\n".join(_file(name) for name in SCRIPTS)]
    slots = {
        "policy": _policy(scripts),
        "title": html.escape(", ".join(shown["card"]["lineages"]) or "no lineage"),
        "styles": "<style>\n" + "".join(map(_file, STYLES)) + "</style>",
        "summary": f'<script type="application/json" id="summary">{embedded(shown)}</script>',
        "details": f'<script type="text/plain" id="details">{packed}</script>',
        "scripts": "\n".join(f"<script>{script}</script>" for script in scripts),
    }
    text = _SLOT.sub(lambda slot: slots[slot[1]], _file("page.html"))
    count = sum(len(arm["cycles"]) for arm in shown["cycles"])
    return Report(text, len(shown["card"]["arms"]), len(details["probes"]), count, cut)


def embedded(data: Any) -> str:
    """Data as JSON that may stand in a script element: no text in it can end that, or begin another."""
    text = json.dumps(data, ensure_ascii=True, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _packed(run: Path, most: int) -> tuple[Cut, dict[str, Any], str]:
    """The probes, compressed, with as much of their texts as there is room for."""
    for cut in CUTS:
        details = drilldown(run, cut)
        packed = base64.b64encode(zlib.compress(embedded(details).encode("ascii"), 9)).decode("ascii")
        if len(packed) <= most or cut == CUTS[-1]:
            return cut, details, packed
    raise AssertionError("the last cut is taken as it is")


def _policy(scripts: list[str]) -> str:
    """A content security policy: these scripts, the styles of the page, and nothing from anywhere."""
    digests = (hashlib.sha256(script.encode("utf-8")).digest() for script in scripts)
    allowed = " ".join(f"'sha256-{base64.b64encode(digest).decode('ascii')}'" for digest in digests)
    rules = ("default-src 'none'", f"script-src {allowed}", "style-src 'unsafe-inline'", "img-src data:",
             "base-uri 'none'", "form-action 'none'")  # fmt: skip
    return f'<meta http-equiv="Content-Security-Policy" content="{"; ".join(rules)}">'


def _file(name: str) -> str:
    return files(__package__ or "").joinpath("page", name).read_text("utf-8")
