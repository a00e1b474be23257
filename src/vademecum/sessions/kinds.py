"""The sorts of session logs: what tells each apart, and what reads it. Nothing goes by a file's name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from vademecum.sessions import line_logs
from vademecum.sessions.aider import read_aider
from vademecum.sessions.anthropic_rows import read_cursor, read_droid
from vademecum.sessions.atif import read_atif
from vademecum.sessions.chat_jsonl import read_chat_source
from vademecum.sessions.claude_code import read_claude_code
from vademecum.sessions.cline import OPENING as CLINE
from vademecum.sessions.cline import read_cline
from vademecum.sessions.codex import BOOKKEEPING as CODEX
from vademecum.sessions.codex import read_codex
from vademecum.sessions.copilot_cli import read_copilot_cli
from vademecum.sessions.gemini import read_gemini, read_gemini_lines
from vademecum.sessions.hermes import read_hermes, read_hermes_lines
from vademecum.sessions.hermes_db import read_hermes_db
from vademecum.sessions.inspect_log import read_inspect, read_inspect_archive
from vademecum.sessions.kimi import read_kimi
from vademecum.sessions.opencode import read_opencode, read_opencode_folder
from vademecum.sessions.openhands import read_openhands, read_openhands_folder, read_openhands_lines
from vademecum.sessions.pi import read_pi
from vademecum.sessions.qwen import read_qwen
from vademecum.sessions.reading import Reading
from vademecum.sessions.source import Source
from vademecum.sessions.specstory import read_specstory
from vademecum.sessions.swe_agent import OBSERVED, read_mini_swe, read_swe_agent
from vademecum.sessions.tau_bench import read_tau_bench
from vademecum.wire.values import at, mapping, sequence, string

Read = Callable[[Source], Iterator[Reading]]
Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Kind:
    """A sort of log.

    Attributes:
        name: Its name, for `vademecum import KIND`.
        read: What reads it.
        matches: Whether a row (of JSON Lines) or a document is of this sort.
    """

    name: str
    read: Read
    matches: Callable[[Any], bool] = lambda _: False


def _has(value: Row, *keys: str) -> bool:
    return all(key in value for key in keys)


def _message(row: Row) -> Row:
    return mapping(row.get("message")) or {}


def _blocks(row: Row, *types: str) -> bool:
    blocks = sequence(_message(row).get("content")) or ()
    return any((mapping(block) or {}).get("type") in types for block in blocks)


def _claude(row: Row) -> bool:
    said = row.get("type") in ("user", "assistant") and "content" in _message(row) and "role" in _message(row)
    return said and ("uuid" in row or "sessionId" in row or "session_id" in row)


def _codex(row: Row) -> bool:
    if "payload" in row:
        return row.get("type") in ("response_item", "compacted", *CODEX)
    # An old rollout: a header, then bare items. Items without one are what the API takes: plain chat.
    return _has(row, "id", "timestamp") and "type" not in row and ("instructions" in row or "git" in row)


def _event(row: Row) -> bool:
    actions = isinstance(row.get("action"), str) and ("args" in row or "source" in row)
    seen = isinstance(row.get("observation"), str) and ("extras" in row or "cause" in row or "content" in row)
    return actions or seen or (string(row.get("kind")).endswith(("Event", "Observation")) and "source" in row)


def _history(row: Row) -> bool:
    return "history" in row and sequence(row["history"]) is not None and "trajectory" not in row


def _grok(row: Row) -> bool:
    kinds = ("system", "user", "assistant", "tool_result", "reasoning", "backend_tool_call")
    return row.get("type") in kinds and not _has(row, "role") and "message" not in row and "sessionId" not in row


#: By any of the first rows; sorts whose rows say most about themselves come first.
LINES = (
    Kind("codex", read_codex, _codex),
    Kind("copilot-cli", read_copilot_cli, lambda row: "." in string(row.get("type")) and "data" in row),
    Kind("kimi", read_kimi, lambda row: string(row.get("type")).startswith(("context.", "turn.", "config.update"))),
    Kind("qwen", read_qwen, lambda row: "uuid" in row and "parts" in _message(row)),
    Kind("claude-code", read_claude_code, _claude),
    Kind("droid", read_droid, lambda row: row.get("type") == "session_start" and "id" in row),
    Kind("droid", read_droid, lambda row: _has(row, "id", "parentId") and _blocks(row, "tool_use", "tool_result")),
    Kind("pi", read_pi, lambda row: row.get("type") == "session" and _has(row, "id", "version")),
    Kind("pi", read_pi, lambda row: row.get("type") == "message" and _has(row, "id", "parentId", "message")),
    Kind("droid", line_logs.read_droid_stream, lambda row: _has(row, "type", "session_id", "id", "timestamp")),
    Kind("entire", line_logs.read_entire, lambda row: _has(row, "v", "agent", "cli_version", "type")),
    Kind("antigravity", line_logs.read_antigravity, lambda row: _has(row, "step_index", "source", "type")),
    Kind("gemini-cli", read_gemini_lines, lambda row: _has(row, "sessionId", "projectHash")),
    Kind("gemini-cli", read_gemini_lines, lambda row: row.get("type") == "gemini" and "content" in row),
    Kind("openhands", read_openhands_lines, lambda row: _history(row) or _event(row)),
    Kind("cursor", read_cursor, lambda row: "role" in row and "content" in _message(row)),
    Kind("hermes", read_hermes_lines, lambda row: sequence(row.get("messages")) is not None and "id" in row),
    Kind("chat", read_chat_source, lambda row: "role" in row),
    Kind("grok", line_logs.read_grok, _grok),
)


def _first(value: Any) -> Row:
    items = sequence(value) or ()
    return mapping(items[0]) or {} if items else {}


def _mini_swe(value: Any) -> bool:
    fields = mapping(value) or {}
    if string(fields.get("trajectory_format")).startswith("mini-swe-agent"):
        return True
    rows = [mapping(row) or {} for row in sequence(value) or sequence(fields.get("messages")) or ()]
    spoken = [row.get("role") for row in rows[:4]] == ["system", "user", "assistant", "user"]
    return spoken and OBSERVED.match(string(rows[3].get("content"))) is not None


def _hermes(value: Any) -> bool:
    fields = mapping(value) or {}
    about = ("platform", "session_start", "last_updated", "started_at", "source")
    named = "session_id" in fields or isinstance(fields.get("id"), str)
    return named and sequence(fields.get("messages")) is not None and any(key in fields for key in about)


def _cline(value: Any) -> bool:
    fields = mapping(value) or {}
    if _has(fields, "version", "sessionId", "messages"):
        return True
    row = _first(value)
    texts = [row.get("content"), *((mapping(part) or {}).get("text") for part in sequence(row.get("content")) or ())]
    return row.get("role") == "user" and any(isinstance(text, str) and CLINE.match(text) for text in texts)


def _opencode(value: Any) -> bool:
    fields = mapping(value) or {}
    own = string(fields.get("id")).startswith("ses") and ("projectID" in fields or "directory" in fields)
    return own or (isinstance(at(fields, ("info", "id")), str) and "messages" in fields)


def _openhands(value: Any) -> bool:
    fields = mapping(value) or {}
    rows = sequence(fields.get("trajectory")) or sequence(fields.get("history")) or sequence(value) or ()
    first = mapping(rows[0]) if rows else fields
    return first is not None and _event(first) and not _has(first, "response")


#: By the whole document.
DOCUMENTS = (
    Kind("atif", read_atif, lambda value: string(at(value, ("schema_version",))).startswith("ATIF")),
    Kind("gemini-cli", read_gemini, lambda value: _has(mapping(value) or {}, "sessionId", "projectHash", "messages")),
    Kind("inspect", read_inspect, lambda value: _has(mapping(value) or {}, "eval", "status")),
    Kind("swe-agent", read_swe_agent, lambda value: "response" in _first(at(value, ("trajectory",)))),
    Kind("openhands", read_openhands, _openhands),
    Kind("tau-bench", read_tau_bench, lambda value: _has(_first(value), "task_id", "traj")),
    Kind("opencode", read_opencode, _opencode),
    Kind("mini-swe-agent", read_mini_swe, _mini_swe),
    Kind("cline", read_cline, _cline),
    Kind("hermes", read_hermes, _hermes),
)
CHAT = Kind("chat", read_chat_source)
SPECSTORY = Kind("specstory", read_specstory)
AIDER = Kind("aider", read_aider)
HERMES_DB = Kind("hermes", read_hermes_db)
INSPECT_ARCHIVE = Kind("inspect", read_inspect_archive)
OPENCODE_FOLDER = Kind("opencode", read_opencode_folder)
OPENHANDS_FOLDER = Kind("openhands", read_openhands_folder)

#: Their names, as `vademecum import KIND` takes them.
NAMES = tuple(
    sorted({kind.name for kind in (*LINES, *DOCUMENTS, CHAT, SPECSTORY, AIDER, HERMES_DB, INSPECT_ARCHIVE)})
)
