"""A tap on a reply that passes by: finds the usage that it reports, in streams and in plain JSON."""

from __future__ import annotations

import json
import zlib
from collections import deque
from collections.abc import Sequence

from vademecum.models.errors import Verdict
from vademecum.models.errors.stream import WITHOUT_END, event_of, verdict_of
from vademecum.models.errors.table import Table
from vademecum.models.errors.truncation import cut_or_ended
from vademecum.proxy.encoding import decoder
from vademecum.wire.usage import Usage, fuller
from vademecum.wire.values import mapping, sequence

#: More than this of a reply is never held back for reading; its usage is then not known.
_MOST = 8 << 20
#: What one chunk may expand to; a stream that is packed more tightly is not read.
_MOST_EXPANDED = 1 << 20
#: Events with a usage that are kept: the first ones (Anthropic reports the input at the start) and the last.
_FIRST, _LAST = 4, 4
#: Chunks at the end of a stream that are kept: in one of them it says why it ended.
_ENDS = 4
_DONE = b"[DONE]"


#: Words of which one is there where a usage is reported: by OpenAI and Anthropic, Gemini, Ollama, llama.cpp.
_WORDS = (b'"usage"', b'"usageMetadata"', b'"prompt_eval_count"', b'"timings"')


class UsageTap:
    """Takes the bytes of a reply as they pass; nothing is parsed before it has ended.

    Args:
        content_type: The reply's content type.
        encoding: Its content encoding.
        wordings: What errors mean; None for the packaged table.
    """

    def __init__(self, content_type: str, encoding: str = "", wordings: Table | None = None) -> None:
        self._wordings = wordings
        self._events_of = "event-stream" in content_type
        #: Lines can be looked at one by one: those of a stream of events, or JSON on each.
        self._stream = self._events_of or "ndjson" in content_type or "jsonl" in content_type
        self._decoder = decoder(encoding)
        encoded = encoding.strip().lower() not in ("", "identity")
        self._readable = (self._stream or "json" in content_type) and (not encoded or self._decoder is not None)
        self._held = bytearray()
        self._events: list[bytes] = []
        #: The newest lines, which say how the reply ended, and what said that something went wrong.
        self._ends = deque[bytes](maxlen=_ENDS)
        self._errors: list[bytes] = []
        self.broken = False

    def feed(self, chunk: bytes) -> None:
        """Takes some bytes; whole lines of a stream are looked at once and let go."""
        if not self._readable:
            return
        if self._decoder is not None:
            chunk = self._expanded(chunk)
        if len(self._held) + len(chunk) > _MOST:
            self._give_up()
            return
        self._held += chunk
        # A long line comes in many pieces: the rest of it is not looked through again.
        if self._stream and b"\n" in chunk:
            end = self._held.rfind(b"\n")
            self._look_at(bytes(self._held[: end + 1]))
            del self._held[: end + 1]

    def found(self) -> Sequence[bytes]:
        """The pieces of JSON that may hold a usage, once the reply has ended; see `reported`."""
        if self._stream:
            self._look_at(bytes(self._held))
        elif self._readable and self._held:
            self._events = [bytes(self._held)]
        self._held.clear()
        return self._events

    @property
    def failed(self) -> bool:
        """Whether the reply broke off, or a line of it said that something went wrong."""
        return self.broken or bool(self._errors)

    def verdict(self, *, expected_input: int | None = None, window: int | None = None) -> Verdict | None:
        """What went wrong in the reply, once `found` was asked; None where it is whole.

        Args:
            expected_input: Tokens that the input is thought to have.
            window: The window.
        """
        if self.broken:
            return Verdict("unavailable", row="the upstream broke off")
        if not self._stream:
            wholes = [mapping(value) for value in map(_value, self._events)]
            return (
                cut_or_ended(wholes[0], expected_input=expected_input, window=window)
                if wholes and wholes[0]
                else None
            )
        lines = [line for block in self._ends for line in block.splitlines()]
        said = [event for line in (*self._errors, *self._events, *lines) if (event := event_of(line)) is not None]
        found = verdict_of(said, expected_input=expected_input, window=window, table=self._wordings)
        unsaid = found is not None and found.row == WITHOUT_END
        if self._errors and (found is None or unsaid):
            return Verdict("unavailable", row="an error that says nothing")
        # Some servers never say why a reply ended, only that it did.
        return None if unsaid and (not said or any(_DONE in line for line in lines)) else found

    def _expanded(self, chunk: bytes) -> bytes:
        assert self._decoder is not None  # noqa: S101  # the caller has looked
        try:
            data = self._decoder.decompress(chunk, _MOST_EXPANDED)
        except zlib.error:
            data = b""
        if self._decoder.unconsumed_tail or (chunk and not data and self._decoder.eof):
            self._give_up()
        return data

    def _give_up(self) -> None:
        self._readable = False
        self._held.clear()

    def _look_at(self, lines: bytes) -> None:
        if lines.strip():
            self._ends.append(lines)
        # Looking for the words first keeps a long stream cheap: one event in hundreds has them.
        if not self._errors and (b'"error"' in lines or b"event: error" in lines):
            self._errors = [line for line in lines.split(b"\n") if is_failure(line)][:_FIRST]
        if not any(word in lines for word in _WORDS):
            return
        for line in lines.split(b"\n"):
            told = any(word in line for word in _WORDS) and (b'"usage":null' not in line or b'"timings"' in line)
            if told and (not self._events_of or line.startswith(b"data:")):
                self._events.append(line.removeprefix(b"data:"))
                if len(self._events) > _FIRST + _LAST:
                    del self._events[_FIRST]


def is_failure(line: bytes) -> bool:
    """Whether a line of a stream says that something went wrong."""
    bare = line.strip()
    if b'"error"' not in bare:
        return bare.replace(b" ", b"") == b"event:error"
    try:
        event = mapping(json.loads(bare.removeprefix(b"data:"))) or {}
    except (ValueError, RecursionError):
        return False
    return bool(event.get("error")) or event.get("type") in ("error", "response.failed")


def reported(pieces: Sequence[bytes]) -> Usage | None:
    """The usage that a reply reported, of all that it said about it the fullest."""
    best: Usage | None = None
    for value in map(_value, pieces):
        # Without events, a stream of Gemini's is one list that grows.
        for item in sequence(value) or (value,):
            best = fuller(best, item)
    return best


def _value(piece: bytes) -> object:
    try:
        return json.loads(piece)
    except (ValueError, RecursionError):
        return None
