"""A provider on this machine that answers by a function: replies of each wire format, errors, and none at all."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

#: Wire format → where its requests go, below the base URL.
PATHS = {
    "openai-chat": "/v1",
    "openai-responses": "/v1",
    "anthropic": "",
    "gemini": "",
    "ollama": "",
}


@dataclass(frozen=True)
class Said:
    """A reply: JSON data, or the events of a stream."""

    data: Any = None
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    events: Sequence[Any] | None = None
    lines: bool = False
    broken: bool = False


RESET = Said(status=-1)
HANG = Said(status=-2)


@dataclass
class Provider:
    """What a running server is: its URL, and every request that it got.

    Attributes:
        windows: Path → what it says there of its models' windows; 404 elsewhere.
        asked: The paths at which it was asked for them.
        keys: What was sent along as a key then.
    """

    url: str = ""
    requests: list[tuple[str, Any]] = field(default_factory=list)
    windows: dict[str, Any] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)

    @property
    def bodies(self) -> list[Any]:
        return [body for _, body in self.requests]


@contextmanager
def provider(answer: Callable[[str, Any], Said], **windows: Any) -> Iterator[Provider]:
    """Serves in a thread of its own while the block runs."""
    loop, started = asyncio.new_event_loop(), threading.Event()
    told = Provider(windows={f"/{path}": said for path, said in windows.items()})
    over = asyncio.Event()

    async def handle(request: web.Request) -> web.StreamResponse:
        if request.headers.get("user-agent") == "vademecum":
            told.asked.append(request.path)
            told.keys.append(request.headers.get("authorization", ""))
            known = told.windows.get(request.path)
            return web.json_response(known, status=404 if known is None else 200)
        body = await request.json()
        told.requests.append((request.path, body))
        said = answer(request.path, body)
        if said.status == RESET.status:
            assert request.transport is not None
            request.transport.abort()
            return web.Response()
        if said.status == HANG.status:
            await over.wait()
            return web.Response()
        if said.events is None:
            return web.json_response(said.data, status=said.status, headers=dict(said.headers))
        kind = "application/x-ndjson" if said.lines else "text/event-stream"
        response = web.StreamResponse(headers={"content-type": kind})
        await response.prepare(request)
        for event in said.events:
            await response.write(_line(event, said.lines))
        if said.broken and request.transport is not None:
            request.transport.abort()
        return response

    async def serve() -> None:
        app = web.Application(client_max_size=1 << 26)
        app.router.add_route("*", "/{path:.*}", handle)
        runner = web.AppRunner(app, shutdown_timeout=0.1)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        told.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
        started.set()
        await over.wait()
        await runner.cleanup()

    thread = threading.Thread(target=loop.run_until_complete, args=(serve(),))
    thread.start()
    started.wait()
    try:
        yield told
    finally:
        loop.call_soon_threadsafe(over.set)
        thread.join()
        loop.close()


def _line(event: Any, lines: bool) -> bytes:
    if event == "[DONE]":
        return b"data: [DONE]\n\n"
    data = json.dumps(event)
    if lines:
        return f"{data}\n".encode()
    name = f"event: {event['type']}\n" if "type" in event else ""
    return f"{name}data: {data}\n\n".encode()


def whole(format: str, text: str, prompt: int = 100, *, call: bool = False) -> Any:
    """A whole reply in a format's shape, with a text and, if asked for, a call of `look` with `{"a": 1}`."""
    return _WHOLE[format](text, prompt, call)


def streamed(format: str, text: str, prompt: int = 100, *, call: bool = False) -> Said:
    """The same as a stream."""
    return Said(events=_EVENTS[format](text, prompt, call), lines=format == "ollama")


def _chat(text: str, prompt: int, call: bool) -> Any:
    message: dict[str, Any] = {"role": "assistant", "content": text}
    if call:
        function = {"name": "look", "arguments": '{"a": 1}'}
        message["tool_calls"] = [{"id": "c1", "type": "function", "function": function}]
    choice = {"index": 0, "message": message, "finish_reason": "tool_calls" if call else "stop"}
    usage = {"prompt_tokens": prompt, "completion_tokens": 5, "total_tokens": prompt + 5}
    head = {"id": "x", "object": "chat.completion", "created": 1, "model": "m-1"}
    return {**head, "choices": [choice], "usage": usage}


def _chat_events(text: str, prompt: int, call: bool) -> list[Any]:
    head = {"id": "x", "object": "chat.completion.chunk", "created": 1, "model": "m-1"}

    def delta(fields: Any, reason: str | None = None) -> Any:
        return {**head, "choices": [{"index": 0, "delta": fields, "finish_reason": reason}]}

    events = [delta({"role": "assistant", "content": ""}), *(delta({"content": word}) for word in _words(text))]
    if call:
        first = {"index": 0, "id": "c1", "type": "function", "function": {"name": "look", "arguments": ""}}
        events.append(delta({"tool_calls": [first]}))
        for piece in ('{"a"', ": 1}"):
            events.append(delta({"tool_calls": [{"index": 0, "function": {"arguments": piece}}]}))
    usage = {"prompt_tokens": prompt, "completion_tokens": 5, "total_tokens": prompt + 5}
    end = delta({}, "tool_calls" if call else "stop")
    return [*events, end, {**head, "choices": [], "usage": usage}, "[DONE]"]


