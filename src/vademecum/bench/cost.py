"""What an arm costs (B-8): the compaction itself, and every request after it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from vademecum.bench.price import Price
from vademecum.core.messages import Message
from vademecum.core.tokens import TokenCounter

#: What an arm with a model reports in `details["usage"]`; input does not count what was cached.
USAGE = ("calls", "input", "output", "cached")


def cost_of(rows: Sequence[Mapping[str, Any]], price: Price) -> dict[str, Any]:
    """The mean over some lineages, each compacted once.

    A request after the compaction sends the whole context, which the provider has cached by then; the first one
    writes what follows the first changed message anew.

    Args:
        rows: An arm's results, one for each lineage.
        price: What tokens cost.
    """
    usages: list[Mapping[str, int]] = [row["details"].get("usage") or {} for row in rows]
    used = {name: _mean([usage.get(name, 0) for usage in usages]) for name in USAGE}
    kept = _mean([row["tokens"] for row in rows])
    changed = _mean([row["tokens"] - row.get("unchanged", 0) for row in rows])
    seconds = [row["seconds"] for row in rows if row["seconds"] is not None]
    per_request = price.usd(cached=kept)
    return {
        "tokens": kept,
        "seconds": round(sum(seconds) / len(seconds), 3) if seconds else None,
        **used,
        "usd_per_compaction": _usd(price.usd(fresh=used["input"], output=used["output"], cached=used["cached"])),
        "usd_per_request": _usd(per_request),
        "changed": changed,
        "usd_cache_break": _usd(price.usd(written=changed) - price.usd(cached=changed)),
    }


def _mean(values: Sequence[int]) -> int:
    return round(sum(values) / len(values)) if values else 0


def _usd(value: float) -> float:
    return round(value, 6)


def unchanged(before: Sequence[Message], after: Sequence[Message], counter: TokenCounter) -> int:
    """Tokens at the beginning of a context that are those of the transcript, so that the cache has them."""
    pairs = enumerate(zip(before, after, strict=False))
    stop = next((at for at, (old, new) in pairs if old.identity != new.identity), min(len(before), len(after)))
    return sum(counter.messages(after[:stop]))
