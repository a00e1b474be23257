"""Session logs: from what agents write to a transcript."""

from __future__ import annotations

from vademecum.sessions.chat_jsonl import read_chat
from vademecum.sessions.log import Log

__all__ = ["Log", "read_chat"]
