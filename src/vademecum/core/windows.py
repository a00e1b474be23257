"""Which window counts (M-2): the user's, else what the runtime said, else the catalog's, else the default.

What an error taught caps whichever it is, until a newer answer of the runtime says otherwise.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from vademecum.core.budget import LARGEST_WINDOW, SMALLEST_WINDOW, Origin, Window
from vademecum.errors import ConfigError

#: What is taken where nothing is known.
DEFAULT_TOKENS = 32_000

#: `runtime`: what the server has set aside. `announced`: what a provider publishes. `bound`: the most that it could
#: be, such as the length that a model was trained with. `learned`: what an error named.
Standing = Literal["runtime", "announced", "bound", "learned"]


@dataclass(frozen=True, slots=True)
class Key:
    """What a window belongs to.

    Attributes:
        provider: Who serves the model; empty where that is not known.
        endpoint: The base URL without version, key or query; empty where none is known.
        model: The model that really runs.
    """

    provider: str
    endpoint: str
    model: str

    def __post_init__(self) -> None:
        if not self.model.strip():
            raise ConfigError(
                f"a request to {self.endpoint or self.provider or 'the provider'} names no model",
                hint="the window is that of the model which really runs: name it, or give the window in tokens",
            )


@dataclass(frozen=True, slots=True)
class Told:
    """What one source says of a model.

    Attributes:
        window: Tokens that its input may have; None where the source does not say.
        standing: What kind of source it is.
        source: The source in words, such as `llama.cpp GET /props`.
        at: When it said so, in seconds since the epoch.
        max_output: The most it writes for one request; None where the source does not say.
        against: For what was learned: the runtime's figure that was shown to be wrong; 0 for none.
    """

    window: int | None
    standing: Standing
    source: str = ""
    at: float = 0.0
    max_output: int | None = None
    against: int = 0

    def outdated_by(self, answer: Told | None) -> bool:
        """Whether the runtime says otherwise than what was learned: newer, that there is more, and no repetition."""
        if answer is None or not self._before(answer) or self.window is None or answer.window is None:
            return False
        return answer.window > self.window and answer.window != self.against

    def after(self, answer: Told) -> Told | None:
        """What still stands of what was learned once the server has answered; None for nothing."""
        if self.outdated_by(answer):
            # An output limit that was learned is no window.
            return replace(self, window=None, against=0) if self.max_output else None
        if self._before(answer) and answer.window != self.against:
            # The server was started anew: the figure that was wrong once may be right another time.
            return replace(self, against=0)
        return self

    def _before(self, answer: Told) -> bool:
        return answer.standing == "runtime" and answer.window is not None and answer.at > self.at


@dataclass(frozen=True, slots=True)
class Sources:
    """What is known of one model.

    Attributes:
        user: The window that the user gave; None for none.
        probed: The newest answer of the server.
        learned: What its errors taught.
        catalog: What the catalog has, or the user's file of models.
    """

    user: int | None = None
    probed: Told | None = None
    learned: Told | None = None
    catalog: Told | None = None

    @property
    def window(self) -> Window:
        """The window that counts, with where it comes from."""
        found, cap = self._uncapped, self._cap
        if cap is not None and (cap < found.tokens or found.origin == "default"):
            return Window(cap, "learned")
        return found

    @property
    def max_output(self) -> int | None:
        """The most the model writes for one request; None where nobody says."""
        learned = None if self.learned is None else self.learned.max_output
        others = [told.max_output for told in (self.probed, self.catalog) if told is not None]
        known = next((found for found in others if found), None)
        return min((found for found in (learned, known) if found), default=None)

    @property
    def output_cap(self) -> int | None:
        """The most that may be asked for in one request, as errors taught; None where none did.

        What is only announced is no reason to change a request: it may be outdated.
        """
        return None if self.learned is None else self.learned.max_output

    @property
    def max_output_origin(self) -> Origin | None:
        """Where that figure comes from; None where nobody says."""
        rows: tuple[tuple[Origin, Told | None], ...] = (
            ("learned", self.learned),
            ("probed", self.probed),
            ("catalog", self.catalog),
        )
        most = self.max_output
        return next((name for name, told in rows if most and told is not None and told.max_output == most), None)

    @property
    def _uncapped(self) -> Window:
        if self.user is not None:
            return Window(self.user, "user")
        probed = None if self.probed is None else self.probed.window
        if self.probed is not None and probed is not None and self.probed.standing != "bound":
            return Window(probed, "probed")
        if self.catalog is not None and self.catalog.window is not None:
            found = Window(self.catalog.window, "catalog")
        else:
            found = Window(DEFAULT_TOKENS, "default")
        return found if probed is None or probed >= found.tokens else Window(probed, "probed")

    @property
    def _cap(self) -> int | None:
        if self.learned is None or self.learned.outdated_by(self.probed):
            return None
        return self.learned.window

    def learning(self, tokens: int, *, source: str, at: float) -> Told:
        """What is to be kept of an error that named a limit: the newest error is right."""
        refuted = 0 if self.probed is None or self.probed.standing != "runtime" else self.probed.window or 0
        output = None if self.learned is None else self.learned.max_output
        return Told(tokens, "learned", source, at, output, refuted)

    def learning_output(self, tokens: int, *, source: str, at: float) -> Told:
        """What is to be kept of an error that named the most one reply may have; the window stays as it was."""
        if self.learned is None or self.learned.window is None:
            return Told(None, "learned", source, at, tokens)
        return replace(self.learned, max_output=tokens)


def plausible(tokens: int, *, least: int = SMALLEST_WINDOW) -> bool:
    """Whether a figure can be a window (M-6): from 128 where a field has it, from `least` up to 10M."""
    return least <= tokens <= LARGEST_WINDOW


def endpoint_of(url: str) -> str:
    """The endpoint of a base URL: without user, key, query, version, or a slash at its end."""
    scheme, _, rest = url.strip().partition("://")
    if not rest:
        return ""
    place, slash, path = rest.split("?", 1)[0].split("#", 1)[0].partition("/")
    path = f"{slash}{path}".rstrip("/")
    for version in ("/v1", "/v1beta", "/v1alpha"):
        path = path.removesuffix(version)
    return f"{scheme.lower()}://{place.rpartition('@')[2].lower()}{path}"
