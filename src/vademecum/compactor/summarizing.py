"""What a caller may give as summariser, and what it becomes."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from vademecum.core.case import Summarizer as Mode
from vademecum.core.requests import Summarize, SummaryReply, Unavailable
from vademecum.core.tokens import TokenCounter
from vademecum.errors import ConfigError
from vademecum.models.clients.served_model import ServedModel
from vademecum.models.local_server import USUAL, LocalModel
from vademecum.models.model import Model
from vademecum.models.named import checked_url
from vademecum.summarizers import StructuredSummarizer, Summarizer, window_of

#: `off`, `local`, `active`, the URL of a server (`URL#model`), `provider:model`, a model, or a function from the
#: request to a summary.
Given = str | Model | Summarizer | Callable[[Summarize], "str | SummaryReply | Unavailable"] | None


def summarizer_of(
    given: Given, counter: TokenCounter, *, model: str = "", window: int = 0, key: str = ""
) -> tuple[Mode, Summarizer | None]:
    """The mode and the function that answers the planner's request for a summary.

    Args:
        given: What the caller gave.
        counter: What counts tokens.
        model: The model that runs the agent; empty where none is named.
        window: Its window.
        key: The key of the model that is named, where it needs one.

    Raises:
        ConfigError: It is none of what it may be, or it is not known who serves the model.
    """
    if given is None or given == "off":
        return "off", None
    if given == "local":
        return "local", _on_this_machine(counter)
    if given == "active":
        if not model:
            raise ConfigError(
                "summarizer 'active' needs the model's name",
                hint="give model='provider:model' or 'URL#model', or a model of your own as summarizer",
            )
        return "active", StructuredSummarizer(ServedModel(model, window, key=key), counter.texts)
    if isinstance(given, str) and ":" in given and "://" not in given:
        return "active", StructuredSummarizer(ServedModel(given, key=key), counter.texts)
    if isinstance(given, str):
        if not given.startswith(("http://", "https://")):
            raise ConfigError(
                f"summarizer {given!r} is none that is known",
                hint="give 'off', 'local', 'active', a server's URL, 'provider:model', a model, or a function",
            )
        url, _, name = given.partition("#")
        checked_url(url)
        return "local", _on_this_machine(counter, url, name)
    if hasattr(given, "complete"):
        return "active", StructuredSummarizer(cast("Model", given), counter.texts)
    if not callable(given):
        raise ConfigError(f"summarizer {given!r} is no function", hint="give 'off', 'active', a model, or a function")
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
