"""Images, documents and search results of Anthropic messages: their source says where the bytes are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from vademecum.core.media import Media, MediaKind
from vademecum.core.messages import Part, Place
from vademecum.wire.media import from_base64, from_url
from vademecum.wire.values import mapping, sequence, string


def image(fields: Mapping[str, object], place: Place) -> Part:
    """An image block."""
    media = _of(mapping(fields.get("source")) or {}, "", "image")
    return Part("image", "", place, media=(media,), plain=False)


def document(fields: Mapping[str, object], place: Place) -> Part:
    """A document block; the text of one that is text is what a model reads of it."""
    source, title = mapping(fields.get("source")) or {}, string(fields.get("title"))
    match source.get("type"):
        case "text":
            return _written(string(source.get("data")), place, Media("document", "text", name=title))
        case "content":
            return _content(source.get("content"), place, Media("document", name=title))
        case _:
            return Part("document", "", place, media=(_of(source, title, "document"),), plain=False)


def search_result(fields: Mapping[str, object], place: Place) -> Part:
    """A search result: a source, a title, and the text that was found there."""
    name = string(fields.get("title")) or string(fields.get("source"))
    return _content(fields.get("content"), place, Media("document", "search result", name=name))


def _content(content: object, place: Place, media: Media) -> Part:
    if isinstance(content, str):
        return _written(content, place, media)
    blocks = [mapping(block) or {} for block in sequence(content) or ()]
    texts = "\n".join(string(block.get("text")) for block in blocks if block.get("type") == "text")
    images = [image(block, place).media[0] for block in blocks if block.get("type") == "image"]
    part = _written(texts, place, media)
    return replace(part, media=(*part.media, *images))


def _written(text: str, place: Place, media: Media) -> Part:
    size = len(text.encode("utf-8", "surrogatepass"))
    return Part("document", text, place, media=(replace(media, size=size, written=True),), plain=False)


def _of(source: Mapping[str, object], name: str, kind: MediaKind) -> Media:
    mime = string(source.get("media_type"))
    data = string(source.get("data"))
    if data:
        return from_base64(data, mime, name, kind)
    return from_url(string(source.get("url")) or string(source.get("file_id")), mime, name, kind)
