"""The option that names a wire format."""

from __future__ import annotations

import click

from vademecum.wire import DIALECTS

_NAMES = list(DIALECTS)

format_option = click.option(
    "--format",
    metavar="F",
    type=click.Choice(_NAMES),
    help=f"{', '.join(_NAMES[:-1])} or {_NAMES[-1]}.  [default: recognised]",
)
