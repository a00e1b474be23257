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
        output_tokens: Tokens of the reply, reasoning included.
        model: The model that answered; empty when it does not say.
        written_tokens: Prompt tokens put into the provider's cache, where it says so.
        reasoning_tokens: Tokens of the reply that are reasoning, where it says so.
    """

    prompt_tokens: int
    cached_tokens: int = 0
    output_tokens: int = 0
    model: str = ""
    written_tokens: int = 0
    reasoning_tokens: int = 0


_OUTPUT = (
    "completion_tokens", "output_tokens", "candidatesTokenCount", "eval_count", "outputTokens", "predicted_n",
)  # fmt: skip


#: What is more is no count of tokens; it would not fit into the archive either.
_MOST = 1 << 40


def usage_of(reply: object) -> Usage | None:
    """The usage that a reply reports, or None when it reports none (0 is none, C-9).

    Args:
        reply: A response as JSON data, or an SDK's object for one.
    """
    found = _reported(reply)
    return found if found is not None and found.prompt_tokens > 0 else None


def model_of(reply: object) -> str:
    """The model that a reply says it is from; empty where it does not say."""
    body = _mapping(reply)
    return "" if body is None else _model(body)


def fuller(known: Usage | None, piece: object) -> Usage | None:
    """What is known of a reply's usage after one more piece of it: of each figure the largest that was said.

    Streams report as they go: Anthropic the input at the start and the output at the end, others running totals.
    """
    found = _reported(piece)
    if found is None or (known is None and found.prompt_tokens <= 0):
        return known
    if known is None:
        return found
    return Usage(
        max(known.prompt_tokens, found.prompt_tokens),
        max(known.cached_tokens, found.cached_tokens),
        max(known.output_tokens, found.output_tokens),
        known.model or found.model,
        max(known.written_tokens, found.written_tokens),
        max(known.reasoning_tokens, found.reasoning_tokens),
    )


def _reported(reply: object) -> Usage | None:
    """Everything that a reply, or a piece of one, says about usage."""
    body = _mapping(reply)
    if body is None:
        return None
    found = _mapping(body.get("usage")) or _nested(body) or _mapping(body.get("usageMetadata"))
    if found is None:  # Ollama's own, and llama.cpp's, which it tells also where no usage was asked for
        found = body if "prompt_eval_count" in body else _mapping(body.get("timings"))
    if found is None:
        return None
    found = _mapping(found.get("tokens")) or found  # Cohere bills others than it reads
    prompt, cached, written = _prompt(found)
    output, reasoning = _output(found)
    return Usage(prompt, cached, output, _model(body), written, reasoning)


def _model(body: Mapping[str, object]) -> str:
    """The model's name, wherever the format puts it."""
    nested = _mapping(body.get("response")) or _mapping(body.get("message")) or {}
    return string(body.get("model")) or string(body.get("modelVersion")) or string(nested.get("model"))


def _prompt(usage: Mapping[str, object]) -> tuple[int, int, int]:
    """All prompt tokens, those read from the cache, and those put into it."""
    written = _count(usage, "cache_creation_input_tokens", "cacheWriteInputTokens")
    if "input_tokens" in usage and ("cache_read_input_tokens" in usage or "cache_creation_input_tokens" in usage):
        read = _count(usage, "cache_read_input_tokens")
        return _count(usage, "input_tokens") + read + written, read, written
    if "inputTokens" in usage:  # Bedrock counts as Anthropic does
        read = _count(usage, "cacheReadInputTokens")
        return _count(usage, "inputTokens") + read + written, read, written
    details = _mapping(usage.get("prompt_tokens_details")) or _mapping(usage.get("input_tokens_details")) or {}
    cached = _count(details, "cached_tokens") or _count(
        usage, "cachedContentTokenCount", "prompt_cache_hit_tokens", "cached_tokens"
    )
    # Gemini counts what its own tools put into the prompt apart.
    added = _count(usage, "toolUsePromptTokenCount")
    prompt = _count(usage, "prompt_tokens", "input_tokens", "promptTokenCount", "prompt_eval_count")
    if not prompt:  # only the two shares of it are told
        fresh = _count(usage, "prompt_cache_miss_tokens", "prompt_n")
        cached = _count(usage, "prompt_cache_hit_tokens", "cache_n")
        prompt = fresh + cached
    return prompt + added, cached, written or _count(details, "cache_write_tokens")


def _output(usage: Mapping[str, object]) -> tuple[int, int]:
    """Tokens of the reply, and those of them that are reasoning."""
    thoughts = _count(usage, "thoughtsTokenCount")  # Gemini counts them apart
    output = _count(usage, *_OUTPUT)
    # Some leave the reasoning out of the reply's tokens, and have it in the total only.
    total, prompt = _count(usage, "total_tokens"), _count(usage, "prompt_tokens")
    if total and prompt:
        output = max(output, total - prompt)
    details = _mapping(usage.get("completion_tokens_details")) or _mapping(usage.get("output_tokens_details")) or {}
    return output + thoughts, thoughts or _count(details, "reasoning_tokens")


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
        if isinstance(value, int) and not isinstance(value, bool) and 0 < value <= _MOST:
            return value
    return 0


def _mapping(value: object) -> Mapping[str, object] | None:
    """A mapping, or what an SDK's object would be as one."""
    found = mapping(value)
    if found is None:
        dump = getattr(value, "model_dump", None)
        found = mapping(dump()) if callable(dump) else None
    return found
