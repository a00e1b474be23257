"""The offline tokenizer: o200k with its vocabulary inside the package."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Protocol, cast

from vademecum.core.text import clean

#: Longer texts are counted in pieces of about this many characters: bounded work for hostile input.
_PIECE = 200_000


class _Encoder(Protocol):
    def encode_ordinary(self, text: str) -> list[int]: ...


@cache
def _encoder(vocabulary: str) -> _Encoder:
    from splintr import Tokenizer  # 40 ms and 37 MB: only where tokens are counted

    return cast("_Encoder", Tokenizer.from_pretrained(vocabulary))


def count_tokens(texts: Sequence[str], vocabulary: str = "o200k_base") -> tuple[int, ...]:
    """Tokens of each text by a real vocabulary; special tokens spelled out count as ordinary text.

    Texts of more than 200,000 characters are cut at a line end where there is one, which can move a
    count by a token per cut.
    """
    encoder = _encoder(vocabulary)
    return tuple(
        sum(len(encoder.encode_ordinary(piece)) for piece in _pieces(clean(text))) if text else 0 for text in texts
    )


def _pieces(text: str) -> list[str]:
    if len(text) <= _PIECE:
        return [text]
    pieces: list[str] = []
    start = 0
    while start < len(text):
        stop = min(len(text), start + _PIECE)
        if stop < len(text):
            line_end = text.rfind("\n", start, stop)
            stop = line_end + 1 if line_end > start else stop
        pieces.append(text[start:stop])
        start = stop
    return pieces
