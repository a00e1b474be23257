"""What a caller may give as summariser, and what it becomes."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from vademecum.core.case import Summarizer as Mode
from vademecum.core.requests import Summarize, SummaryReply, Unavailable
from vademecum.core.tokens import TokenCounter
from vademecum.errors import ConfigError
from vademecum.models.local_server import USUAL, LocalModel
from vademecum.models.model import Model
from vademecum.summarizers import StructuredSummarizer, Summarizer, window_of

#: `off`, `local`, the URL of a server (`URL#model`), a model, or a function from the request to a summary.
Given = str | Model | Summarizer | Callable[[Summarize], "str | SummaryReply | Unavailable"] | None


def summarizer_of(given: Given, counter: TokenCounter) -> tuple[Mode, Summarizer | None]:
    """The mode and the function that answers the planner's request for a summary.

    Args:
        given: What the caller gave.
        counter: What counts tokens.

    Raises:
        ConfigError: It is none of what it may be, or names a model that nobody gave.
    """
    if given is None or given == "off":
        return "off", None
    if given == "local":
        return "local", _on_this_machine(counter)
    if isinstance(given, str):
        if not given.startswith(("http://", "https://")):
            raise ConfigError(
                f"summarizer {given!r} needs a model",
                hint="give 'off', 'local', a server's URL, a model, or a function that writes the summary",
            )
        url, _, name = given.partition("#")
        return "local", _on_this_machine(counter, url, name)
    if hasattr(given, "complete"):
        return "active", StructuredSummarizer(cast("Model", given), counter.texts)
    if not callable(given):
        raise ConfigError(f"summarizer {given!r} is no function", hint="give 'off', a model, or a function")
    return "active", _replying(given)


def _on_this_machine(counter: TokenCounter, url: str = "", name: str = "") -> Summarizer:
    """A summariser by a server that is looked for when it is first needed, and again while none answers."""
    model = LocalModel(((url, name),) if url else tuple((usual, "") for usual in USUAL))

    def summarize(ask: Summarize) -> SummaryReply | Unavailable:
        found = model.found()
        if found is None:
            return Unavailable(f"no model answers at {url or 'the usual ports of this machine'}")
        return StructuredSummarizer(found, counter.texts)(ask)

    return summarize


def _replying(write: Callable[[Summarize], str | SummaryReply | Unavailable]) -> Summarizer:
    def summarize(ask: Summarize) -> SummaryReply | Unavailable:
        try:
            reply = write(ask)
        except Exception as error:  # noqa: BLE001  # a caller's own function: the structural tiers do without it
            return Unavailable(f"{type(error).__name__}: {error}")
        if not isinstance(reply, str):
            return reply
        return SummaryReply(reply, model=getattr(write, "__name__", "function"), covered=len(ask.messages))

    window = window_of(write)
    if window is not None:  # the preset may heed it
        setattr(summarize, "window", window)  # noqa: B010
    return summarize
