"""The envelope: what stands around the messages in a file, so that a context goes out as its file came in."""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

from vademecum.archive import Session
from vademecum.sessions import Log, Reading
from vademecum.wire.document import Layout, render
from vademecum.wire.values import encoded

#: Keys of chat rows that no provider knows.
_BESIDE = frozenset({"native", "meta", "ts"})


@dataclass(frozen=True, slots=True)
class Envelope:
    """How the messages of a session stand in its file; see `wire.document.Document`.

    Attributes:
        bare: Whether contexts leave away what an importer put beside the messages' own keys.
    """

    layout: Layout = "jsonl"
    prefix: bytes = b""
    suffix: bytes = b""
    separator: bytes = b","
    bare: bool = False

    @classmethod
    def of(cls, log: Log | Reading) -> Self:
        """The envelope of a log."""
        bare = log.kind != "chat" and log.dialect.name == "openai-chat"
        return cls(log.layout, log.prefix, log.suffix, log.separator, bare)

    @classmethod
    def loaded(cls, data: bytes) -> Self:
        """The envelope that was kept with a session; JSON Lines where none was."""
        if not data:
            return cls()
        fields: dict[str, Any] = json.loads(data)
        texts = [b64decode(fields[name]) for name in ("prefix", "suffix", "separator")]
        return cls(fields["layout"], *texts, bare=fields.get("bare", False))

    def dumped(self) -> bytes:
        """The envelope as the archive keeps it."""
        texts = {
            "prefix": b64encode(self.prefix).decode(),
            "suffix": b64encode(self.suffix).decode(),
            "separator": b64encode(self.separator).decode(),
        }
        more = {"bare": True} if self.bare else {}
        return json.dumps({"layout": self.layout, **texts, **more}).encode()

    def around(self, raws: Sequence[bytes]) -> bytes:
        """A file with these messages."""
        return render(self.layout, raws, self.prefix, self.suffix, self.separator)

    def projected(self, raws: Sequence[bytes]) -> bytes:
        """A context of these messages, as it is sent to a provider."""
        return self.around([_bare(raw) for raw in raws] if self.bare else raws)


def rendered(session: Session, envelope: Envelope, *, whole: bool = False) -> bytes:
    """A session's context, or its whole transcript, as its file would have it."""
    if whole:
        return envelope.around([message.raw for message in session.stored()])
    return envelope.projected(session.context())


def _bare(raw: bytes) -> bytes:
    row: dict[str, Any] = json.loads(raw.decode("utf-8", "surrogateescape"))
    kept = {key: value for key, value in row.items() if key not in _BESIDE}
    return raw if len(kept) == len(row) else encoded(kept)
