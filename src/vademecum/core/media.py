"""Media: images, documents and sounds that a part carries, as far as their first bytes tell."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from vademecum.core.text import clean, one_line

MediaKind = Literal["image", "document", "audio", "video"]

#: A description names at most this many media of one part.
_MOST_NAMED = 4


@dataclass(frozen=True, slots=True)
class Media:
    """One image, document or recording; its bytes stay in the wire object.

    Attributes:
        kind: What it is.
        format: `PNG`, `PDF` and so on; empty when unknown.
        width: Pixels, 0 when unknown.
        height: Pixels, 0 when unknown.
        pages: Pages of a document, 0 when unknown.
        seconds: Length of a recording, 0 when unknown.
        size: Bytes; 0 when they are not in the message.
        name: A file name or title.
        where: The address or the file id under which the bytes are, when they are not in the message.
        written: Its text is the part's own text, so nothing is counted beside that.
    """

    kind: MediaKind
    format: str = ""
    width: int = 0
    height: int = 0
    pages: int = 0
    seconds: int = 0
    size: int = 0
    name: str = ""
    where: str = ""
    written: bool = False


def described(media: Media) -> str:
    """One of them in words: what it is, its name, pixels or pages, bytes, or where it is."""
    what = f"{media.format} {media.kind}" if media.format else str(media.kind)
    if media.name:
        what += f" {json.dumps(one_line(clean(media.name), 80), ensure_ascii=False)}"
    said = [what]
    if media.width and media.height:
        said.append(f"{media.width:,} × {media.height:,} pixels")
    if media.pages:
        said.append(f"{media.pages:,} page{'s' * (media.pages > 1)}")
    if media.seconds:
        said.append(f"{media.seconds:,} s")
    if media.size:
        said.append(f"{media.size:,} bytes")
    if media.where:
        place = json.dumps(one_line(clean(media.where), 160), ensure_ascii=False)
        said.append(f"only its reference {place} is archived")
    return ", ".join(said)


def listed(media: Iterable[Media]) -> str:
    """Several of them in words; of many, the first ones and how many more there are."""
    items = tuple(media)
    said = [described(item) for item in items[:_MOST_NAMED]]
    if len(items) > _MOST_NAMED:
        said.append(f"{len(items) - _MOST_NAMED} more")
    return "; ".join(said)


def tally(media: Iterable[Media]) -> str:
    """How many there are of each kind: `2 images, 1 document`; empty for none."""
    found = Counter(item.kind for item in media)
    return ", ".join(f"{number} {kind}{_plural(kind, number)}" for kind, number in found.items())


def _plural(kind: str, number: int) -> str:
    return "" if number == 1 or kind == "audio" else "s"
