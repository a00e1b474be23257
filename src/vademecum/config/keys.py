"""Keys of models: they come from the environment, for one call, and are kept nowhere."""

from __future__ import annotations

from collections.abc import Mapping

from vademecum.config.table import SUMMARY_KEY
from vademecum.models.served import key_variables


def key_of(name: str, environ: Mapping[str, str]) -> str:
    """The key of a model that is named; empty where the environment has none.

    Args:
        name: `provider:model`, `URL#model`, or the model alone.
        environ: The environment.

    Raises:
        ConfigError: It is not known who serves the model.
    """
    return next((environ[each] for each in (SUMMARY_KEY, *key_variables(name)) if environ.get(each)), "")
