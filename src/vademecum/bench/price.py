"""What tokens cost: a model's prices from the catalog, or given ones."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from vademecum.errors import ConfigError
from vademecum.models.catalog import Catalog

#: Whose prices are taken where nobody says.
DEFAULT = "anthropic:claude-sonnet-4-5"
_MILLION = 1_000_000


@dataclass(frozen=True)
class Price:
    """USD for a million tokens.

    Attributes:
        name: The model, or the prices as they were given.
        input: Of input that no cache has.
        output: Of output.
        cached: Of input that is read from the provider's cache.
        written: Of input that is put into it.
    """

    name: str
    input: float
    output: float
    cached: float
    written: float

    def usd(self, *, fresh: int = 0, output: int = 0, cached: int = 0, written: int = 0) -> float:
        """What tokens cost."""
        total = fresh * self.input + output * self.output + cached * self.cached + written * self.written
        return total / _MILLION

    def as_dict(self) -> dict[str, Any]:
        """JSON data."""
        return asdict(self)


def price_of(text: str = DEFAULT, catalog: Catalog | None = None) -> Price:
    """The price that a text names.

    Args:
        text: A model of the catalog, or INPUT/OUTPUT/CACHED with /WRITTEN after it where that is not the input's.
        catalog: Where models are looked up; by default the packaged one.

    Raises:
        ConfigError: There is no such model, its price is not known, or the text is neither.
    """
    if "/" in text and text.replace("/", "").replace(".", "").isdigit():
        return _given(text)
    where = catalog or Catalog.of()
    known = where.find(text)
    if known is None:
        near = where.near(text)
        hint = f"did you mean {' or '.join(near)}?" if near else "or give prices as INPUT/OUTPUT/CACHED"
        raise ConfigError(f"the catalog has no model {text!r}", hint=hint)
    if known.input_usd is None or known.output_usd is None:
        raise ConfigError(f"the price of {known.name} is not known", hint="give prices as INPUT/OUTPUT/CACHED")
    read, put = known.cache_read_usd, known.cache_write_usd
    return Price(
        known.name,
        known.input_usd,
        known.output_usd,
        known.input_usd if read is None else read,
        known.input_usd if put is None else put,
    )


def _given(text: str) -> Price:
    try:
        figures = [float(piece) for piece in text.split("/")]
        fresh, output, cached, *more = figures
        (written,) = more or (fresh,)
    except ValueError as error:
        raise ConfigError(
            f"{text!r} are no prices", hint="INPUT/OUTPUT/CACHED in USD for a million tokens, such as 3/15/0.3"
        ) from error
    return Price(text, fresh, output, cached, written)
