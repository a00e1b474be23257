"""From the settings to what summarises."""

from __future__ import annotations

import os

from vademecum.compactor.summarizing import summarizer_of
from vademecum.config import Settings
from vademecum.config.keys import key_of
from vademecum.core.budget import Window
from vademecum.core.case import Summarizer as Mode
from vademecum.core.tokens import TokenCounter
from vademecum.errors import ConfigError
from vademecum.summarizers import Summarizer


def chosen_summarizer(config: Settings, window: Window, counter: TokenCounter) -> tuple[Mode, Summarizer | None]:
    """What summarises by the settings, with the key that the environment has for it.

    Args:
        config: The settings.
        window: The window of the model that runs the agent.
        counter: What counts tokens.

    Raises:
        ConfigError: The setting is none that is known, or nobody is known to serve the model.
    """
    by, model = config.summary_by, config.model or ""
    if by == "active" and not model:
        raise ConfigError("the active model is not known", hint="name it with --model provider:model, or URL#model")
    named = model if by == "active" else by
    # A server on this machine is asked without a key.
    asks = by == "active" or (":" in by and "://" not in by)
    key = key_of(named, os.environ) if asks else ""
    return summarizer_of(by, counter, model=model, window=window.tokens, key=key)
