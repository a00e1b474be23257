"""`context`: what fills a session's context, and how far it is from being compacted."""

from __future__ import annotations

from vademecum.archive import Session
from vademecum.compactor.filling import Filling, filling, stored_context
from vademecum.core.budget import Window
from vademecum.core.tokens import TokenCounter
from vademecum.mcp.arguments import Given
from vademecum.mcp.config import ServerConfig
from vademecum.mcp.desk import Answer, Desk
from vademecum.mcp.wording import line
from vademecum.models.tokenizer import count_tokens

#: The window of a model about which nothing is known.
_DEFAULT = Window(32_000, "default")


def answer(desk: Desk, given: Given) -> Answer:
    """Measures a context."""
    archive = desk.archive()
    session = desk.session(archive, given["session"])
    counter = TokenCounter(count_tokens)
    context = stored_context(archive, session.id, counter)
    window = known_window(desk.config, session, given["window"]) or _DEFAULT
    found = filling(context, desk.config.budget(window), counter)
    title = line(
        f"session {session.id}",
        f"{len(session):,} messages archived",
        f"{len(context.messages):,} in context",
        f"cycle {context.cycle}" if context.cycle else "never compacted",
    )
    return Answer(("\n".join([title, *_rows(found)]),))


def known_window(config: ServerConfig, session: Session, given: int | None) -> Window | None:
    """The window that a call or the server was given, else the largest one that the session was compacted for."""
    if given is not None:
        return Window(given, "user")
    if config.window is not None:
        return config.window
    held = session.recall_state("window")
    return None if held is None else Window(int(held["tokens"]), "learned")


def _rows(found: Filling) -> list[str]:
    mark = "~" if found.origin == "estimated" else ""
    rows = [
        f"{name.replace('_', ' ')}: {mark}{size:,} tokens ({100 * size / max(1, found.measured):.0f} %)"
        for name, size in found.categories.items()
        if size
    ]
    trigger = found.budget.trigger_tokens
    share = 100 * found.measured / trigger
    window = found.budget.window
    rows += [
        f"measured: {mark}{found.measured:,} tokens ({found.origin}), {share:.0f} % of the trigger",
        f"floor: {found.floor:,} tokens (after the last compaction, else system text and tools)",
        f"target: {found.budget.target(found.overhead):,} tokens (where a compaction ends)",
        f"trigger: {trigger:,} tokens (a compaction is due above it)",
        f"window: {window.tokens:,} tokens ({window.origin})",
    ]
    if found.measured > trigger:
        rows.append("A compaction is due with the next request.")
    return rows
