"""What a server is told when it starts."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from vademecum.core.budget import Budget, Window, budget
from vademecum.core.preset import Preset


@dataclass(frozen=True, slots=True)
class ServerConfig:
    """The settings of a server.

    Attributes:
        db: The archive's file.
        preset: The policy.
        owner: Whose sessions are served; those of others are invisible.
        session: The session that is meant where a call names none; empty for none.
        window: The window, where one or a model was given.
        max_output: The output limit of each request, where one was given.
        trigger: The trigger that was asked for, if one was.
        target: The target that was asked for, if one was.
        token_compression: False switches the local-summary tier off.
        workspace: The folder whose files may be looked at to tell what is stale.
        patience: Seconds that a call waits for an archive that another process has locked.
    """

    db: Path
    preset: Preset
    owner: str = ""
    session: str = ""
    window: Window | None = None
    max_output: int | None = None
    trigger: int | None = None
    target: float | int | None = None
    token_compression: bool = True
    workspace: Path | None = None
    patience: float = 5.0

    def budget(self, window: Window) -> Budget:
        """The budget that this policy gives a window."""
        return budget(
            self.preset, window=window, max_output=self.max_output, trigger=self.trigger, target=self.target
        )
