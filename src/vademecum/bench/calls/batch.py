"""Batch files: every pending call as a line of OpenAI's batch format, and their answers read back (B-6)."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any, cast

from vademecum.bench.calls.request import Request, Role
from vademecum.bench.calls.store import Given

URL = "/v1/chat/completions"
_OK = 200
#: What a provider takes as one batch file.
REQUESTS, BYTES = 50_000, 200_000_000
_FINISH = {
    "stop": "stop",
    "length": "length",
    "tool_calls": "tool_call",
    "function_call": "tool_call",
    "content_filter": "refusal",
}


def body(request: Request, model: str, thinking: int = 0) -> dict[str, Any]:
    """A request as the body of a chat completion.

    Args:
        request: The call.
        model: The model's name; left out where empty, for whoever sends the file to add.
        thinking: Tokens for what a model thinks before it answers; such models take no temperature.
    """
    told: dict[str, Any] = {"model": model} if model else {}
    limit: dict[str, Any] = {"max_tokens": request.max_tokens, "temperature": 0}
    if thinking:
        limit = {"max_completion_tokens": request.max_tokens + thinking}
    return {
        **told,
        "messages": [{"role": "system", "content": request.system}, {"role": "user", "content": request.prompt}],
        **limit,
    }


@dataclass(frozen=True, slots=True)
class Written:
    """What was written as batch files.

    Attributes:
        files: The files, in their order.
        counts: Role → how many requests.
    """

    files: tuple[Path, ...]
    counts: Counter[str]


def write(
    requests: Iterable[Request],
    path: Path,
    models: Mapping[Role, str],
    *,
    most: int | None = None,
    thinking: int = 0,
    requests_each: int = REQUESTS,
    bytes_each: int = BYTES,
) -> Written:
    """Writes requests as JSON Lines, in so many files that a provider takes each.

    Args:
        requests: The calls.
        path: The first file; further ones have `-2`, `-3` … after its name.
        models: Role → model.
        most: How many at most.
        thinking: Tokens for what a model thinks before it answers.
        requests_each: How many a file has at most.
        bytes_each: How long a file is at most; a request that is longer has one of its own.

    Returns:
        The files, and how many requests for each role are in them.
    """
    counts: Counter[str] = Counter()
    files = [path]
    with ExitStack() as open_files:
        file, held, size = open_files.enter_context(_part(path).open("wb")), 0, 0
        for request in requests if most is None else islice(requests, most):
            line = line_of(request, models.get(request.role, ""), thinking)
            if held and (held >= requests_each or size + len(line) > bytes_each):
                file.close()
                files.append(path.with_name(f"{path.stem}-{len(files) + 1}{path.suffix}"))
                file, held, size = open_files.enter_context(_part(files[-1]).open("wb")), 0, 0
            file.write(line)
            held, size = held + 1, size + len(line)
            counts[request.role] += 1
    for made in files:
        _part(made).replace(made)
    return Written(tuple(files), counts)


def line_of(request: Request, model: str = "", thinking: int = 0) -> bytes:
    """A request as a line of a batch file."""
    told = {"custom_id": request.id, "method": "POST", "url": URL, "body": body(request, model, thinking)}
    return json.dumps(told, ensure_ascii=True).encode("ascii") + b"\n"


def _part(path: Path) -> Path:
    return path.with_name(path.name + ".part")


def read(path: Path) -> Iterator[Given]:
    """What a file of answers holds: lines of OpenAI's batch output, or `{"custom_id", "text"}`.

    A line that is none of these, or is torn, is told as a fault; without an id that is all that is known of it.
    """
    with path.open("rb") as file:
        for line in file:
            if line.strip():
                yield given_of(line)


def given_of(line: bytes | str) -> Given:
    """What one line of a file of answers says."""
    try:
        row: Any = json.loads(line)
    except (ValueError, RecursionError):
        return Given("", "", fault="malformed")
    if not isinstance(row, dict):
        return Given("", "", fault="malformed")
    held = cast("dict[str, Any]", row)
    id = held.get("custom_id")
    if not isinstance(id, str):
        return Given("", "", fault="malformed")
    if "text" in held:
        return replace(_given(id, held["text"], held.get("model")), **_usage(held.get("usage")))
    response = held.get("response")
    if held.get("error") or not isinstance(response, dict):
        return Given(id, "", fault="error" if held.get("error") else "malformed")
    answered = cast("dict[str, Any]", response)
    if answered.get("status_code", _OK) != _OK:
        return Given(id, "", fault="error")
    return completion(id, answered.get("body"))


def completion(id: str, found: object) -> Given:
    """The text of a chat completion's body.

    Args:
        id: Of the request.
        found: The body.
    """
    try:
        held = cast("dict[str, Any]", found)
        choice: dict[str, Any] = held["choices"][0]
        content: Any = choice["message"]["content"]
        if isinstance(content, list):
            content = "".join(str(piece.get("text", "")) for piece in cast("list[dict[str, Any]]", content))
        given = _given(id, content, held.get("model"))
        finish = choice.get("finish_reason")
        stopped = "stop" if finish is None else _FINISH.get(str(finish), "other")
        return replace(given, finish=stopped, **_usage(held.get("usage")))
    except (KeyError, IndexError, TypeError, AttributeError):
        return Given(id, "", fault="malformed")


def _usage(told: object) -> dict[str, Any]:
    """Tokens as a completion tells them; nothing where it does not."""
    held: dict[str, Any] = cast("dict[str, Any]", told) if isinstance(told, dict) else {}
    details = held.get("prompt_tokens_details")
    cached = _count(cast("dict[str, Any]", details).get("cached_tokens")) if isinstance(details, dict) else 0
    read = _count(held.get("prompt_tokens"))
    return {"input": max(0, read - cached), "output": _count(held.get("completion_tokens")), "cached": cached}


def _count(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0


def _given(id: str, text: object, model: object) -> Given:
    name = model if isinstance(model, str) else ""
    if text is None or (isinstance(text, str) and not text.strip()):
        return Given(id, "", name, "empty")
    return Given(id, text, name) if isinstance(text, str) else Given(id, "", name, "malformed")
