"""Media in wire objects: read from base64, data URLs and references, each as far as its first bytes tell."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Mapping

from vademecum.core.media import Media, MediaKind
from vademecum.wire.images import looks
from vademecum.wire.pdf import pages
from vademecum.wire.values import mapping, string

_DATA_URL = re.compile(r"data:([\w.+-]+/[\w.+-]+)?(?:;[\w.+-]+=[^;,]*)*;base64,", re.IGNORECASE)
#: Enough for the headers of most images; JPEG's frame header may come behind a thumbnail.
_HEAD_CHARS, _DEEP_CHARS = 16_384, 262_144
#: Bytes a second of recordings whose header does not tell: 128 kbit/s sound, 1 Mbit/s pictures.
_BYTES_PER_SECOND: Mapping[str, int] = {"audio": 16_000, "video": 125_000}


def from_base64(data: str, mime: str = "", name: str = "", kind: MediaKind | None = None) -> Media:
    """What base64 text holds.

    Args:
        data: The base64 text.
        mime: The type that the message gives, which the bytes may contradict.
        name: A file name or title.
        kind: What it is where the format says so; else it follows from the type.
    """
    found = kind or kind_of(mime)
    size = len(data) * 3 // 4 - data.endswith("=") - data.endswith("==")
    subtype = mime.rpartition("/")[2].removeprefix("x-").upper()
    if found == "image":
        shape = looks(_decoded(data[:_HEAD_CHARS]))
        if shape[0] == "JPEG" and not shape[1] and len(data) > _HEAD_CHARS:
            shape = looks(_decoded(data[:_DEEP_CHARS]))
        return Media("image", shape[0] or subtype, shape[1], shape[2], size=size, name=name)
    if found == "document":
        # The bytes of a PDF begin the same way in base64, whatever the message calls them.
        is_pdf = data.startswith("JVBERi") or subtype == "PDF"
        count = pages(_decoded(data)) if is_pdf else 0
        return Media("document", "PDF" if is_pdf else _file_type(name, subtype), pages=count, size=size, name=name)
    seconds = _seconds(_decoded(data[:_HEAD_CHARS]), found, size)
    return Media(found, subtype, seconds=seconds, size=size, name=name)


def from_url(url: str, mime: str = "", name: str = "", kind: MediaKind | None = None) -> Media:
    """What a data URL holds; for other addresses and ids, that the bytes are there."""
    inline = _DATA_URL.match(url)
    if inline is not None:
        return from_base64(url[inline.end() :], inline[1] or mime, name, kind)
    return Media(kind or kind_of(mime), mime.rpartition("/")[2].upper(), name=name, where=url)


def from_file(fields: Mapping[str, object]) -> Media:
    """A file as OpenAI's formats give it: `file_data`, `file_url` or `file_id`, and a name."""
    name = string(fields.get("filename"))
    data = string(fields.get("file_data"))
    mime = "application/pdf" if name.lower().endswith(".pdf") else ""
    if data:
        return from_url(data, mime, name) if data.startswith("data:") else from_base64(data, mime, name)
    where = string(fields.get("file_url")) or string(fields.get("file_id"))
    return Media("document", _file_type(name, ""), name=name, where=where)


def from_audio(fields: Mapping[str, object] | None) -> Media:
    """A sound as OpenAI chat gives it: base64 `data` and its `format`."""
    given = fields or {}
    return from_base64(string(given.get("data")), f"audio/{string(given.get('format')) or 'wav'}")


def url_of(value: object) -> str:
    """An address that stands as it is, or in an object under `url`."""
    return string(value) or string((mapping(value) or {}).get("url"))


def kind_of(mime: str) -> MediaKind:
    """What a MIME type stands for; whatever is no image, sound or film is a document."""
    match mime.partition("/")[0].lower():
        case "image":
            return "image"
        case "audio":
            return "audio"
        case "video":
            return "video"
        case _:
            return "document"


def _file_type(name: str, subtype: str) -> str:
    """What people call a type: by the file's name, else by a MIME type that is no riddle."""
    ending = name.rpartition(".")[2] if "." in name else ""
    return next((kind.upper() for kind in (ending, subtype) if 0 < len(kind) <= 5), "")


def _seconds(head: bytes, kind: str, size: int) -> int:
    rate = _BYTES_PER_SECOND[kind]
    if head.startswith(b"RIFF") and head[8:12] == b"WAVE":
        rate = int.from_bytes(head[28:32], "little") or rate
    return max(1, size // rate)


def _decoded(text: str) -> bytes:
    try:
        return base64.b64decode(text[: len(text) // 4 * 4], validate=False)
    except (binascii.Error, ValueError):
        return b""
