"""A lineage: a chain of sessions as one transcript, cut at a complete round, with a manifest that proves it."""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

from vademecum.core.dialect import Dialect
from vademecum.core.messages import Message
from vademecum.core.pairing import pair, safe_cuts
from vademecum.core.tokens import part_texts
from vademecum.errors import ConfigError
from vademecum.sessions import Log, Source, readings
from vademecum.wire import dialect
from vademecum.wire.values import dumped

#: Characters that a token of a cut is taken for (B-0): a cut needs no tokenizer to be repeated anywhere.
CHARS_PER_TOKEN = 4
MANIFEST = "vademecum.bench.lineage/1"


@dataclass(frozen=True)
class Lineage:
    """A transcript that is benched.

    Attributes:
        name: Its name in tables.
        dialect: The wire format of its messages.
        messages: The transcript.
        sources: The logs that it is made of.
        dropped: How many rows of earlier compactions were left out.
        copies: How many messages were left out because a log before has them already (rotated copies).
    """

    name: str
    dialect: Dialect
    messages: tuple[Message, ...]
    sources: tuple[str, ...] = ()
    dropped: int = 0
    copies: int = 0

    @property
    def chars(self) -> int:
        """Characters that a model reads of it."""
        return sum(map(chars_of, self.messages))

    def sha256(self) -> str:
        """Of its messages in their compact JSON form."""
        digest = hashlib.sha256()
        for message in self.messages:
            digest.update(dumped(message.wire).encode("utf-8", "surrogatepass") + b"\n")
        return digest.hexdigest()

    def prefix(self, tokens: int) -> Lineage:
        """Its beginning: the longest run of complete rounds that has at most so many tokens (characters / 4).

        Raises:
            ConfigError: Not even the first round fits.
        """
        total, stop = 0, 0
        for message in self.messages:
            total += chars_of(message)
            if total > tokens * CHARS_PER_TOKEN:
                break
            stop += 1
        if stop == len(self.messages):
            return self
        cuts = safe_cuts(self.messages, pair(self.messages))
        cut = max((at for at in cuts if 0 < at <= stop and _ends_a_round(self.messages[at - 1])), default=0)
        if not cut:
            raise ConfigError(
                f"the first round of {self.name} has more than {tokens:,} tokens", hint="raise --tokens"
            )
        return replace(self, messages=self.messages[:cut])

    def manifest(self) -> dict[str, Any]:
        """What `bench lineage verify` checks."""
        return {
            "schema": MANIFEST,
            "name": self.name,
            "format": self.dialect.name,
            "messages": len(self.messages),
            "calls": sum(len(message.calls()) for message in self.messages),
            "chars": self.chars,
            "tokens_by_chars": self.chars // CHARS_PER_TOKEN,
            "sources": list(self.sources),
            "dropped": self.dropped,
            "copies": self.copies,
            "sha256": self.sha256(),
        }


def _ends_a_round(message: Message) -> bool:
    return message.role == "assistant" or bool(message.results())


def chars_of(message: Message) -> int:
    """Characters that a model reads of a message: texts, reasoning, names and arguments of calls."""
    return sum(len(text) for part in message.parts for text in part_texts(part))


def load(path: Path) -> Lineage:
    """Reads a lineage, or any session log, as one. Where its manifest stands beside it, that says what it is made of.

    Raises:
        WireError: The file is no session log.
    """
    found = build([path], name=path.name.split(".")[0])
    told = _manifest_beside(path)
    if told is None or told.get("sha256") != found.sha256():
        return found
    return replace(found, sources=tuple(told["sources"]), dropped=told["dropped"], copies=told.get("copies", 0))


def _manifest_beside(path: Path) -> dict[str, Any] | None:
    """The manifest of a lineage's file; None where there is none, or it is something else of that name."""
    beside = manifest_of(path)
    if not beside.exists():
        return None
    try:
        told: Any = json.loads(beside.read_text("utf-8"))
    except ValueError:
        return None
    return cast("dict[str, Any]", told) if isinstance(told, dict) and told.get("schema") == MANIFEST else None  # pyright: ignore[reportUnknownMemberType]


def build(paths: Sequence[Path], *, name: str) -> Lineage:
    """Chains session logs; a log that begins as another one does (a rotated copy) goes on from there.

    Args:
        paths: The logs, oldest first.
        name: The lineage's name.

    Raises:
        ConfigError: The logs have different wire formats.
        WireError: A file is no session log.
    """
    messages: list[Message] = []
    seen: set[bytes] = set()
    format, dropped, copies = "", 0, 0
    for path in paths:
        for log in _logs(path):
            if format and log.dialect.name != format:
                raise ConfigError(
                    f"{path.name} has the format {log.dialect.name}, the logs before it {format}",
                    hint="bench them as lineages of their own",
                )
            format = log.dialect.name
            dropped += log.dropped
            fresh = _without_copy(log.messages, seen)
            copies += len(log.messages) - len(fresh)
            messages += fresh
            seen.update(message.identity for message in fresh)
    if not messages:
        raise ConfigError(f"there are no messages in {', '.join(str(path) for path in paths)}")
    return Lineage(name, dialect(format), tuple(messages), tuple(path.name for path in paths), dropped, copies)


def _logs(path: Path) -> Iterator[Log]:
    with Source.open(path) as source:
        for reading in readings(source):
            yield reading.log()


def _without_copy(messages: Iterable[Message], seen: set[bytes]) -> list[Message]:
    """The messages after those at the beginning that an earlier log has already."""
    kept: list[Message] = []
    for message in messages:
        if kept or message.identity not in seen:
            kept.append(message)
    return kept


def save(lineage: Lineage, folder: Path) -> Path:
    """Writes `NAME.jsonl.gz` and `NAME.manifest.json`; the same lineage gives the same bytes.

    Returns:
        The lineage's file.
    """
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{lineage.name}.jsonl.gz"
    rows = "".join(dumped(_row(message)) + "\n" for message in lineage.messages)
    path.write_bytes(gzip.compress(rows.encode("utf-8", "surrogatepass"), mtime=0))
    manifest = json.dumps(lineage.manifest(), indent=1, ensure_ascii=False)
    manifest_of(path).write_text(manifest + "\n", "utf-8")
    return path


def _row(message: Message) -> dict[str, object]:
    """A row that says who typed it, where a log knew."""
    harness = message.role == "user" and not message.typed
    held = message.wire.get("meta")
    meta: dict[str, object] = {str(key): value for key, value in held.items()} if isinstance(held, dict) else {}  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    return {**message.wire, "meta": {**meta, "injected": True}} if harness else dict(message.wire)


def manifest_of(path: Path) -> Path:
    """Where a lineage's manifest stands."""
    return path.with_name(path.name.split(".")[0] + ".manifest.json")


def verify(path: Path) -> list[str]:
    """What differs between a lineage and its manifest; empty when it is the one that was benched."""
    expected = json.loads(manifest_of(path).read_text("utf-8"))
    found = load(path).manifest()
    return [
        f"{key}: {expected.get(key)!r} in the manifest, {found[key]!r} in the file"
        for key in ("format", "messages", "calls", "chars", "sha256")
        if expected.get(key) != found[key]
    ]
