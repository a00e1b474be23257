"""What the machine itself holds up, beside what is measured on it."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def watched() -> Iterator[list[float]]:
    """How late a thread that sleeps a millisecond is woken, in milliseconds: what the machine itself holds up."""
    gaps, over = [0.0], threading.Event()

    def watch() -> None:
        while not over.is_set():
            began = time.monotonic_ns()
            over.wait(0.001)
            gaps.append((time.monotonic_ns() - began) / 1e6)

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield gaps
    finally:
        over.set()
        thread.join()
