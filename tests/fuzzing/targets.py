"""Every parser as a function of bytes: it gives a result or an error of ours, in any other case it has a fault."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from contract.wire.convert import FORMATS
from contract.wire.convert import session as session_of
from unit.sessions.made import MADE
from vademecum.config.sources import from_user
from vademecum.errors import VademecumError
from vademecum.mcp.jsonc import loaded, with_value
from vademecum.models.errors import classify
from vademecum.proxy.body import Reader
from vademecum.sessions import Source, readings
from vademecum.wire import dialect
from vademecum.wire.detect import detect
from vademecum.wire.document import read
from vademecum.wire.usage import usage_of
from vademecum.wire.values import encoded

_ENDPOINTS = {
    "openai-chat": "/v1/chat/completions",
    "anthropic": "/v1/messages",
    "openai-responses": "/v1/responses",
    "ollama": "/api/chat",
    "gemini": "/v1beta/models/m:generateContent",
}
_KEYS = {"openai-responses": "input", "gemini": "contents"}
_FOLDER = Path(tempfile.mkdtemp(prefix="vademecum-fuzz-"))
_READER = Reader()


def json_of(data: bytes) -> Any:
    """The JSON value that bytes are; None where they are none."""
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None


def wire(name: str) -> Callable[[bytes], None]:
    """Messages of a format: what is read is written as it was, and its problems can be told."""

    def parse(data: bytes) -> None:
        value = json_of(data)
        rows: list[Any] = value if isinstance(value, list) else [value]
        messages = [dialect(name).load(row, at) for at, row in enumerate(rows)]
        for row, message in zip(rows, messages, strict=True):
            assert message.wire is row or isinstance(row, str)
            assert message.identity
        list(dialect(name).problems(messages))

    return parse


def sessions(data: bytes) -> None:
    with Source.of(data) as source:
        for reading in readings(source):
            for message in reading:
                assert encoded(message.wire)
            for branch in reading.branches:
                list(branch)


def document(data: bytes) -> None:
    found = read(data)
    detect([row.value for row in found.rows])


def config(data: bytes) -> None:
    path = _FOLDER / "config.toml"
    path.write_bytes(data)
    from_user(path)


def jsonc(data: bytes) -> None:
    text = data.decode("utf-8", "replace")
    loaded(with_value(text, ("mcpServers", "vademecum"), {"command": "x"}))


def bodies(data: bytes) -> None:
    for path in _ENDPOINTS.values():
        # Whatever is wrong with a request is for the provider to say: the proxy passes it on as it came.
        with suppress(ValueError, RecursionError):
            _READER.asked(path, data)


def replies(data: bytes) -> None:
    classify(data, status=400)
    classify(data, status=200)
    usage_of(json_of(data))


def _body(name: str) -> bytes:
    rows = session_of(name, turns=2, rounds=1, chars=60)
    return json.dumps({"model": "m", _KEYS.get(name, "messages"): rows, "tools": [], "max_tokens": 7}).encode()


_REPLIES = [
    b'{"error": {"message": "prompt is too long: 210266 tokens > 200000 maximum", "code": 400}}',
    b'{"choices": [{"usage": {"prompt_tokens": 5, "prompt_tokens_details": {"cached_tokens": 2}}}]}',
    b'data: {"type":"error","error":{"type":"overloaded_error"}}\n\n',
    b'{"error_code": "BAD_REQUEST", "message": "{\\"external_model_error\\": {\\"message\\": \\"context\\"}}"}',
]
_CONFIGS = [
    b'preset = "half"\nwindow = "128K"\ntrigger = 5000\nkeep_tools = ["a*"]\n',
    b'[proxy]\nupstream = "http://x"\n',
    b'db = "~/x.db"\ntarget = 0.4\nowner = "me"\n',
]
_MCP = [b'{\n  // servers\n  "mcpServers": {"a": {"command": "b",},},\n}\n', b'{"mcpServers": {}}', b"{}"]

#: What each parser reads when all is well.
SEEDS: dict[str, list[bytes]] = {
    **{
        f"wire {name}": [json.dumps(session_of(name, turns=2, rounds=2, chars=80)).encode()]
        + [json.dumps(row).encode() for row in session_of(name, turns=1, rounds=1, chars=40)]
        for name in FORMATS
    },
    "sessions": [made.data for made in MADE.values()],
    "document": [_body(name) for name in FORMATS] + [b'{"role":"user","content":"a"}\n{"role":"user"}\n'],
    "config": _CONFIGS,
    "jsonc": _MCP,
    "bodies": [_body(name) for name in FORMATS],
    "replies": _REPLIES,
}
TARGETS: dict[str, Callable[[bytes], None]] = {
    **{f"wire {name}": wire(name) for name in FORMATS},
    "sessions": sessions,
    "document": document,
    "config": config,
    "jsonc": jsonc,
    "bodies": bodies,
    "replies": replies,
}


def tried(name: str, data: bytes) -> bool:
    """Whether a parser takes these bytes; an error that is not of ours is raised."""
    try:
        TARGETS[name](data)
    except VademecumError:
        return False
    return True
