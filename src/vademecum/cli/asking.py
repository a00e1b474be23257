"""Asking before something is removed for good."""

from __future__ import annotations

import sys

import click

from vademecum.errors import ConfigError


def asked(question: str, *, yes: bool) -> bool:
    """Whether the person wants it; `--yes` has answered already.

    Raises:
        ConfigError: There is nobody to ask.
    """
    if yes:
        return True
    if not sys.stdin.isatty():
        raise ConfigError(f"there is nobody to ask: {question}", hint="add --yes")
    return click.confirm(question, err=True)
