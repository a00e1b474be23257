"""Who is calling: the owner by the key that is sent, and the client's own id of its conversation."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

#: Headers that carry a conversation's id, the most telling first: sub-agents share their session's id.
_EXPLICIT = "x-vademecum-session"
_AGENT = "x-claude-code-agent-id"
_CONVERSATION = (
    "thread-id", "conversation_id", "x-session-id", "x-claude-code-session-id", "session_id", "session-id",
)  # fmt: skip
_KEYS = ("authorization", "x-api-key", "api-key", "x-goog-api-key")
#: Gemini's clients may send the key in the address.
_KEY_IN_QUERY = "key"
_SAFE = re.compile(r"[^\w.:-]")


@dataclass(frozen=True, slots=True)
class Caller:
    """The sender of a request.

    Attributes:
        owner: Hash of the key that was sent; empty without one. Sessions of one owner are invisible to others.
        conversation: The client's own id of its conversation; empty where it sends none.
        explicit: Whether the session was named for us, which makes it one lineage whatever it holds.
    """

    owner: str
    conversation: str
    explicit: bool = False

    def within(self, conversation: str) -> Caller:
        """The same, with the id that the body has where the headers have none."""
        return self if self.conversation or not conversation else replace(self, conversation=_clean(conversation))


def caller_of(headers: Mapping[str, str], query: Mapping[str, str] | None = None) -> Caller:
    """The caller by the headers and the query of its request; names of headers are in lower case."""
    key = next((headers[name] for name in _KEYS if headers.get(name)), "") or (query or {}).get(_KEY_IN_QUERY, "")
    owner = hashlib.sha256(key.encode("utf-8", "surrogateescape")).hexdigest()[:32] if key else ""
    named = headers.get(_EXPLICIT, "")
    if named:
        return Caller(owner, _clean(named), explicit=True)
    conversation = next((headers[name] for name in _CONVERSATION if headers.get(name)), "")
    agent = headers.get(_AGENT, "")
    return Caller(owner, _clean(f"{conversation}/{agent}" if agent else conversation))


def _clean(text: str) -> str:
    return "/".join(_SAFE.sub("_", piece)[:80] for piece in text.split("/")[:2])
