"""A run and a simulation of our own, written as the bench writes them: small, and with texts that mean harm."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from vademecum.bench.probes.probe import Probe
from vademecum.bench.score import Outcome
from vademecum.bench.setting import Setting

#: Texts as a transcript may hold them.
HOSTILE = (
    "</script><script>document.title = 'owned'</script>",
    "<img src=x onerror=\"document.title = 'owned'\">",
    "<!-- --><svg onload=\"document.title = 'owned'\"></svg> &lt;b&gt; \u2028 \ud83d",
)
NAME = "demo <i>run</i>"
#: Arm → tokens, share of questions that it answers right closed book, whether it searches.
ARMS = {
    "nothing": (0, 0, True),
    "recency": (22_000, 5, True),
    "vademecum": (40_000, 2, True),
    "drop-results": (75_000, 3, True),
    "uncompacted": (500_000, 1, False),
}
USAGE = {"calls": 3, "input": 90_000, "output": 2_000, "cached": 10_000}
PLACES = ("user", "assistant", "call", "result")


def probes(count: int = 64) -> list[Probe]:
    return [
        Probe(
            id=f"c_{number:04}",
            kind="cloze" if number % 4 else "latest",
            shape="id",
            about="id",
            where=PLACES[number // 4 % 4],
            message=10 * number,
            third=("early", "middle", "late")[3 * number // count],
            stated=1 + number % 2,
            question=f"The gateway of plan {number} listens on ▢ {HOSTILE[number % 3]}",
            words=("gateway", "plan", "listens"),
            gold=f"gate-{number}a",
            stale=() if number % 4 else (f"gate-{number}old",),
        )
        for number in range(count)
    ]


def small_run(folder: Path) -> Path:
    """Writes a run; gives its folder."""
    home = folder / NAME
    home.mkdir(parents=True)
    setting = Setting(tokens=500_000, window=200_000, target=40_000, cloze=64)
    write(folder / "run.json", {"schema": "vademecum.bench.run/1", "setting": setting.as_dict(), "lineages": [NAME]})
    asked = probes()
    lines(home / "probes.jsonl", [probe.as_dict() for probe in asked])
    lines(home / "found.jsonl", [found(probe) for probe in asked])
    for arm, (tokens, every, searches) in ARMS.items():
        answers = [answer(probe, number, every, searches=searches) for number, probe in enumerate(asked)]
        head = {"schema": "vademecum.bench.arm/1", "arm": arm, "lineage": NAME, "tokens_before": 500_000}
        rest = {
            "tokens": tokens,
            "messages": 3,
            "invented": [],
            "details": {"usage": USAGE} if arm == "drop-results" else {},
            "answers": answers,
        }
        write(home / f"{arm}.json", {**head, **rest})
        write(home / f"{arm}.timing.json", {"arm": arm, "seconds": 1.5})
    return folder


def found(probe: Probe) -> dict[str, Any]:
    text = f"{HOSTILE[2]} … the gateway listens on {probe.gold} now. " + "filler " * 400
    return {
        "probe": probe.id,
        "excerpts": [{"id": "t_aaaaaaaaaa", "text": text}, {"id": "t_bbbbbbbbbb", "text": "no"}],
    }


def answer(probe: Probe, number: int, every: int, *, searches: bool) -> dict[str, Any]:
    right = bool(every) and number % every == 0
    said = probe.gold if right else f"gate-{number}old"
    around = f"{HOSTILE[0]} the gateway listens on {said}"
    closed = Outcome(right, 2 if right else 0, not right and bool(probe.stale), said, around)
    row = {"probe": probe.id, "closed": closed.as_dict()}
    if searches:
        row["search"] = asdict(Outcome(True, 2 if number % 5 else 0, False, probe.gold, around))
    return row


def small_cycles(folder: Path) -> Path:
    """Writes a simulation of two arms; gives its folder."""
    folder.mkdir(parents=True)
    write(folder / "simulation.json", {"schema": "vademecum.bench.simulation/1"})
    for arm, growth, state in (("vademecum", 0, "working"), ("drop-results", 9_000, "stuck")):
        rows = [cycle(arm, number, 40_000 + growth * number) for number in range(1, 13)]
        end = {
            "schema": "vademecum.bench.end_state/1", "arm": arm, "end_state": state, "trigger": 160_000,
            "window": 320_000, "cycles": 12, "messages": 900, "consumed": 1_900_000, "requests": 400,
            "billed": 30_000_000, "floor": {"first": 40_000, "fifth": 50_000, "last": 60_000, "most": 60_000},
            "freed": {"first": 0.75, "last_three": 0.4, "least": 0.3},
        }  # fmt: skip
        lines(folder / f"{arm}.jsonl", [*rows, end])
    return folder


def cycle(arm: str, number: int, after: int) -> dict[str, Any]:
    asked = number == 1 or number % 5 == 0
    floor = {"system": 4_000, "user": after // 4, "assistant": after // 2, "call": 0, "result": 2_000}
    return {
        "schema": "vademecum.bench.cycle/1", "arm": arm, "cycle": number, "before": 160_400, "after": after,
        "freed_ratio": round(1 - after / 160_400, 4), "floor": {**floor, "text_floor": after - 2_000},
        "rows": 60, "consumed": 150_000 * number, "requests": 30, "billed_per_request": 90_000 + after // 4,
        "recall": {"asked": 50, "closed": 0.4, "search": 0.7} if asked else None,
        "stale": {"asked": 8, "right": 6, "stale": 1} if asked else None, "fallback": False, "outcome": "compacted",
    }  # fmt: skip


def write(path: Path, value: object) -> None:
    path.write_text(json.dumps(value, indent=1) + "\n", "utf-8")


def lines(path: Path, rows: list[Any]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
