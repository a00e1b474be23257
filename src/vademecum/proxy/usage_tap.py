"""A tap on a reply that passes by: finds the usage that it reports, in streams and in plain JSON."""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence

from vademecum.proxy.encoding import decoder
from vademecum.wire.usage import Usage, fuller
from vademecum.wire.values import mapping, sequence

#: More than this of a reply is never held back for reading; its usage is then not known.
_MOST = 8 << 20
#: What one chunk may expand to; a stream that is packed more tightly is not read.
_MOST_EXPANDED = 1 << 20
#: Events with a usage that are kept: the first ones (Anthropic reports the input at the start) and the last.
_FIRST, _LAST = 4, 4


#: Words of which one is there where a usage is reported: by OpenAI and Anthropic, Gemini, Ollama, llama.cpp.
_WORDS = (b'"usage"', b'"usageMetadata"', b'"prompt_eval_count"', b'"timings"')


class UsageTap:
    """Takes the bytes of a reply as they pass; nothing is parsed before it has ended.

    Args:
        content_type: The reply's content type.
        encoding: Its content encoding.
    """

    def __init__(self, content_type: str, encoding: str = "") -> None:
        self._events_of = "event-stream" in content_type
        #: Lines can be looked at one by one: those of a stream of events, or JSON on each.
        self._stream = self._events_of or "ndjson" in content_type or "jsonl" in content_type
        self._decoder = decoder(encoding)
        encoded = encoding.strip().lower() not in ("", "identity")
        self._readable = (self._stream or "json" in content_type) and (not encoded or self._decoder is not None)
        self._held = bytearray()
        self._events: list[bytes] = []
        self.failed = False

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
        # Looking for the words first keeps a long stream cheap: one event in hundreds has them.
        if not self.failed and (b'"error"' in lines or b"event: error" in lines):
            self.failed = any(is_failure(line) for line in lines.split(b"\n"))
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
    for piece in pieces:
        try:
            value: object = json.loads(piece)
        except (ValueError, RecursionError):
            continue
        # Without events, a stream of Gemini's is one list that grows.
        for item in sequence(value) or (value,):
            best = fuller(best, item)
    return best
