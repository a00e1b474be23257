"""Failures in the words of each endpoint's format."""

from __future__ import annotations

import json

from aiohttp import web

from vademecum.proxy.endpoints import words_of

#: Status → type of the error, by Anthropic, by OpenAI and by Gemini.
_TYPES = {
    413: ("request_too_large", "invalid_request_error", "INVALID_ARGUMENT"),
    400: ("invalid_request_error", "invalid_request_error", "INVALID_ARGUMENT"),
}
_OTHER = ("api_error", "upstream_error", "UNAVAILABLE")


def failure(path: str, status: int, text: str) -> web.Response:
    """An error as the endpoint's own provider would answer it."""
    data = json.dumps(_data(words_of(path), status, text))
    return web.Response(status=status, text=data, content_type="application/json")


def stream_event(path: str, text: str) -> bytes:
    """An error as an event inside a stream of events."""
    name = words_of(path)
    data = _data(name, 502, text)
    if name == "openai-responses":
        data = {"type": "error", "code": _OTHER[1], "message": text, "param": None, "sequence_number": 0}
    head = "event: error\n" if name in ("anthropic", "openai-responses") else ""
    return f"{head}data: {json.dumps(data, separators=(',', ':'))}\n\n".encode()


def stream_line(path: str, text: str) -> bytes:
    """An error as a line inside a stream of lines."""
    return json.dumps(_data(words_of(path), 502, text), separators=(",", ":")).encode() + b"\n"


def _data(name: str, status: int, text: str) -> dict[str, object]:
    anthropic, openai, gemini = _TYPES.get(status, _OTHER)
    match name:
        case "anthropic":
            return {"type": "error", "error": {"type": anthropic, "message": text}}
        case "gemini":
            return {"error": {"code": status, "message": text, "status": gemini}}
        case "ollama":
            return {"error": text}
        case _:
            return {"error": {"message": text, "type": openai, "param": None, "code": None}}
