"""What is known of a model before it has been asked."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Known:
    """One model as the catalog, or the user's file, has it. Prices are in USD for a million tokens.

    Attributes:
        provider: Who serves it; empty where a file does not say.
        model: Its id there.
        window: What its input may have, in tokens; None when that is not known.
        max_output: The most it writes for one request; None when that is not known.
        input_usd: Price of what it reads.
        output_usd: Price of what it writes.
        cache_read_usd: Price of what it reads from the provider's cache.
        cache_write_usd: Price of what is put into that cache.
        source: `catalog`, or the file that says so.
    """

    provider: str
    model: str
    window: int | None = None
    max_output: int | None = None
    input_usd: float | None = None
    output_usd: float | None = None
    cache_read_usd: float | None = None
    cache_write_usd: float | None = None
    source: str = "catalog"

    @property
    def name(self) -> str:
        """`provider:model`."""
        return f"{self.provider}:{self.model}" if self.provider else self.model

    def cost_usd(self, *, fresh: int, cached: int = 0, written: int = 0, output: int = 0) -> float | None:
        """What tokens cost, or None where the price of some of them is not known.

        Args:
            fresh: Input tokens that were neither read from the cache nor put into it.
            cached: Input tokens read from the cache; at the input's price where no other is known.
            written: Input tokens put into the cache; the same.
            output: Tokens written, reasoning included.
        """
        if self.input_usd is None or (output and self.output_usd is None):
            return None
        read = self.input_usd if self.cache_read_usd is None else self.cache_read_usd
        put = self.input_usd if self.cache_write_usd is None else self.cache_write_usd
        total = fresh * self.input_usd + cached * read + written * put + output * (self.output_usd or 0.0)
        return total / 1_000_000
