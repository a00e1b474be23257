"""Failures: what an SDK raises, as one of our errors with the verdict on it."""

from __future__ import annotations

import asyncio
import json
import math
import traceback
from collections.abc import Mapping
from typing import Any, cast

from vademecum.errors import (
    AuthFailed,
    BadRequest,
    ContextOverflow,
    ModelError,
    OutputBudget,
    RateLimited,
    Unavailable,
)
from vademecum.models.errors import Kind, Verdict, classify
from vademecum.models.errors.table import Table

#: The libraries whose errors are those of a call.
_LIBRARIES = frozenset(
    {"openai", "anthropic", "google", "ollama", "httpx", "httpx2", "httpcore", "httpcore2", "aiohttp", "requests"}
)
_KINDS: dict[Kind, type[ModelError]] = {
    "context_overflow": ContextOverflow,
    "long_context_tier": ContextOverflow,
    "silent_truncation": ContextOverflow,
    "request_too_large": ContextOverflow,
    "output_budget": OutputBudget,
    "output_cap": OutputBudget,
    "auth": AuthFailed,
    "unavailable": Unavailable,
}
_SHOWN = 300


def is_of_a_call(error: Exception) -> bool:
    """Whether an error is one of the endpoint or of the way to it, and no mistake of the program's."""
    if isinstance(error, OSError | asyncio.TimeoutError | json.JSONDecodeError):
        return True
    return any(kind.__module__.partition(".")[0] in _LIBRARIES for kind in type(error).__mro__)


def error_of(error: Exception, model: str, key: str = "", table: Table | None = None) -> ModelError:
    """Our error for one of an SDK's.

    Args:
        error: What was raised.
        model: The model that was asked.
        key: The key, which is struck from whatever is shown.
        table: The wordings; None for the packaged ones.
    """
    raised: Any = error
    status, body = sent_back(error)
    said = f"{type(error).__name__}: {error}"
    return refusal(status, body, model, key, said=said, retry_after=_retry_after(raised), table=table)


def refusal(
    status: int | None,
    body: object,
    model: str,
    key: str = "",
    *,
    said: str = "",
    retry_after: float | None = None,
    table: Table | None = None,
) -> ModelError:
    """Our error for what a server answered in place of a reply.

    Args:
        status: The status; None where there was no answer at all.
        body: What it sent.
        model: The model that was asked.
        key: The key, which is struck from whatever is shown.
        said: What went wrong, where the server sent nothing.
        retry_after: Seconds that it asked to wait.
        table: The wordings; None for the packaged ones.
    """
    if status is None and body is None:
        verdict = Verdict("unavailable", row="no answer")
    else:
        verdict = classify(body, status=status, table=table) or Verdict(
            "unavailable", certain=False, row="an unknown error"
        )
    said = _said(body) or said
    shown = f"{status} {said}" if status else said
    return told(verdict, shown.replace(key, "[key]") if key else shown, model, retry_after=retry_after)


def sent_back(error: Exception) -> tuple[int | None, object]:
    """The status and the body that a server sent; None for what it did not."""
    raised: Any = error
    found = next(
        (code for name in ("status_code", "code") if isinstance(code := getattr(raised, name, None), int)), None
    )
    return found if found is not None and found >= 100 else None, _body(raised)


def told(verdict: Verdict, text: str, model: str, *, retry_after: float | None = None) -> ModelError:
    """The error that a verdict stands for."""
    said = f"{model} answered: {text[:_SHOWN]}"
    if verdict.kind in ("rate_limit", "rate_budget", "quota"):
        wait = retry_after if retry_after is not None else verdict.retry_after
        made: ModelError = RateLimited(said, model=model, retry_after_s=wait)
    else:
        made = _KINDS.get(verdict.kind, BadRequest)(said, model=model)
        if verdict.kind == "auth":
            made.hint = "check the key, and whether it may use this model"
    made.verdict = verdict
    return made


def cause_of(error: Exception, key: str) -> Exception | None:
    """What our error is raised from: nothing, where what a traceback shows of that quotes the key."""
    return None if key and key in "".join(traceback.format_exception(error)) else error


def verdict_of(error: ModelError) -> Verdict:
    """What an error means; of one that says nothing, that the endpoint did not serve."""
    return error.verdict if isinstance(error.verdict, Verdict) else Verdict("unavailable", row="not said")


def _body(raised: Any) -> object:
    """What the server sent, as near to its own bytes as the SDK has it."""
    response = getattr(raised, "response", None)
    try:
        content = response.content if response is not None else None
    except Exception:  # noqa: BLE001 - a body that was not read raises an error of its library's own
        content = None
    if isinstance(content, bytes) and content:
        return content
    details = getattr(raised, "details", None)
    if isinstance(details, dict | list | str) and details:
        return cast("object", details)
    body = getattr(raised, "body", None)
    if isinstance(body, dict | str | bytes) and body:
        named = cast("dict[str, object] | str | bytes", body)
        return named if isinstance(named, str | bytes) or "error" in named else {"error": named}
    said = getattr(raised, "error", None)
    return {"error": cast("object", said)} if isinstance(said, dict | str) else None


def _said(body: object) -> str:
    if isinstance(body, bytes):
        return body.decode("utf-8", "replace").strip()
    return body if isinstance(body, str) else "" if body is None else json.dumps(body)


def _retry_after(raised: Any) -> float | None:
    headers: Any = getattr(getattr(raised, "response", None), "headers", None)
    return None if headers is None else asked_wait(headers)


def asked_wait(headers: Mapping[str, str]) -> float | None:
    """Seconds that a reply's headers ask to wait; None where they do not."""
    headers = {name.lower(): value for name, value in headers.items()}
    for name, unit in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        try:
            asked = float(headers.get(name, "")) / unit
            if math.isfinite(asked):
                return max(0.0, asked)
        except (TypeError, ValueError):
            continue
    return None
