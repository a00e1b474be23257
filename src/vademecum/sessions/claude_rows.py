"""The rows of Claude Code: which are transcript, and what the others are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from vademecum.sessions.reading import note_unknown
from vademecum.sessions.source import Row
from vademecum.sessions.tree import Entry
from vademecum.wire.values import mapping, sequence, string

#: Rows about the session, not in it. Rows of other types are reported.
BOOKKEEPING = frozenset(
    [
        "agent-color",
        "agent-name",
        "agent-setting",
        "ai-title",
        "atis-latch",
        "attachment",
        "attribution-snapshot",
        "bridge-session",
        "content-replacement",
        "context-collapse",
        "custom-title",
        "file-history-snapshot",
        "frame-link",
        "last-prompt",
        "marble-origami-commit",
        "mode",
        "permission-mode",
        "pr-link",
        "progress",
        "queue-operation",
        "relocated",
        "result",
        "speculation-accept",
        "started",
        "stream_event",
        "summary",
        "system",
        "tag",
        "task-summary",
        "worktree-state",
    ]
)


@dataclass
class Kept:
    """What a pass over the rows finds beside the transcript.

    Attributes:
        skipped: Lines that could not be read.
        left_out: Rows that are no transcript, counted by type.
        dropped: Rows that a compaction wrote.
        session: The id of the session that was written last.
        first: The id of the session that was written first: another one where it was resumed in a new file.
        names: The session ids of sub-agents, by group.
        agents: The group of each sub-agent's row, by its id.
        newest: The group of the newest sub-agent's row.
    """

    skipped: list[tuple[int, str]] = field(default_factory=list[tuple[int, str]])
    left_out: Counter[str] = field(default_factory=Counter[str])
    dropped: int = 0
    session: str = ""
    first: str = ""
    names: dict[str, str] = field(default_factory=dict[str, str])
    agents: dict[str, str] = field(default_factory=dict[str, str])
    newest: str = ""

    def name_of(self, group: str) -> str:
        """The session id of an agent."""
        if not group:
            return self.session
        own = self.names.get(group, "")
        if own.startswith("agent-"):
            return own
        return f"{own or self.session or 'session'}/agent-{group.removeprefix('agent-')}"

    def other(self, row: Row, what: str) -> None:
        """Notes a row that is no transcript."""
        self.left_out[what] += 1
        if what.partition("/")[0] not in BOOKKEEPING:
            note_unknown(self.skipped, row.line, what)


def entry_of(row: Row, kept: Kept) -> Entry | None:
    """The row's place in the tree; None for a row that has none."""
    value = row.value
    kind, id = string(value.get("type")), string(value.get("uuid"))
    parent = string(value.get("parentUuid")) or string(value.get("logicalParentUuid"))
    entry = Entry(row.line, row.offset, row.size, id, parent, root="parentUuid" in value)
    said = spoken(value)
    role = "user" if kind == "attachment" else kind
    if kind in ("user", "assistant", "attachment") and (isinstance(said, str) or sequence(said) is not None):
        if value.get("isCompactSummary"):
            kept.dropped += 1
        else:
            entry.role = role
            _fill(entry, value, said, kept)
    elif kind == "system" and value.get("subtype") in ("compact_boundary", "microcompact_boundary"):
        kept.dropped += 1
        entry.root = False  # what stood before is still in the file
    else:
        subtype = string(value.get("subtype"))
        kept.other(row, f"{kind}/{subtype}" if subtype else kind or "row without a type")
    if not entry.role and not id:
        return None
    entry.group = _group(entry, value, kept)
    return entry


def spoken(value: Mapping[str, Any]) -> object:
    """The content of a row's message; None for a row that has no message."""
    if value.get("type") == "attachment":
        attached = mapping(value.get("attachment")) or {}
        # What a person typed while the agent was at work.
        return attached.get("prompt") if attached.get("type") == "queued_command" else None
    return (mapping(value.get("message")) or {}).get("content")


def _fill(entry: Entry, value: Mapping[str, Any], said: object, kept: Kept) -> None:
    message = mapping(value.get("message")) or {}
    blocks = [mapping(block) or {} for block in sequence(said) or ()]
    # In a sub-agent's file, the agent above wrote what stands for the user.
    entry.harness = entry.role == "user" and bool(value.get("isMeta") or value.get("isSidechain"))
    if entry.role == "assistant":
        entry.unit = string(message.get("id"))
        entry.calls = tuple(string(block.get("id")) for block in blocks if block.get("type") == "tool_use")
    else:
        entry.results = tuple(
            string(block.get("tool_use_id")) for block in blocks if block.get("type") == "tool_result"
        )
    if not value.get("isSidechain"):
        kept.session = string(value.get("sessionId")) or string(value.get("session_id")) or kept.session
        kept.first = kept.first or kept.session


def _group(entry: Entry, value: Mapping[str, Any], kept: Kept) -> str:
    if not value.get("isSidechain"):
        return ""
    agent = string(value.get("agentId"))
    group = agent or kept.agents.get(entry.parent) or ("" if entry.root and not entry.parent else kept.newest)
    group = group or entry.id or f"line {entry.line}"
    kept.agents[entry.id] = kept.newest = group
    kept.names.setdefault(group, string(value.get("sessionId")))
    return group
