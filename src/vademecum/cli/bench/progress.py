"""A bar for long work: on a terminal only, on stderr."""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager

from vademecum.cli.verb import Common


@contextmanager
def bar(shared: Common, title: str) -> Generator[Callable[[str, int, int], None]]:
    """Something to tell of each thing that is done: a bar on a terminal, else nothing."""
    if shared.quiet or not sys.stderr.isatty():
        yield lambda _what, _done, _total: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    console = Console(stderr=True, no_color=not shared.color)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task(title, total=None)

        def note(what: str, done: int, total: int) -> None:
            progress.update(task, description=f"{title} {what}", completed=done, total=total)

        yield note
