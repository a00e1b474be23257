"""Failures in the words of each endpoint's format."""

from __future__ import annotations

import json

from aiohttp import web

_ANTHROPIC = "/v1/messages"
#: Status → type of the error, by Anthropic and by OpenAI.
_TYPES = {
    413: ("request_too_large", "invalid_request_error"),
    400: ("invalid_request_error", "invalid_request_error"),
}
_OTHER = ("api_error", "upstream_error")


def failure(path: str, status: int, text: str) -> web.Response:
    """An error as the endpoint's own provider would answer it."""
    return web.Response(status=status, text=json.dumps(_data(path, status, text)), content_type="application/json")


def stream_event(path: str, text: str) -> bytes:
    """An error as an event inside a stream."""
    data = json.dumps(_data(path, 502, text), separators=(",", ":"))
    name = "event: error\n" if path.startswith(_ANTHROPIC) else ""
    return f"{name}data: {data}\n\n".encode()


def _data(path: str, status: int, text: str) -> dict[str, object]:
    anthropic, openai = _TYPES.get(status, _OTHER)
    if path.startswith(_ANTHROPIC):
        return {"type": "error", "error": {"type": anthropic, "message": text}}
    return {"error": {"message": text, "type": openai, "param": None, "code": None}}
