"""The request: a body in a format's own keys, for a model, with what is said beside the messages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from vademecum.core.messages import Wire
from vademecum.models.limit_keys import limit_key
from vademecum.wire.bodies import BODIES
from vademecum.wire.values import mapping

Body = dict[str, Any]


def body_of(
    format: str,
    model: str,
    messages: Sequence[Wire],
    *,
    system: object = None,
    tools: object = None,
    max_output: int | None = None,
    options: Mapping[str, Any] | None = None,
    window: int | None = None,
) -> Body:
    """A request's body.

    Args:
        format: The wire format.
        model: The model.
        messages: The messages, in that format.
        system: The system text, where it stands beside the messages.
        tools: The tools' schemas.
        max_output: The output limit in tokens.
        options: What else the body has, by the format's own keys.
        window: The window that is budgeted; Ollama is told it, since its own may be another one.
    """
    keys = BODIES[format]
    body: Body = {"model": model, **_copied(options or {}), keys.messages: list(messages)}
    if system is not None:
        if keys.system:
            body[keys.system[0]] = _system(format, system)
        else:
            body[keys.messages].insert(0, {"role": "system", "content": system})
    if tools is not None:
        body[keys.tools] = tools
    if max_output is not None:
        _put(body, _limit(format, model, body), max_output)
    if format == "ollama" and window is not None:
        _put(body, ("options", "num_ctx"), window)
    return body


def _copied(options: Mapping[str, Any]) -> Body:
    return {key: dict(inner) if (inner := mapping(value)) is not None else value for key, value in options.items()}


def _system(format: str, system: object) -> object:
    return {"parts": [{"text": system}]} if format == "gemini" and isinstance(system, str) else system


def _limit(format: str, model: str, body: Body) -> tuple[str, ...]:
    """The way to the limit that the body has already; else the model's own, or the format's first."""
    ways = BODIES[format].limits
    for way in ways:
        inner = body if len(way) == 1 else mapping(body.get(way[0])) or {}
        if way[-1] in inner:
            return way
    *outer, usual = ways[0]
    return (*outer, limit_key(format, model, usual))


def _put(body: Body, way: tuple[str, ...], value: int) -> None:
    for key in way[:-1]:
        body = body.setdefault(key, {})
    body[way[-1]] = value
