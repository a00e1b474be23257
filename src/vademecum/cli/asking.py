"""Asking before something is removed for good."""

from __future__ import annotations

import sys

import click

from vademecum.errors import ConfigError


def asked(question: str, *, yes: bool) -> bool:
    """Whether the person wants it; `--yes` has answered already.

    Raises:
        ConfigError: Nobody is there to be asked.
    """
    if yes:
        return True
    if not sys.stdin.isatty():
        raise ConfigError(f"{question} nobody is there to be asked", hint="say --yes")
    return click.confirm(question, err=True)
