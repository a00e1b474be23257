"""Batch files: every pending call as a line of OpenAI's batch format, and their answers read back (B-6)."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, cast

from vademecum.bench.calls.request import Request, Role
from vademecum.bench.calls.store import Given

URL = "/v1/chat/completions"
_OK = 200


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


def write(
    requests: Iterable[Request], path: Path, models: Mapping[Role, str], *, most: int | None = None, thinking: int = 0
) -> Counter[str]:
    """Writes requests as JSON Lines.

    Args:
        requests: The calls.
        path: The file.
        models: Role → model.
        most: How many at most.
        thinking: Tokens for what a model thinks before it answers.

    Returns:
        Role → how many were written.
    """
    counts: Counter[str] = Counter()
    part = path.with_name(path.name + ".part")
    with part.open("w", encoding="utf-8") as file:
        for request in requests:
            if most is not None and counts.total() >= most:
                break
            line = {
                "custom_id": request.id,
                "method": "POST",
                "url": URL,
                "body": body(request, models.get(request.role, ""), thinking),
            }
            file.write(json.dumps(line, ensure_ascii=True) + "\n")
            counts[request.role] += 1
    part.replace(path)
    return counts


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
        return _given(id, held["text"], held.get("model"))
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
        content: Any = held["choices"][0]["message"]["content"]
        if isinstance(content, list):
            content = "".join(str(piece.get("text", "")) for piece in cast("list[dict[str, Any]]", content))
        return _given(id, content, held.get("model"))
    except (KeyError, IndexError, TypeError, AttributeError):
        return Given(id, "", fault="malformed")


def _given(id: str, text: object, model: object) -> Given:
    name = model if isinstance(model, str) else ""
    if text is None or (isinstance(text, str) and not text.strip()):
        return Given(id, "", name, "empty")
    return Given(id, text, name) if isinstance(text, str) else Given(id, "", name, "malformed")
