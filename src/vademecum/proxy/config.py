"""What a proxy is told when it starts."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from vademecum.compactor.summarizing import Given
from vademecum.core.budget import Budget
from vademecum.core.pins import PIN_CAP
from vademecum.core.preset import Preset
from vademecum.models.catalog import Catalog
from vademecum.models.clients.retrying import Retries
from vademecum.models.errors.table import Table
from vademecum.proxy.upstreams import Upstream


@dataclass(frozen=True, slots=True)
class ProxyConfig:
    """The settings of a proxy.

    Attributes:
        upstreams: Where requests go: the first that is well, the next where that fails.
        db: The archive's file.
        preset: The policy.
        budget: Window, trigger and target of every session. A window that is not the user's holds only until that of
            the model which a request names is known.
        catalog: The windows of models that nobody else knows.
        wordings: What errors mean, with the user's own rows; None for the packaged table.
        trigger: The trigger that was asked for, if one was.
        target: The target that was asked for, if one was.
        workspace: The folder that the agents work in, whose edited files may be re-attached; None reads no file.
        pin_cap: Tokens that all pins of a session may have together.
        token_compression: False switches the local-summary tier off, nothing else.
        summarizer: What writes summaries; `active` is none here, since keys are the clients'.
        key: Its key, where it is a model that is named and needs one.
        advice: Whether sessions that offer tools get the advice in their system text, from their first request on.
        max_body: Bytes of a request that is read, at most; more is refused with 413.
        connect_timeout: Seconds until the upstream must have answered the connection.
        patience: Seconds that a request waits for an archive that another process has locked.
        hold: Seconds that the beginning of a stream is held back, at most, while nothing of the reply's own is in it:
            an error that follows can then still be answered otherwise.
        answer_timeout: Seconds until an upstream must have begun to answer where another one could be asked.
        cooldown: Seconds that an upstream which failed is left alone by a session; twice as long each further time.
        now: Seconds since the epoch.
        retries: How often a request is sent again to the same upstream before another one is asked.
    """

    upstreams: tuple[Upstream, ...]
    db: Path
    preset: Preset
    budget: Budget
    catalog: Catalog = field(default_factory=Catalog.of)
    wordings: Table | None = None
    trigger: int | None = None
    target: float | int | None = None
    workspace: Path | None = None
    pin_cap: int = PIN_CAP
    token_compression: bool = True
    summarizer: Given = "off"
    key: str = field(default="", repr=False)
    advice: bool = False
    max_body: int = 64 << 20
    connect_timeout: float = 30.0
    patience: float = 2.0
    hold: float = 2.0
    answer_timeout: float = 600.0
    cooldown: float = 30.0
    now: Callable[[], float] = time.time
    retries: Retries = field(default_factory=lambda: Retries(tries=2, first=0.5, longest=5.0))
