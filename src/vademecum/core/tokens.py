"""How many tokens a text or a message has: by a tokenizer where there is one, else estimated.

The estimate is characters ÷ 4, raised by 25 % because dense code is nearer to 3.3 characters a token;
scripts that a tokenizer splits finely, and dense runs such as base64, are counted by the character.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from vademecum.core.media import Media
from vademecum.core.messages import Message, Part

#: Tokens that a chat template spends on a message beside its parts.
MESSAGE_TOKENS = 4
#: Tokens of an image whose size is not known.
IMAGE_TOKENS = 1_600
#: Pixels that one token of an image covers: about 750 for the providers that publish a rule.
PIXELS_PER_TOKEN = 750
#: Tokens of a document's page: its image, and its text beside it, which providers send along.
PAGE_TOKENS = 2_000
#: Bytes that a page is taken to have where a document does not say how many there are.
BYTES_PER_PAGE = 65_536
#: Tokens of a second of sound or film, by what Gemini publishes.
SECOND_TOKENS = {"audio": 32, "video": 300}

Tokenize = Callable[[Sequence[str]], Sequence[int]]

_DENSE = re.compile(r"[A-Za-z0-9+/=_-]{512,}")
# Han, Kana and their punctuation and full-width forms count a token each.
_HAN = re.compile(r"[\u3000-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff]")
_HANGUL = re.compile(r"[\u1100-\u11ff\u3130-\u318f\uac00-\ud7af]")


def estimate(text: str) -> int:
    """Tokens of a text without a tokenizer; 0 for an empty text, else at least 1."""
    if not text:
        return 0
    dense = sum(len(run) for run in _DENSE.findall(text)) if len(text) >= 512 else 0
    han = hangul = 0
    if not text.isascii():
        han = len(_HAN.findall(text))
        hangul = len(_HANGUL.findall(text))
    rest = len(text) - dense - han - hangul
    return max(1, round(dense + han + 0.7 * hangul + rest / 4 * 1.25))


def image_tokens(part: Part) -> int:
    """Tokens of the images, documents and recordings in a part, never by the length of their base64."""
    return sum(map(media_tokens, part.media))


def media_tokens(media: Media) -> int:
    """Tokens of one of them: by pixels, pages or seconds where these are known, else a flat figure."""
    if media.written:
        return 0
    match media.kind:
        case "image":
            pixels = media.width * media.height
            return max(1, min(pixels // PIXELS_PER_TOKEN, IMAGE_TOKENS)) if pixels else IMAGE_TOKENS
        case "document":
            return PAGE_TOKENS * (media.pages or max(1, media.size // BYTES_PER_PAGE))
        case "audio" | "video":
            return SECOND_TOKENS[media.kind] * max(1, media.seconds)


def part_texts(part: Part) -> tuple[str, ...]:
    """The texts of a part that a model reads, ids included: some providers send them on."""
    match part.kind:
        case "tool_call":
            return (part.tool, part.wire_id, part.text)
        case "tool_result":
            return (part.wire_id, part.text)
        case _:
            return (part.text,)


@dataclass(slots=True)
class TokenCounter:
    """Counts texts, each distinct text once.

    Attributes:
        tokenize: Counts many texts at once; None counts by `estimate`.
        cached: Count by content hash, so that measuring a request costs its new messages only.
    """

    tokenize: Tokenize | None = None
    cached: dict[bytes, int] = field(default_factory=dict[bytes, int])

    @property
    def origin(self) -> str:
        """`counted` with a tokenizer, else `estimated`."""
        return "estimated" if self.tokenize is None else "counted"

    def texts(self, texts: Sequence[str]) -> tuple[int, ...]:
        """Tokens of each text, in the order given."""
        if self.tokenize is None:
            return tuple(estimate(text) for text in texts)
        keys = [_key(text) for text in texts]
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in self.cached}
        if missing:
            counts = self.tokenize(tuple(missing.values()))
            self.cached.update(zip(missing, counts, strict=True))
        return tuple(self.cached[key] for key in keys)

    def parts(self, message: Message) -> tuple[int, ...]:
        """Tokens of each part of a message, without what the message itself costs."""
        return tuple(sum(self.texts(part_texts(part))) + image_tokens(part) for part in message.parts)

    def messages(self, messages: Sequence[Message]) -> tuple[int, ...]:
        """Tokens of each message, `MESSAGE_TOKENS` included."""
        texts = [text for message in messages for part in message.parts for text in part_texts(part)]
        counts = iter(self.texts(texts))
        sizes: list[int] = []
        for message in messages:
            size = MESSAGE_TOKENS
            for part in message.parts:
                size += image_tokens(part) + sum(next(counts) for _ in part_texts(part))
            sizes.append(size)
        return tuple(sizes)


def _key(text: str) -> bytes:
    # Short texts are their own key: hashing them would cost more than it saves.
    data = text.encode("utf-8", "surrogatepass")
    return data if len(data) <= 32 else hashlib.blake2b(data, digest_size=16).digest()
