"""The command line: one file per verb. Data on stdout, talk on stderr, exit codes that mean something."""

from __future__ import annotations

from vademecum.cli.app import main

__all__ = ["main"]
