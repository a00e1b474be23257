"""What a session's compactions have saved, in tokens and in money, and what its calls have cost."""

from __future__ import annotations

from dataclasses import dataclass

from vademecum.archive import ModelUsage, Session
from vademecum.models.catalog import Catalog


@dataclass(frozen=True, slots=True)
class Saving:
    """What a session has saved and spent.

    Attributes:
        saved_tokens: Input tokens that were not sent again; see `archive.Savings` for the formula.
        saved_usd: What they would have cost the model that was called most: the cached share of the session's prompts
            at the price of cached input, the rest at that of input. None where no model or no price is known.
        cached_ratio: The share of all reported prompt tokens that came from the provider's cache; None where nothing
            was reported.
        spent_usd: What all reported calls have cost; None where the price of one of their models is not known.
    """

    saved_tokens: int
    saved_usd: float | None
    cached_ratio: float | None
    spent_usd: float | None


def saved(session: Session, catalog: Catalog) -> Saving:
    """What a session has saved and spent, at the catalog's prices."""
    tokens, usage = session.savings().tokens, session.usage()
    prompts = sum(used.prompt_tokens for used in usage)
    cached = sum(used.cached_tokens for used in usage)
    ratio = cached / prompts if prompts else None
    costs = [cost_usd(used, catalog) for used in usage]
    spent = None if not costs or None in costs else sum(cost for cost in costs if cost is not None)
    return Saving(tokens, _worth(tokens, ratio, usage, catalog), ratio, spent)


def cost_usd(used: ModelUsage, catalog: Catalog) -> float | None:
    """What the calls of one model have cost, None where a price is not known."""
    known = catalog.find(used.model) if used.model else None
    if known is None:
        return None
    return known.cost_usd(
        fresh=max(0, used.prompt_tokens - used.cached_tokens - used.written_tokens),
        cached=used.cached_tokens,
        written=used.written_tokens,
        output=used.output_tokens,
    )


def _worth(tokens: int, ratio: float | None, usage: tuple[ModelUsage, ...], catalog: Catalog) -> float | None:
    known = catalog.find(usage[0].model) if usage and usage[0].model else None
    if known is None or ratio is None:
        return None
    cached = round(tokens * ratio)
    return known.cost_usd(fresh=tokens - cached, cached=cached)
