"""Estimates, images, and the counter that counts each text once."""

import base64
import json
import struct
import zlib
from collections.abc import Sequence

import pytest

from requirement import requirement
from vademecum.core.messages import Message
from vademecum.core.meter import CATEGORIES, categories
from vademecum.core.tokens import (
    BYTES_PER_PAGE,
    IMAGE_TOKENS,
    MESSAGE_TOKENS,
    PAGE_TOKENS,
    TokenCounter,
    estimate,
    image_tokens,
)
from vademecum.models.tokenizer import count_tokens
from vademecum.testing import sample
from vademecum.testing.texts import text
from vademecum.wire import dialect


def png(width: int, height: int, size: int = 0) -> str:
    """A PNG of these dimensions in base64, padded to `size` characters."""
    body = b"IHDR" + struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    head = b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + body + struct.pack(">I", zlib.crc32(body))
    return base64.b64encode(head + b"\x00" * max(0, size * 3 // 4 - len(head))).decode("ascii")


def openai(*rows: dict[str, object]) -> tuple[Message, ...]:
    return tuple(dialect("openai-chat").load(row, at) for at, row in enumerate(rows))


@requirement("C-11")
@pytest.mark.parametrize(
    ("given", "tokens"),
    [
        ("", 0),
        ("a", 1),
        ("abcdefgh", 2),  # 8 ÷ 4 × 1.25
        ("x" * 400, 125),
        ("服务端口改为", 6),
        ("カタカナ", 4),
        ("한국어텍스트표본열자", 7),
        ("abcd" * 127 + "abc", 160),  # 511 dense characters are still words
        ("abcd" * 128, 512),  # 512 of them are a run such as base64
        ("服" + "x" * 400, 126),
    ],
)
def test_the_estimate_knows_scripts_and_dense_runs(given: str, tokens: int) -> None:
    assert estimate(given) == tokens


@requirement("I9", "C-11")
@pytest.mark.parametrize("kind", ["prose", "log", "code", "cjk", "hangul", "json", "base64"])
@pytest.mark.parametrize("size", [600, 20_000])
def test_the_estimate_is_near_the_tokenizer(kind: str, size: int) -> None:
    sample_text = text(kind, size, 3)
    (counted,) = count_tokens((sample_text,))
    assert 0.7 <= estimate(sample_text) / counted <= 1.6


@requirement("I9", "C-11")
def test_the_estimate_of_random_base64_and_of_a_schema_is_near() -> None:
    noise = base64.b64encode(b"".join(zlib.compress(str(n).encode()) for n in range(3_000))).decode()
    fields = {f"field_{n}": {"type": "string", "description": f"The value number {n}."} for n in range(80)}
    schema = json.dumps({"type": "object", "properties": fields})
    for given in (noise, schema):
        assert 0.7 <= estimate(given) / count_tokens((given,))[0] <= 1.6


@requirement("C-11")
@pytest.mark.parametrize("count", [count_tokens, None])
def test_an_image_is_never_counted_by_its_base64(count) -> None:
    url = "data:image/png;base64," + png(800, 600, 2_000_000)
    (message,) = openai({"role": "user", "content": [{"type": "image_url", "image_url": {"url": url}}]})
    assert TokenCounter(count).messages([message]) == (MESSAGE_TOKENS + 800 * 600 // 750,)


@requirement("C-11")
def test_an_image_of_unknown_or_giant_size_is_flat() -> None:
    rows = [
        {"role": "user", "content": [{"type": "image_url", "image_url": {"url": "https://x.example/a.png"}}]},
        {
            "role": "user",
            "content": [{"type": "image_url", "image_url": {"url": "data:image/png;base64," + png(9_000, 9_000)}}],
        },
    ]
    for message in openai(*rows):
        assert image_tokens(message.parts[0]) == IMAGE_TOKENS


@requirement("C-11")
def test_images_inside_results_and_documents_are_counted() -> None:
    block = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": png(300, 300)}}
    result = {"type": "tool_result", "tool_use_id": "a", "content": [{"type": "text", "text": "ok"}, block, block]}
    row = {"role": "user", "content": [result, {"type": "document", "source": {"data": "A" * 400_000}}]}
    message = dialect("anthropic").load(row, 0)
    assert [image_tokens(part) for part in message.parts] == [
        2 * (300 * 300 // 750),
        PAGE_TOKENS * (300_000 // BYTES_PER_PAGE),
    ]


@requirement("C-11")
@pytest.mark.parametrize(
    "row",
    [
        {"role": "tool", "tool_call_id": "a", "content": {"rows": ["value"] * 300}},
        {"role": "tool", "tool_call_id": "a", "content": [{"type": "text", "text": "value " * 300}]},
        {"role": "assistant", "tool_calls": [{"id": "a", "function": {"name": "f", "arguments": "value " * 300}}]},
        {"role": "assistant", "content": "", "reasoning_content": "value " * 300},
        {"role": "user", "content": [{"type": "x_unknown", "data": ["value"] * 300}]},
    ],
    ids=["object", "list", "arguments", "reasoning", "unknown"],
)
def test_every_shape_of_content_has_a_cost(row: dict[str, object]) -> None:
    (message,) = openai(row)
    assert TokenCounter(count_tokens).messages([message])[0] > 250
    assert TokenCounter().messages([message])[0] > 250


@requirement("C-11")
def test_a_null_result_costs_its_message_only() -> None:
    (message,) = openai({"role": "tool", "tool_call_id": "", "content": None})
    assert TokenCounter(count_tokens).messages([message]) == (MESSAGE_TOKENS,)


@requirement("C-14")
def test_each_text_is_tokenized_once() -> None:
    seen: list[str] = []

    def tokenize(texts: Sequence[str]) -> Sequence[int]:
        seen.extend(texts)
        return count_tokens(texts)

    counter = TokenCounter(tokenize)
    rows = sample("openai-chat", turns=4)
    first = counter.messages(openai(*rows[:-4]))
    assert len(seen) == len(set(seen)) > 10
    before = len(seen)
    assert counter.messages(openai(*rows))[: len(first)] == first
    assert set(seen[before:]).isdisjoint(seen[:before])
    grown = len(seen)
    counter.messages(openai(*rows))
    assert len(seen) == grown


@requirement("C-14")
def test_two_long_texts_with_the_same_beginning_are_told_apart() -> None:
    counter = TokenCounter(count_tokens)
    one, two = "same start " * 40, "same start " * 40 + "and a different end"
    assert counter.texts([one, two]) == count_tokens([one, two])


def test_the_counter_counts_parts_as_it_counts_messages() -> None:
    counter = TokenCounter(count_tokens)
    for format in ("openai-chat", "anthropic"):
        for at, row in enumerate(sample(format, turns=3)):
            message = dialect(format).load(row, at)
            assert sum(counter.parts(message)) + MESSAGE_TOKENS == counter.messages([message])[0]


@requirement("C-8")
@pytest.mark.parametrize("format", ["openai-chat", "anthropic"])
def test_categories_add_up_to_the_size(format: str) -> None:
    counter = TokenCounter(count_tokens)
    messages = [dialect(format).load(row, at) for at, row in enumerate(sample(format, turns=4))]
    found = categories(messages, counter, (120, 450))
    assert tuple(found) == CATEGORIES
    assert found["tools"] == 450
    assert found["tool_results"] > found["user"] > 0
    assert sum(found.values()) == sum(counter.messages(messages)) + 570
