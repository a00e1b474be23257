"""Messages of which the archive has only a part: what was purged or evicted is known again when a caller sends it.

The id of a message is made of its content and of the one before it, so it tells whether one that is sent is the
same, although the content is gone. Were it not known again, it would be taken for another one and archived anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from vademecum.archive.sqlite.reading import StoredMessage
from vademecum.core.identity import ROOT, node
from vademecum.core.messages import Message, Wire
from vademecum.core.tokens import TokenCounter
from vademecum.core.transcript import Transcript

#: So far from its place a message is looked for: others may have been put in or left out before it.
_AROUND = 8


@dataclass(frozen=True, slots=True)
class Lacking:
    """A message of which something is gone.

    Attributes:
        index: Its index among the messages known.
        parent: What its id was made of, besides its content.
        node: The id that its content makes.
    """

    index: int
    parent: bytes
    node: bytes


def lacking(stored: Sequence[StoredMessage], revised: Mapping[int, Sequence[StoredMessage]]) -> tuple[Lacking, ...]:
    """The messages that lack something, among the newest versions of those that are stored."""
    return tuple(_lacking(stored, revised))


def _lacking(stored: Sequence[StoredMessage], revised: Mapping[int, Sequence[StoredMessage]]) -> Iterator[Lacking]:
    index, parent = 0, ROOT
    for held in stored:
        versions = revised.get(held.position)
        for version in (held,) if versions is None else versions:
            if version.lacks:
                yield Lacking(index, parent if versions is None else held.node, version.node)
            index += 1
        parent = held.node


def completed(
    known: Transcript,
    missing: Sequence[Lacking],
    sent: Sequence[Wire],
    load: Callable[[Wire, int], Message],
    counter: TokenCounter,
) -> Transcript:
    """The messages known, whole where the caller sends them whole."""
    found: dict[int, Message] = {}
    for one in missing:
        for at in sorted(range(one.index - _AROUND, one.index + _AROUND + 1), key=lambda at: abs(at - one.index)):
            message = load(sent[at], at) if 0 <= at < len(sent) else None
            if message is not None and node(one.parent, message.identity) == one.node:
                found[one.index] = message
                break
    if not found:
        return known
    sizes = dict(zip(found, counter.messages(list(found.values())), strict=True))
    return replace(
        known,
        messages=tuple(found.get(at, message) for at, message in enumerate(known.messages)),
        sizes=tuple(sizes.get(at, size) for at, size in enumerate(known.sizes)),
    )
