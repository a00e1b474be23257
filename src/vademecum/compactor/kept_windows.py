"""What is kept of windows: read from the archive and written to it, in memory where it cannot be (M-2, M-6)."""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

from vademecum.archive import Archive
from vademecum.archive.sqlite.windows import StoredWindow
from vademecum.core.windows import Sources, Told, plausible
from vademecum.errors import ArchiveError

_log = logging.getLogger("vademecum.windows")


class KeptWindows:
    """The windows that an archive keeps, by endpoint and model; what cannot be read or written is kept in memory.

    Args:
        archive: Opens the archive; None while there is none.
        now: Seconds since the epoch.
    """

    def __init__(self, archive: Callable[[], Archive | None], now: Callable[[], float]) -> None:
        self._archive = archive
        self._now = now
        self._held: dict[tuple[str, str], StoredWindow] = {}
        self._unkept: dict[tuple[str, str], StoredWindow] = {}

    def of(self, endpoint: str, model: str) -> StoredWindow:
        """What is kept of a model; what was known before while the archive cannot be read or written."""
        key = (endpoint, model)
        with suppress(ArchiveError):
            archive = self._archive() if model else None
            if archive is not None:
                unkept = self._unkept.get(key)
                for told in () if unkept is None else (unkept.probed, unkept.learned):
                    if told is not None:
                        archive.windows.remember(endpoint, model, told)
                self._held[key] = archive.windows.of(endpoint, model)
                self._unkept.pop(key, None)
        return self._unkept.get(key) or self._held.get(key) or StoredWindow(endpoint, model)

    def keep(self, endpoint: str, model: str, told: Told) -> None:
        """Keeps what was said or learned: in the archive, else in memory."""
        before, learned = self.of(endpoint, model), told.standing == "learned"
        held = before.learned if learned else before.probed
        if held is None or (held.window, held.max_output) != (told.window, told.max_output):
            _log.info("model=%s window=%s output=%s by %s", model, told.window, told.max_output, told.source)
        try:
            archive = self._archive() if model else None
            if archive is not None:
                archive.windows.remember(endpoint, model, told)
                self._unkept.pop((endpoint, model), None)
                return
        except ArchiveError as error:
            _log.warning("a window is not kept: %s", type(error).__name__)
        self._unkept[endpoint, model] = _with(before, told)

    def learn(
        self, endpoint: str, model: str, *, window: int | None, output: int | None = None, name: str = ""
    ) -> bool:
        """Keeps the limits that an error named; they count from the next look on.

        Args:
            endpoint: Where the model is.
            model: Its id there.
            window: The window that it named; None for none.
            output: The most output that it named; None for none.
            name: What it is kept under, where that is another one than the model's id.

        Returns:
            Whether there was anything plausible to keep.
        """
        name, source, at = name or model, "an error of the endpoint", self._now()
        found = False
        if window is not None and plausible(window):
            known = Sources(probed=self.of(endpoint, model).probed, learned=self.of(endpoint, name).learned)
            self.keep(endpoint, name, known.learning(window, source=source, at=at))
            found = True
        if output is not None and output > 0 and plausible(output, least=1):
            known = Sources(learned=self.of(endpoint, name).learned)
            self.keep(endpoint, name, known.learning_output(output, source=source, at=at))
            found = True
        return found


def _with(before: StoredWindow, told: Told) -> StoredWindow:
    """What is known of a model with one more thing that was said of it, as the archive would have it."""
    if told.standing == "learned":
        return replace(before, learned=told)
    left = None if before.learned is None else before.learned.after(told)
    return replace(before, probed=told, learned=left)
