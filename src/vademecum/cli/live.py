"""Live sessions: those that a proxy has served just now, of every key, with what they are at."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass

from vademecum.archive import Archive
from vademecum.cli.output import emit, table
from vademecum.cli.verb import Common

#: Seconds since its last request for which a session counts as live.
_RECENT_S = 600.0


@dataclass(frozen=True, slots=True)
class _Live:
    id: str
    owner: str
    messages: int
    tokens: int
    context: int | None
    window: int | None
    cycles: int
    model: str
    upstream: str
    idle: float


def list_live(shared: Common) -> int:
    """Lists the live sessions, the one used last first; exit code 1 when there is none."""
    now = time.time()
    with shared.archive() as archive:
        found = sorted(_found(archive, now), key=lambda live: live.idle)
    if shared.json:
        emit("live/1", {"sessions": [asdict(live) for live in found]})
    elif found:
        heads = ("session", "messages", "tokens", "context", "window", "cycles", "model", "upstream", "idle")
        table([heads, *map(_row, found)], right=range(1, 6), cut="start")
    else:
        shared.say(f"no proxy has served a session within the last {_RECENT_S / 60:.0f} minutes")
    return 0 if found else 1


def _found(archive: Archive, now: float) -> Iterator[_Live]:
    for owner in dict.fromkeys((archive.owner, *archive.owners())):
        theirs = Archive(archive.connection, owner)
        for info in theirs.sessions():
            idle = now - (info.last or 0.0)
            if info.source != "proxy" or idle > _RECENT_S:
                continue
            session = theirs.existing(info.id)
            anchor = session.recall_state("anchor:main") or {}
            window = session.recall_state("window") or {}
            chain = session.recall_state("chain") or {}
            yield _Live(
                info.id,
                owner,
                info.messages,
                info.tokens,
                anchor.get("tokens"),
                window.get("tokens"),
                info.cycles,
                anchor.get("model", ""),
                chain.get("active", ""),
                round(max(idle, 0.0), 1),
            )


def _row(live: _Live) -> tuple[str, ...]:
    return (
        live.id,
        f"{live.messages:,}",
        f"{live.tokens:,}",
        "-" if live.context is None else f"{live.context:,}",
        "-" if live.window is None else f"{live.window:,}",
        str(live.cycles),
        live.model or "-",
        live.upstream or "-",
        f"{live.idle:,.0f} s",
    )
