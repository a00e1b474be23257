"""From the settings to what summarises."""

from __future__ import annotations

import os
from urllib.parse import urlsplit

from vademecum.compactor.summarizing import summarizer_of
from vademecum.config import Settings
from vademecum.config.keys import key_of
from vademecum.core.budget import Window
from vademecum.core.case import Summarizer as Mode
from vademecum.core.tokens import TokenCounter
from vademecum.errors import ConfigError
from vademecum.models.named import checked_url
from vademecum.summarizers import Summarizer

_LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})


def chosen_summarizer(config: Settings, window: Window, counter: TokenCounter) -> tuple[Mode, Summarizer | None]:
    """What summarises by the settings, with the key that the environment has for it.

    Args:
        config: The settings.
        window: The window of the model that runs the agent.
        counter: What counts tokens.

    Raises:
        ConfigError: The setting is none that is known, or nobody is known to serve the model.
    """
    by, key = named_summarizer(config)
    return summarizer_of(by, counter, model=config.model or "", window=window.tokens, key=key)


def named_summarizer(config: Settings) -> tuple[str, str]:
    """Who summarises by the settings, and the key that the environment has for it.

    Raises:
        ConfigError: It is not to be said there, or nobody is known to serve the model.
    """
    by, model = config.summary_by, config.model or ""
    if "://" in by:
        checked_url(by)
    _refuse_a_project(config)
    if by == "active" and not model:
        raise ConfigError("the active model is not known", hint="name it with --model provider:model, or URL#model")
    # A server on this machine is asked without a key.
    asks = by == "active" or (":" in by and "://" not in by)
    return by, key_of(model if by == "active" else by, os.environ) if asks else ""


def _refuse_a_project(config: Settings) -> None:
    """Whoever writes a project's files would get what is said, and the key, by naming a place of their own."""
    by, model = config["summary.by"], config["model"]
    named = by if by.value not in ("off", "local", "active") else model if by.value == "active" else None
    if named is by and urlsplit(config.summary_by).hostname in _LOOPBACK:
        return
    if named is not None and named.origin == "project_file":
        raise ConfigError(
            f"{named.where}: a project does not say who reads what is summarised",
            hint=f"set {named.name} in your own file, in the environment, or by a flag",
        )
    if by.value == "active" and by.origin == "project_file":
        raise ConfigError(
            f"{by.where}: a project does not say that a model is asked",
            hint="set summary.by in your own file, in the environment, or by a flag",
        )
