"""Endpoints: which wire format the bodies of a path have; what has none passes through."""

from __future__ import annotations

import re
from urllib.parse import quote, unquote

#: Path of an endpoint whose context is compacted → the wire format. A base URL may hold the version or not.
_FORMATS = (
    (re.compile(r"(?:/v1)?/chat/completions"), "openai-chat"),
    (re.compile(r"/v1/messages"), "anthropic"),
    (re.compile(r"(?:/v1)?/responses"), "openai-responses"),
    (re.compile(r"/api/chat"), "ollama"),
    (re.compile(r"/v1\w*/(?:\S+/)?\w*[mM]odels/[^/:]+:(?:g|streamG)enerateContent"), "gemini"),
)
_MODEL = re.compile(r"[mM]odels/([^/:]+):\w+$")
#: Beginning of a path → in whose words an error is told there.
_WORDS = (("/v1/messages", "anthropic"), ("/v1beta/", "gemini"), ("/api/", "ollama"))


def format_of(path: str) -> str | None:
    """The wire format of an endpoint's bodies; None for one that passes through."""
    return next((name for pattern, name in _FORMATS if pattern.fullmatch(path)), None)


def model_in(path: str) -> str:
    """The model that a path names, as Gemini's do; empty for other paths."""
    found = _MODEL.search(path)
    return "" if found is None else unquote(found[1])


def with_model(path: str, model: str) -> str:
    """A path that names another model; the same where it names none."""
    found = _MODEL.search(path)
    return path if found is None else f"{path[: found.start(1)]}{quote(model, safe='')}{path[found.end(1) :]}"


def words_of(path: str) -> str:
    """The format in whose words an error is told, of any endpoint."""
    known = format_of(path)
    return known or next((name for start, name in _WORDS if path.startswith(start)), "openai-chat")
