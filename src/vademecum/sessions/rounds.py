"""OpenAI chat rows from what a log tells: one assistant row for a model call, its results right after it."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from vademecum.core.messages import Message
from vademecum.errors import WireError
from vademecum.sessions.reading import Reading
from vademecum.wire.openai_chat import OPENAI_CHAT
from vademecum.wire.values import dumped, encoded, sequence, string

#: So many rounds wait for late results; what comes later than that stays where it is.
_WAITING = 8


@dataclass
class _Round:
    row: dict[str, Any]
    harness: bool = False
    key: str = ""
    line: int = 0
    open: set[str] = field(default_factory=set[str])
    results: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])


class Rounds:
    """Rows under construction; take what is `ready` now and then, and the `rest` at the end."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self._waiting: deque[_Round] = deque()
        self._count = 0

    def say(
        self,
        role: str,
        content: Any,
        *,
        ts: float | None = None,
        harness: bool = False,
        native: object = None,
        line: int = 0,
    ) -> None:
        """A system or user row."""
        self._waiting.append(_Round(_row({"role": role, "content": content}, ts, native), harness, line=line))

    def model(
        self,
        content: Any = None,
        *,
        reasoning: str = "",
        calls: Sequence[dict[str, Any]] = (),
        ts: float | None = None,
        native: object = None,
        key: str = "",
        line: int = 0,
    ) -> None:
        """What a model said; it joins what the model has just said, unless results or another key part them."""
        last = self._waiting[-1] if self._waiting else None
        if last is None or last.row["role"] != "assistant" or last.results or last.key != key:
            last = _Round(_row({"role": "assistant", "content": None}, ts, None), key=key, line=line)
            self._waiting.append(last)
        row = last.row
        if reasoning:
            row["reasoning"] = f"{row['reasoning']}\n\n{reasoning}" if row.get("reasoning") else reasoning
        if content not in (None, "", []):
            row["content"] = content if row["content"] is None else [*_parts(row["content"]), *_parts(content)]
        if calls:
            row["tool_calls"] = [*row.get("tool_calls", ()), *calls]
            last.open.update(string(made.get("id")) for made in calls)
        if native is not None:
            row["native"] = native if "native" not in row else [*_listed(row["native"]), native]

    def result(
        self,
        call_id: str,
        content: Any,
        *,
        tool: str = "",
        failed: bool = False,
        ts: float | None = None,
        native: object = None,
        line: int = 0,
    ) -> None:
        """A call's result; it goes to its call, even when something was said in between."""
        row: dict[str, Any] = {"role": "tool", "tool_call_id": call_id}
        if tool:
            row["name"] = tool
        row["content"] = "" if content is None else content
        if failed:
            row["meta"] = {"is_error": True}
        row = _row(row, ts, native)
        for held in reversed(self._waiting):
            if call_id in held.open:
                held.open.discard(call_id)
                held.results.append(row)
                return
        self._waiting.append(_Round(row, line=line))

    def pending(self) -> list[str]:
        """The calls of the newest round that have no result yet, in the order they were made."""
        for held in reversed(self._waiting):
            if held.row["role"] == "assistant":
                return [id for made in held.row.get("tool_calls", ()) if (id := string(made.get("id"))) in held.open]
        return []

    def ready(self) -> Iterator[Message]:
        """The messages that will not change any more."""
        while len(self._waiting) > _WAITING:
            yield from self._loaded(self._waiting.popleft())

    def rest(self) -> Iterator[Message]:
        """The messages that are left."""
        while self._waiting:
            yield from self._loaded(self._waiting.popleft())

    def _loaded(self, held: _Round) -> Iterator[Message]:
        for row in (held.row, *held.results):
            try:
                message = OPENAI_CHAT.load(row, self._count, raw=encoded(row), harness=held.harness)
            except WireError as error:
                self._reading.skipped.append((held.line, error.reason))
                continue
            self._count += 1
            yield message


def call(id: str, name: str, arguments: object) -> dict[str, Any]:
    """A tool call as chat rows have it."""
    text = arguments if isinstance(arguments, str) else dumped({} if arguments is None else arguments)
    return {"id": id, "type": "function", "function": {"name": name, "arguments": text}}


def image(url: str) -> dict[str, Any]:
    """An image as chat rows have it."""
    return {"type": "image_url", "image_url": {"url": url}}


def _row(row: dict[str, Any], ts: float | None, native: object) -> dict[str, Any]:
    if ts is not None:
        row["ts"] = ts
    if native:
        row["native"] = native
    return row


def _parts(content: Any) -> list[Any]:
    return [{"type": "text", "text": content}] if isinstance(content, str) else list(content)


def _listed(value: Any) -> list[Any]:
    return list(sequence(value) or (value,))
