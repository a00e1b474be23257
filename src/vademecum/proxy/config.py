"""What a proxy is told when it starts."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from vademecum.core.budget import Budget
from vademecum.core.pins import PIN_CAP
from vademecum.core.preset import Preset
from vademecum.models.catalog import Catalog


@dataclass(frozen=True, slots=True)
class ProxyConfig:
    """The settings of a proxy.

    Attributes:
        upstream: Base URL of the provider, without the path of the endpoint.
        db: The archive's file.
        preset: The policy.
        budget: Window, trigger and target of every session. A window that is not the user's holds only until that of
            the model which a request names is known.
        catalog: The windows of models that nobody else knows.
        trigger: The trigger that was asked for, if one was.
        target: The target that was asked for, if one was.
        workspace: The folder that the agents work in, whose edited files may be re-attached; None reads no file.
        pin_cap: Tokens that all pins of a session may have together.
        token_compression: False switches the local-summary tier off, nothing else.
        advice: Whether sessions that offer tools get the advice in their system text, from their first request on.
        max_body: Bytes of a request that is read, at most; more is refused with 413.
        connect_timeout: Seconds until the upstream must have answered the connection.
        patience: Seconds that a request waits for an archive that another process has locked.
    """

    upstream: str
    db: Path
    preset: Preset
    budget: Budget
    catalog: Catalog = field(default_factory=Catalog.of)
    trigger: int | None = None
    target: float | int | None = None
    workspace: Path | None = None
    pin_cap: int = PIN_CAP
    token_compression: bool = True
    advice: bool = False
    max_body: int = 64 << 20
    connect_timeout: float = 30.0
    patience: float = 2.0
