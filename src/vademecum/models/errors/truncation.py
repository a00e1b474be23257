"""Truncation: replies that ended early, and prompts that were cut without a word (M-7)."""

from __future__ import annotations

from collections.abc import Mapping

from vademecum.models.errors.verdict import Verdict
from vademecum.wire.usage import usage_of
from vademecum.wire.values import at, mapping, sequence

#: How formats say that a reply ended at a limit.
_LENGTH = frozenset({"length", "max_tokens", "max_output_tokens"})
_FULL = frozenset({"model_context_window_exceeded"})
#: How they say that the provider would not go on.
_FILTERED = frozenset(
    {"content_filter", "content_filtered", "safety", "prohibited_content", "blocklist", "recitation", "spii",
     "refusal", "image_safety", "guardrail_intervened", "sensitive"}
)  # fmt: skip
#: A prompt that was cut has at most this share of the tokens that were expected.
_SUSPECT = 1.5
#: A window of a local server is a multiple of this; a prompt that fills one exactly, or half of it with
#: the two tokens that old runners put there, has been cut.
_GRAIN = 1_024
#: Counts of servers differ from each other by this share of a window.
MARGIN = 0.01


def ended_at(reason: str, total: int | None, window: int | None, *, margin: float = MARGIN) -> Verdict | None:
    """What a reply's reason for its end means; None for one that is whole.

    Args:
        reason: The reason, in any format's words.
        total: Tokens of input and reply together.
        window: The window.
        margin: How far the total may be off, as a share of the window.
    """
    reason = reason.lower()
    if reason in _FULL:
        return Verdict("context_overflow", row="the reply ended where the window did")
    if reason in _FILTERED:
        return Verdict("content_filter", row="the reply was stopped")
    if reason not in _LENGTH:
        return None
    if total is not None and window is not None and total >= window - margin * window:
        return Verdict("context_overflow", row="the reply ended where the window did")
    if total is not None and window is None and total >= 2 * _GRAIN and total % _GRAIN == 0:
        # As round as windows are: it was reached.
        return Verdict(
            "context_overflow", total, "window", learnable=True, row="the reply ended where the window did"
        )
    return Verdict("output_truncated", row="the reply ended at its own limit")


def was_cut(reported: int, expected: int) -> bool:
    """Whether a server that cuts prompts silently has cut this one.

    Args:
        reported: Tokens of the prompt that it reports.
        expected: Tokens that the prompt is thought to have.
    """
    return expected > _SUSPECT * reported


def cut_or_ended(
    fields: Mapping[str, object], *, expected_input: int | None = None, window: int | None = None
) -> Verdict | None:
    """What is wrong with a reply that is no error; None where nothing is, or where it is none.

    Args:
        fields: The reply.
        expected_input: Tokens that the input is thought to have.
        window: The window.
    """
    if fields.get("error"):
        return None
    reason, usage = ending(fields), usage_of(fields)
    if "prompt_eval_count" in fields and usage is not None:
        limit = _cut_to(usage.prompt_tokens)
        if limit is not None if expected_input is None else was_cut(usage.prompt_tokens, expected_input):
            return Verdict(
                "silent_truncation", limit, "window" if limit else "", certain=False, row="a prompt cut short"
            )
    total = None if usage is None else usage.prompt_tokens + usage.output_tokens
    return None if reason is None else ended_at(reason, total, window)


def _cut_to(count: int) -> int | None:
    """The window that a prompt was cut to, where its size gives that away."""
    if count >= _GRAIN + 2 and (count - 2) % _GRAIN == 0:
        return 2 * (count - 2)
    return count if count >= 2 * _GRAIN and count % (2 * _GRAIN) == 0 else None


def ending(fields: Mapping[str, object]) -> str | None:
    """Why a reply ended, in whichever format; None where it does not say.

    Args:
        fields: The reply, or an event of its stream.
    """
    whole = mapping(fields.get("response")) or fields
    found = (
        at(whole, ("incomplete_details", "reason")),
        whole.get("stop_reason"),
        at(whole, ("delta", "stop_reason")),
        whole.get("done_reason"),
        at(whole, ("promptFeedback", "blockReason")),
        *(
            choice.get(name)
            for key, name in (("choices", "finish_reason"), ("candidates", "finishReason"))
            for choice in map(mapping, sequence(whole.get(key)) or ())
            if choice is not None
        ),
    )
    said = next((reason for reason in found if isinstance(reason, str)), None)
    return "stop" if said is None and fields.get("type") == "response.completed" else said
