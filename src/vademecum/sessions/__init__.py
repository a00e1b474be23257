"""Session logs: from what agents write to a transcript."""

from __future__ import annotations

from vademecum.sessions.chat_jsonl import read_chat
from vademecum.sessions.log import Log
from vademecum.sessions.reading import Reading
from vademecum.sessions.recognise import readings
from vademecum.sessions.source import Source

__all__ = ["Log", "Reading", "Source", "read_chat", "readings"]
