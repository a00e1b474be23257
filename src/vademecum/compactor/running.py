"""The model that really runs, and its window: found out anew for every request (M-1, M-2, M-3)."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from urllib.parse import urlsplit

from vademecum.archive import Archive
from vademecum.compactor.kept_windows import KeptWindows
from vademecum.core.budget import Window
from vademecum.core.windows import DEFAULT_TOKENS, Key, Sources
from vademecum.errors import ConfigError
from vademecum.models.catalog import Catalog
from vademecum.models.errors import Verdict
from vademecum.models.named import alike, key_of
from vademecum.models.probe import own_network
from vademecum.models.questions import Questions
from vademecum.models.sources import sources

#: How long a request waits, once, where nothing at all is known of its window, in seconds; a question takes less.
_FIRST_S = 3.0


@dataclass(frozen=True, slots=True)
class Found:
    """What holds for a request.

    Attributes:
        window: The window, and where its figure comes from.
        model: The model that runs, as far as it is known; empty where none is named.
        output_cap: The most output that may be asked for, as errors taught; None where none did.
        most_output: The most that one reply has, by whoever says so; None where nobody does.
        warning: What is to be known of it; empty for nothing.
    """

    window: Window
    model: str = ""
    output_cap: int | None = None
    most_output: int | None = None
    warning: str = ""

    def limit(self, asked: int | None) -> int | None:
        """The output limit to ask for in place of one that was asked; None stays None."""
        return asked if asked is None or self.output_cap is None else min(asked, self.output_cap)


class RunningModel:
    """The model of a compactor: by the name it was given, else by that of the model that answered.

    Args:
        window: The window in tokens, which wins; one that the caller has found out itself is taken as it is.
        model: The model's name: `provider:model`, the model alone, or `URL#model`.
        endpoint: The base URL where it runs, where that is not its provider's own.
        asks: Whether an endpoint on another's machine that is named may be asked.
        key: The endpoint's key, with which it is asked for the window; it is kept nowhere else.
        catalog: The user's own file of models.
        now: Seconds since the epoch.
        clock: Seconds that only grow.

    Raises:
        ConfigError: Neither window nor model is given, or one of them is none.
    """

    def __init__(
        self,
        window: int | Window | None,
        model: str | None,
        *,
        endpoint: str = "",
        asks: bool = True,
        key: str = "",
        catalog: str | Path | None = None,
        now: Callable[[], float] = time.time,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        given: dict[str, object] = {"model": model, "endpoint": endpoint, "catalog": catalog}
        for what, value in given.items():
            kinds = (str, Path) if what == "catalog" else str
            if value is not None and not isinstance(value, kinds):
                raise ConfigError(f"{what} {value!r} is no text", hint=f"give {what} as a str")
        if window is None and model is None:
            raise ConfigError(
                "neither window nor model is given", hint="give window=200_000, or model='provider:model'"
            )
        self._fixed = window if isinstance(window, Window) and window.origin != "user" else None
        self._user = window.tokens if isinstance(window, Window) else window
        self._name, self._endpoint = model or "", endpoint
        #: Whether an endpoint elsewhere may be asked: it was named, or there is a key for it.
        self._named = asks and bool(endpoint or key or "://" in self._name)
        self._file = None if catalog is None else Path(catalog)
        self._asked = self._name
        self._answered: dict[str, str] = {}
        self._archive: Archive | None = None
        self._kept = KeptWindows(lambda: self._archive, now)
        self._warned: dict[str, str] = {}
        self._waited: set[Key] = set()
        # What is wrong with the name is said now; its key is no other endpoint's business.
        named = self._name and self._fixed is None
        own = key_of(self._name, self._catalog, endpoint) if named else None
        self._home = "" if own is None else own.endpoint
        self._questions = Questions(self._home, key, now, clock)

    def first(self, archive: Archive | None) -> Window:
        """The window before anything was sent; the server is being asked from then on."""
        return self._found(archive, "", patience=0.0).window

    def found(self, archive: Archive, model: str = "") -> Found:
        """What holds for the next request.

        Args:
            archive: The archive that keeps what is found out.
            model: The model that the request asks, where it differs from the compactor's.
        """
        return self._found(archive, model, patience=_FIRST_S)

    def answered(self, model: str) -> Found | None:
        """Takes which model answered the newest request: where it is another one, its window counts from now on.

        Args:
            model: Its name; empty where the reply does not say.

        Returns:
            What holds from now on; None where the caller goes by a window that it has found out itself.
        """
        key = self._key(self._asked)
        if self._fixed is not None or key is None:
            return None
        if model:
            self._answered.pop(self._asked, None)
            if not alike(key.model, model):
                self._answered[self._asked] = model
                key = replace(key, model=model)
            probed = self._kept.of(key.endpoint, key.model).probed
            if probed is None or probed.standing == "bound":
                self._questions.again(key)  # it is loaded now
            if self._user is None:
                self._ask(key)
        return self._found(self._archive, self._asked, patience=0.0)

    def learn(self, verdict: Verdict) -> None:
        """Takes what an error taught about the model that was asked last."""
        self.learn_limits(verdict.named_window, verdict.output_cap)
        if verdict.kind == "unavailable":  # it may come back with another window
            self._questions.again()

    def learn_limits(self, window: int | None, output: int | None = None) -> None:
        """Takes limits that were found out about the model that was asked last; None for none."""
        key = self._runs(self._asked)
        at = ("", "") if key is None else (key.endpoint, key.model)
        self._kept.learn(*at, window=window, output=output)

    def _found(self, archive: Archive | None, model: str, *, patience: float) -> Found:
        self._archive = archive
        self._asked = asked = model or self._name
        if self._fixed is not None:
            return Found(self._fixed, asked)
        key = self._runs(asked)
        if key is None:
            known = Sources(self._user, learned=self._kept.of("", "").learned)
            return Found(known.window, "", known.output_cap, known.max_output)
        known, runs, warning = self._known(key, patience), self._answered.get(asked, asked), ""
        if known.window.origin == "default" and runs != asked:
            # More likely another name of the model that was asked than a model that nobody knows.
            warning = f"unknown_model: {runs!r} answers, of which nobody knows the window: that of {asked!r} is taken"
            known, runs = self._known(key_of(asked, self._catalog, self._place(asked)), patience), asked
        elif known.window.origin == "user" and runs != asked and self._nobody_knows(key):
            runs = asked  # the same, and the window is given anyway
        if known.window.origin == "default":
            warning = self._unknown(runs)
        return Found(known.window, runs, known.output_cap, known.max_output, warning)

    def _nobody_knows(self, key: Key) -> bool:
        """Whether a model has a window from nobody but the user."""
        return self._sources(key, None).window.origin == "default"

    def _known(self, key: Key, patience: float) -> Sources:
        self._take()
        found = self._sources(key, self._user)
        if self._user is not None and found.learned is None:
            return found  # the user's word is enough
        self._ask(key)
        if patience and found.window.origin == "default" and key not in self._waited:
            self._waited.add(key)
            self._questions.wait(key, patience)
            self._take()
            return self._sources(key, self._user)
        return found

    def _sources(self, key: Key, user: int | None) -> Sources:
        held = self._kept.of(key.endpoint, key.model)
        return sources(key, catalog=self._catalog, user=user, probed=held.probed, learned=held.learned)

    def _take(self) -> None:
        """Keeps what servers have answered since."""
        for key, told in self._questions.answers():
            self._kept.keep(key.endpoint, key.model, told)

    def _ask(self, key: Key) -> None:
        named = self._named and key.endpoint == self._home
        if named or (key.endpoint and own_network(urlsplit(key.endpoint).hostname or "")):
            self._questions.ask(key)

    def _key(self, name: str) -> Key | None:
        """The model of a name; None for no name."""
        if not name:
            return None
        return key_of(name, self._catalog, self._place(name))

    def _place(self, name: str) -> str:
        """The endpoint that was given; a name may have one of its own."""
        return "" if "://" in name else self._endpoint

    def _runs(self, asked: str) -> Key | None:
        """The model that runs where one is asked for: the one that answered last time, at the same endpoint."""
        key, model = self._key(asked), self._answered.get(asked)
        return key if key is None or model is None else replace(key, model=model)

    @cached_property
    def _catalog(self) -> Catalog:
        return Catalog.of(self._file)

    def _unknown(self, name: str) -> str:
        """The warning about a model that nobody knows; to look for names like it takes a while."""
        if name not in self._warned:
            near = self._catalog.near(name)
            meant = f"; did you mean {' or '.join(near)}?" if near else "."
            self._warned[name] = (
                f"unknown_window: nobody knows the window of {name!r}, so {DEFAULT_TOKENS:,} tokens are taken{meant} "
                "Give window=N in tokens, or an endpoint= that can be asked"
            )
        return self._warned[name]
