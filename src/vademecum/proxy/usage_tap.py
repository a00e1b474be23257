"""A tap on a reply that passes by: finds the usage that it reports, in streams and in plain JSON."""

from __future__ import annotations

import json

from vademecum.wire.usage import Usage, usage_of

#: More than this of a reply is never held back for reading; its usage is then not known.
_MOST = 8 << 20


class UsageTap:
    """Takes the bytes of a reply as they pass.

    Args:
        content_type: The reply's content type.
        readable: Whether its bytes are not encoded.
    """

    def __init__(self, content_type: str, *, readable: bool) -> None:
        self._stream = "event-stream" in content_type
        self._readable = readable
        self._held = bytearray()
        self._usage: Usage | None = None

    def feed(self, chunk: bytes) -> None:
        """Takes some bytes; whole lines of a stream are read at once and let go."""
        if not self._readable or len(self._held) + len(chunk) > _MOST:
            self._readable = False
            self._held.clear()
            return
        self._held += chunk
        if self._stream:
            end = self._held.rfind(b"\n")
            if end >= 0:
                lines, self._held = self._held[: end + 1], self._held[end + 1 :]
                self._read_lines(bytes(lines))

    def usage(self) -> Usage | None:
        """The usage, once the reply has ended."""
        if self._stream:
            self._read_lines(bytes(self._held))
        elif self._readable and self._held:
            self._take(bytes(self._held))
        self._held.clear()
        return self._usage

    def _read_lines(self, data: bytes) -> None:
        for line in data.split(b"\n"):
            # Looking for the word first keeps a long stream cheap: one event in hundreds has it.
            if line.startswith(b"data:") and b"usage" in line:
                self._take(line[5:])

    def _take(self, data: bytes) -> None:
        try:
            value: object = json.loads(data)
        except (ValueError, RecursionError):
            return
        found = usage_of(value)
        # A stream of Anthropic reports the input at its start and only the output at its end.
        if found is not None and (self._usage is None or found.prompt_tokens >= self._usage.prompt_tokens):
            self._usage = found
