"""Where agents keep their logs, below a person's home folder."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Place:
    """A usual place.

    Attributes:
        kind: The sort of log that is there.
        folder: The folder, below the home folder.
        pattern: Which files in it; empty when the folder itself is the log.
        variable: The environment variable that moves it, and what of `folder` is then below that.
    """

    kind: str
    folder: str
    pattern: str
    variable: tuple[str, str] = ("", "")


_CODE = (".config/Code/User/globalStorage", "Library/Application Support/Code/User/globalStorage")

PLACES = (
    Place("claude-code", ".claude/projects", "**/*.jsonl", ("CLAUDE_CONFIG_DIR", "projects")),
    Place("claude-code", ".config/claude/projects", "**/*.jsonl"),
    Place("codex", ".codex/sessions", "**/*.jsonl", ("CODEX_HOME", "sessions")),
    Place("codex", ".codex/archived_sessions", "**/*.jsonl", ("CODEX_HOME", "archived_sessions")),
    Place("opencode", ".local/share/opencode/storage", "", ("XDG_DATA_HOME", "opencode/storage")),
    Place("gemini-cli", ".gemini/tmp", "*/chats/session-*.json*"),
    Place("qwen", ".qwen", "**/chats/*.jsonl"),
    Place("pi", ".pi/agent/sessions", "**/*.jsonl", ("PI_CODING_AGENT_DIR", "sessions")),
    Place("pi", ".openclaw/agents", "*/sessions/*.jsonl"),
    Place("copilot-cli", ".copilot/session-state", "**/*.jsonl"),
    Place("hermes", ".hermes", "state.db", ("HERMES_HOME", "")),
    Place("openhands", ".openhands/sessions", "*/events"),
    Place("openhands", ".openhands/conversations", "*/events"),
    Place("kimi", ".kimi/sessions", "**/*.jsonl"),
    Place("droid", ".factory/sessions", "**/*.jsonl"),
    Place("cursor", ".cursor/projects", "*/agent-transcripts/**/*.jsonl"),
    Place("grok", ".grok/sessions", "**/chat_history.jsonl"),
    Place("antigravity", ".gemini/antigravity-cli", "**/*.jsonl"),
    Place("cline", ".cline/data", "**/*.messages.json"),
    *(Place("cline", f"{code}/saoudrizwan.claude-dev/tasks", "*/api_conversation_history.json") for code in _CODE),
    Place("mini-swe-agent", ".config/mini-swe-agent", "*.traj.json"),
    Place("aider", "", ".aider.chat.history.md"),
)


def found(home: Path, environ: Mapping[str, str] | None = None) -> Iterator[tuple[Place, Path, list[Path]]]:
    """The places that are there and have logs: the place, its folder, the logs in it.

    Args:
        home: The home folder.
        environ: The environment, for variables that move a place.
    """
    seen: set[Path] = set()
    for place in PLACES:
        variable, below = place.variable
        moved = (environ or {}).get(variable, "") if variable else ""
        folder = Path(moved, below) if moved and Path(moved).is_absolute() else home / place.folder
        try:
            logs = sorted(folder.glob(place.pattern)) if place.pattern else [folder]
        except OSError:
            continue
        logs = [log for log in logs if log not in seen and (log.is_file() or log.is_dir())]
        seen.update(logs)
        if logs:
            yield place, folder, logs
