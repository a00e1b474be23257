"""A summary at the end of the request as it stands, against one of its own, on a real llama.cpp server.

    .venv/bin/python bench/riding.py

A conversation grows round by round until it is compacted; the server (`make llama`) has read all of it but the last
rounds. Then the summary is asked for once in each way, and what the server reports as read and as cached is priced by
the catalog for some models. The summary itself is cut short: what is looked at is what is read. Writes
`results/riding.json`.
"""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
# In place of this folder, whose files of the same names would be found first.
sys.path[0] = str(ROOT / "tests")

from e2e.llama import llama  # noqa: E402
from vademecum import Client, Compactor  # noqa: E402
from vademecum.core.standing import Way  # noqa: E402
from vademecum.models.catalog import Catalog  # noqa: E402
from vademecum.models.clients import ClientModel, body_of  # noqa: E402
from vademecum.models.model import Prompt, Reply, Ride  # noqa: E402
from vademecum.testing import sample  # noqa: E402

RESULTS = ROOT / "bench/results/riding.json"
WINDOW, TRIGGER, STEP, WORDS = 4_096, 2_200, 8, 16
MODEL = "smollm2"
PRICED = ("anthropic:claude-sonnet-4-5", "openai:gpt-5", "google:gemini-2.5-pro", "deepseek:deepseek-chat")
#: What a summary of this size has, for its price; here it is cut off after a few words.
SUMMARY = 800


class Bounded(ClientModel):
    """The real model, with short replies."""

    def __init__(self, client: Client) -> None:
        super().__init__(client, MODEL, WINDOW, options={"temperature": 0})
        self.replies: list[Reply] = []

    def complete(self, prompt: Prompt) -> Reply:
        """See `ClientModel.complete`."""
        return self._kept(super().complete(replace(prompt, max_tokens=WORDS)))

    def ride(self, ride: Ride) -> Reply:
        """See `ClientModel.ride`."""
        return self._kept(super().ride(replace(ride, max_tokens=WORDS)))

    def _kept(self, reply: Reply) -> Reply:
        self.replies.append(reply)
        return replace(reply, finish="stop")


def main() -> None:
    """Measures both ways and writes the results."""
    found = {}
    for way in ("ride", "separate"):
        with llama(WINDOW) as server, Client("openai-chat", url=f"{server.url}/v1") as client:
            found[way] = measured(client, way)
    rows = {name: {way: price(name, figures) for way, figures in found.items()} for name in PRICED}
    figures = {"schema": "vademecum.bench.riding/1", "model": "SmolLM2-135M-Instruct", "window": WINDOW,
               "trigger": TRIGGER, "summary_tokens_priced": SUMMARY, "measured": found, "usd": rows}  # fmt: skip
    RESULTS.write_text(json.dumps(figures, indent=1) + "\n", "utf-8")
    print(json.dumps(figures, indent=1))


def measured(client: Client, way: str) -> dict[str, Any]:
    """The first request for a summary, made in one way, and what it was reckoned to cost."""
    model = Bounded(client)
    compactor = Compactor(window=WINDOW, trigger=TRIGGER, model=MODEL, summarizer=model)
    rows = sample(turns=30, rounds=1, chars=400)
    for length in range(STEP, len(rows), STEP):
        fitted = compactor.fit(rows[:length])
        if fitted.receipt.cycle:
            break
        body = body_of("openai-chat", MODEL, fitted.messages, max_output=WORDS, options={"temperature": 0})
        reply = client.send(body)
        # Without a report nothing is known to be cached, and a request of its own is cheaper.
        if way == "ride":
            compactor.observe(reply.raw)
    chosen: Way = fitted.receipt.summary_ways[0]
    assert chosen.way == way, chosen
    first = model.replies[0]
    return {
        "read": first.input_tokens,
        "cached": first.cached_tokens,
        "context": fitted.receipt.tokens_before,
        "reckoned": {"ride": chosen.ride, "separate": chosen.separate, "unit": chosen.unit, "why": chosen.why},
    }


def price(name: str, figures: dict[str, Any]) -> float | None:
    """What such a request costs at a model of the catalog, its summary included."""
    known = Catalog.of(None).find(name)
    fresh = figures["read"] - figures["cached"]
    cost = None if known is None else known.cost_usd(fresh=fresh, cached=figures["cached"], output=SUMMARY)
    return None if cost is None else round(cost, 6)


if __name__ == "__main__":
    main()