def _responses(text: str, prompt: int, call: bool) -> Any:
    content = [{"type": "output_text", "text": text, "annotations": []}]
    output: list[Any] = [
        {"type": "message", "id": "m1", "role": "assistant", "status": "completed", "content": content}
    ]
    if call:
        output.append({"type": "function_call", "id": "f1", "call_id": "c1", "name": "look", "arguments": '{"a": 1}'})
    usage = {"input_tokens": prompt, "output_tokens": 5, "total_tokens": prompt + 5}
    head = {"id": "r1", "object": "response", "created_at": 1, "model": "m-1", "status": "completed"}
    return {**head, "output": output, "usage": usage, "parallel_tool_calls": True, "tool_choice": "auto", "tools": []}


def _responses_events(text: str, prompt: int, call: bool) -> list[Any]:
    done = _responses(text, prompt, call)
    started = {**done, "status": "in_progress", "output": [], "usage": None}
    where = {"item_id": "m1", "output_index": 0, "content_index": 0, "logprobs": []}
    deltas = [{"type": "response.output_text.delta", "delta": word, **where} for word in _words(text)]
    ends = {"type": "response.completed", "response": done}
    events = [{"type": "response.created", "response": started}, *deltas, ends]
    return [{**event, "sequence_number": number} for number, event in enumerate(events)]


def _anthropic(text: str, prompt: int, call: bool) -> Any:
    content: list[Any] = [
        {"type": "thinking", "thinking": "hm", "signature": "sig"},
        {"type": "text", "text": text},
    ]
    if call:
        content.append({"type": "tool_use", "id": "c1", "name": "look", "input": {"a": 1}})
    usage = {"input_tokens": prompt, "output_tokens": 5}
    head = {"id": "x", "type": "message", "role": "assistant", "model": "m-1"}
    reason = "tool_use" if call else "end_turn"
    return {**head, "content": content, "stop_reason": reason, "stop_sequence": None, "usage": usage}


def _anthropic_events(text: str, prompt: int, call: bool) -> list[Any]:
    done = _anthropic(text, prompt, call)
    start = {**done, "content": [], "stop_reason": None, "usage": {"input_tokens": prompt, "output_tokens": 1}}
    blank = {
        "thinking": {"type": "thinking", "thinking": "", "signature": ""},
        "text": {"type": "text", "text": ""},
        "tool_use": {"type": "tool_use", "id": "c1", "name": "look", "input": {}},
    }
    deltas: dict[str, list[Any]] = {
        "thinking": [
            {"type": "thinking_delta", "thinking": "hm"},
            {"type": "signature_delta", "signature": "sig"},
        ],
        "text": [{"type": "text_delta", "text": word} for word in _words(text)],
        "tool_use": [{"type": "input_json_delta", "partial_json": piece} for piece in ("", '{"a"', ": 1}")],
    }
    events: list[Any] = [{"type": "message_start", "message": start}]
    for index, block in enumerate(done["content"]):
        kind = block["type"]
        events.append({"type": "content_block_start", "index": index, "content_block": blank[kind]})
        events += [{"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas[kind]]
        events.append({"type": "content_block_stop", "index": index})
    ended = {"stop_reason": done["stop_reason"], "stop_sequence": None}
    return [
        *events,
        {"type": "message_delta", "delta": ended, "usage": {"output_tokens": 5}},
        {"type": "message_stop"},
    ]


def _gemini(text: str, prompt: int, call: bool) -> Any:
    parts: list[Any] = [{"text": text}]
    if call:
        signed = {"functionCall": {"name": "look", "args": {"a": 1}}, "thoughtSignature": "c2lnbmVk"}
        parts.append(signed)
    candidate = {"content": {"role": "model", "parts": parts}, "finishReason": "STOP", "index": 0}
    usage = {"promptTokenCount": prompt, "candidatesTokenCount": 5, "totalTokenCount": prompt + 5}
    return {"candidates": [candidate], "usageMetadata": usage, "modelVersion": "m-1"}


def _gemini_events(text: str, prompt: int, call: bool) -> list[Any]:
    done = _gemini(text, prompt, call)
    last = done["candidates"][0]
    pieces = [{"content": {"role": "model", "parts": [{"text": word}]}, "index": 0} for word in _words(text)]
    rest = {**last, "content": {"role": "model", "parts": last["content"]["parts"][1:] or [{"text": ""}]}}
    return [*({"candidates": [piece], "modelVersion": "m-1"} for piece in pieces), {**done, "candidates": [rest]}]


def _ollama(text: str, prompt: int, call: bool) -> Any:
    message: dict[str, Any] = {"role": "assistant", "content": text}
    if call:
        message["tool_calls"] = [{"function": {"name": "look", "arguments": {"a": 1}}}]
    ended = {"done": True, "done_reason": "stop", "prompt_eval_count": prompt, "eval_count": 5}
    return {"model": "m-1", "created_at": "2026-01-01T00:00:00Z", "message": message, **ended}


def _ollama_events(text: str, prompt: int, call: bool) -> list[Any]:
    done = _ollama(text, prompt, call)
    head = {"model": "m-1", "created_at": "2026-01-01T00:00:00Z", "done": False}
    pieces: list[Any] = [{"role": "assistant", "content": word} for word in _words(text)]
    if call:
        pieces.append({"role": "assistant", "content": "", "tool_calls": done["message"]["tool_calls"]})
    last = {**done, "message": {"role": "assistant", "content": ""}}
    return [*({**head, "message": piece} for piece in pieces), last]


def _words(text: str) -> list[str]:
    return [f"{word} " for word in text.split(" ")[:-1]] + text.split(" ")[-1:]


_WHOLE = {
    "openai-chat": _chat,
    "openai-responses": _responses,
    "anthropic": _anthropic,
    "gemini": _gemini,
    "ollama": _ollama,
}
_EVENTS = {
    "openai-chat": _chat_events,
    "openai-responses": _responses_events,
    "anthropic": _anthropic_events,
    "gemini": _gemini_events,
    "ollama": _ollama_events,
}
