"""All prompt tokens of a response, whichever way its format counts them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from vademecum.wire.values import mapping, sequence, string


@dataclass(frozen=True, slots=True)
class Usage:
    """What a provider reported for one request.

    Attributes:
        prompt_tokens: All prompt tokens, cached ones included.
        cached_tokens: Those read from the provider's cache.
        output_tokens: Tokens of the reply.
        model: The model that answered; empty when it does not say.
    """

    prompt_tokens: int
    cached_tokens: int = 0
    output_tokens: int = 0
    model: str = ""


def usage_of(reply: object) -> Usage | None:
    """The usage that a reply reports, or None when it reports none (0 is none, C-9).

    Args:
        reply: A response as JSON data, or an SDK's object for one.
    """
    body = _mapping(reply)
    if body is None:
        return None
    found = _mapping(body.get("usage")) or _nested(body) or _mapping(body.get("usageMetadata"))
    if found is None and "prompt_eval_count" in body:  # Ollama's own
        found = body
    if found is None:
        return None
    prompt, cached = _prompt(found)
    if prompt <= 0:
        return None
    output = _count(found, "completion_tokens", "output_tokens", "candidatesTokenCount", "eval_count")
    return Usage(prompt, cached, output, _model(body))


def _model(body: Mapping[str, object]) -> str:
    nested = _mapping(body.get("response")) or {}
    return string(body.get("model")) or string(body.get("modelVersion")) or string(nested.get("model"))


def _prompt(usage: Mapping[str, object]) -> tuple[int, int]:
    if "input_tokens" in usage and ("cache_read_input_tokens" in usage or "cache_creation_input_tokens" in usage):
        read = _count(usage, "cache_read_input_tokens")
        return _count(usage, "input_tokens") + read + _count(usage, "cache_creation_input_tokens"), read
    details = _mapping(usage.get("prompt_tokens_details")) or _mapping(usage.get("input_tokens_details")) or {}
    cached = _count(details, "cached_tokens") or _count(usage, "cachedContentTokenCount")
    # Gemini counts what its own tools put into the prompt apart.
    added = _count(usage, "toolUsePromptTokenCount")
    return _count(usage, "prompt_tokens", "input_tokens", "promptTokenCount", "prompt_eval_count") + added, cached


def _nested(body: Mapping[str, object]) -> Mapping[str, object] | None:
    """Some servers put the usage into the first choice, streams into the message or the response they end with."""
    for item in sequence(body.get("choices")) or ():
        found = _mapping((_mapping(item) or {}).get("usage"))
        if found is not None:
            return found
    inner = _mapping(body.get("response")) or _mapping(body.get("message")) or {}
    return _mapping(inner.get("usage"))


def _count(fields: Mapping[str, object], *names: str) -> int:
    for name in names:
        value = fields.get(name)
        if isinstance(value, int) and not isinstance(value, bool) and value > 0:
            return value
    return 0


def _mapping(value: object) -> Mapping[str, object] | None:
    """A mapping, or what an SDK's object would be as one."""
    found = mapping(value)
    if found is None:
        dump = getattr(value, "model_dump", None)
        found = mapping(dump()) if callable(dump) else None
    return found
