"""Below the trigger the upstream receives the client's bytes, whatever they are."""

from __future__ import annotations

import gzip
import json
import re
import zlib
from pathlib import Path

import pytest

from proxy.harness import CHAT, ENDPOINTS, GEMINI, MESSAGES, RESPONSES, between, run
from proxy.recordings import recorded
from proxy.transcripts import MAKERS, body, chat
from requirement import requirement

DEEP = 3_000
ODD = {
    "lone surrogate": b'{"messages":[{"role":"user","content":"a \\ud800 b"}],"x":"\\udfff"}',
    "raw surrogate": b'{"messages":[{"role":"user","content":"\xed\xa0\x80"}]}',
    "long integers": b'{"seed":123456789012345678901234567890,"messages":[{"role":"user","content":"x","n":'
    b"999999999999999999999999999999}]}",
    "pretty": json.dumps(body(CHAT, chat(3)), indent=4).encode(),
    "white space": b' \r\n{\t"messages" : [ {"role":"user","content":"x"} \n,\n {"role":"assistant"} ] } \n',
    "same key twice": b'{"model":"a","messages":[{"role":"user","content":"x"}],"model":"b"}',
    "messages twice": b'{"messages":[{"role":"user","content":"x"}],"messages":[{"role":"user","content":"y"}]}',
    "escaped key": b'{"mess\\u0061ges":[{"role":"user","content":"x"}]}',
    "byte order mark": b'\xef\xbb\xbf{"messages":[{"role":"user","content":"x"}]}',
    "NaN": b'{"temperature":NaN,"messages":[{"role":"user","content":"x"}]}',
    "exponent": b'{"temperature":1E-7,"messages":[{"role":"user","content":"x","p":1.10}]}',
    "invalid": b'{"messages":[{"role":"user","content":"x"}',
    "no utf-8": b'{"messages":[{"role":"user","content":"\xff\xfe"}]}',
    "NUL": b'{"messages":[{"role":"user","content":"a\\u0000b\x00"}]}',
    "NUL escaped": b'{"messages":[{"role":"user","content":"a\\u0000b"}]}',
    "not JSON": b"hello",
    "number": b"12",
    "list": b'[{"role":"user","content":"x"}]',
    "empty list": b'{"messages":[]}',
    "messages no list": b'{"messages":{"role":"user"}}',
    "row no object": b'{"messages":["x"]}',
    "unknown role": b'{"messages":[{"role":"ghost","content":"x"}]}',
    "unknown part": b'{"messages":[{"role":"user","content":[{"type":"hologram","data":[1,2]}]}]}',
    "deep": b'{"messages":[{"role":"user","content":"x","deep":' + b"[" * DEEP + b"]" * DEEP + b"}]}",
    "deep outside": b'{"deep":' + b"[" * DEEP + b"]" * DEEP + b',"messages":[{"role":"user","content":"x"}]}',
    "huge number": b'{"n":' + b"1" * 5_000 + b',"messages":[{"role":"user","content":"x"}]}',
    "huge limit": b'{"max_tokens":' + b"9" * 30 + b',"messages":[{"role":"user","content":"x"}]}',
    "empty": b"",
}


def in_format(path: str, data: bytes) -> bytes:
    """The same under the keys of another format."""
    if path == RESPONSES:
        return data.replace(b'"messages"', b'"input"').replace(b'"mess\\u0061ges"', b'"in\\u0070ut"')
    if path == GEMINI:
        data = data.replace(b'"messages"', b'"contents"').replace(b'"mess\\u0061ges"', b'"c\\u006fntents"')
        return re.sub(rb'"content":("[^"]*")', rb'"parts":[{"text":\1}]', data)
    return data


@requirement("P-2")
@pytest.mark.parametrize("path", ENDPOINTS)
@pytest.mark.parametrize("name", ODD)
def test_odd_bodies_pass_byte_for_byte(db: Path, path: str, name: str) -> None:
    sent = in_format(path, ODD[name])

    async def work() -> None:
        async with between(db) as proxy:
            reply = await proxy.send(path, sent, headers={"Content-Type": "application/json"})
            assert reply.status == 200
            assert proxy.last.body == sent

    run(work())


@requirement("P-1", "P-2")
def test_recorded_clients_pass_byte_for_byte(db: Path, recording: Path) -> None:
    async def work() -> None:
        async with between(db, window=2_000_000, trigger=1_500_000) as proxy:
            for request in recorded(recording):
                reply = await proxy.send(request.target, request.body, method=request.method, headers=request.headers)
                got = proxy.last
                assert reply.status == 200
                assert (got.method, got.target, got.body) == (request.method, request.target, request.body)
                expected = "nothing_needed" if request.compacted else "kept_upstream" if request.rows else None
                assert reply.headers.get("x-vademecum-outcome") == expected
                assert _comparable(got.headers) == _comparable(request.headers)

    run(work())


def _comparable(headers: list[tuple[str, str]]) -> list[tuple[str, str]]:
    own = {"host", "content-length", "accept-encoding"}
    return sorted((key.lower(), value) for key, value in headers if key.lower() not in own)


@requirement("P-1")
def test_query_path_and_headers_pass_as_they_were_written(db: Path) -> None:
    target = "/v1/messages?beta=true&x=%2F%7e+a%20b&empty="
    headers = [
        ("anthropic-beta", "a-2025,b-2025"),
        ("anthropic-beta", "c-2026"),
        ("X-Odd", "caf\u00e9"),
        ("Connection", "keep-alive, X-Hop"),
        ("X-Hop", "gone"),
        ("x-vademecum-session", "mine"),
        ("TE", "trailers"),
    ]

    async def work() -> None:
        async with between(db) as proxy:
            await proxy.send(target, body(MESSAGES, [{"role": "user", "content": "x"}]), headers=headers)
            got = proxy.last
            assert got.target == target
            assert got.header("anthropic-beta") == ["a-2025,b-2025", "c-2026"]
            assert got.header("x-odd") == ["caf\u00e9"]
            for name in ("x-hop", "te", "x-vademecum-session", "user-agent", "accept", "accept-encoding", "cookie"):
                assert got.header(name) == [], name
            await proxy.send("/v1/files/a%2Fb?c=%2f", method="GET")
            assert proxy.last.target == "/v1/files/a%2Fb?c=%2f"

    run(work())


@requirement("P-1")
@pytest.mark.parametrize("method", ["GET", "HEAD", "OPTIONS", "DELETE", "PUT", "PATCH", "POST"])
def test_every_method_passes(db: Path, method: str) -> None:
    async def work() -> None:
        async with between(db) as proxy:
            data = b"\x00\x01raw" if method in ("PUT", "PATCH", "POST") else b""
            reply = await proxy.send("/v1/models?limit=3", data, method=method)
            assert reply.status == 200
            assert (proxy.last.method, proxy.last.body) == (method, data)
            assert (reply.body == b"") == (method == "HEAD")
            if method == "HEAD":
                assert int(reply.headers["content-length"]) > 0

    run(work())


@requirement("P-1")
@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br"])
def test_compressed_requests_arrive_compressed(db: Path, encoding: str) -> None:
    plain = json.dumps(body(CHAT, chat(4))).encode()
    data = {"gzip": gzip.compress(plain), "deflate": zlib.compress(plain), "br": b"\x8b\x01\x80not really\x03"}

    async def work() -> None:
        async with between(db) as proxy:
            reply = await proxy.send(CHAT, data[encoding], headers={"Content-Encoding": encoding})
            assert proxy.last.body == data[encoding]
            assert proxy.last.header("content-encoding") == [encoding]
            assert (reply.session != "") == (encoding != "br")

    run(work())


@requirement("P-2")
def test_a_compressed_request_above_the_trigger_goes_on_uncompressed(db: Path) -> None:
    data = gzip.compress(json.dumps(body(CHAT, chat(40))).encode())

    async def work() -> None:
        async with between(db, window=16_000, trigger=3_000) as proxy:
            reply = await proxy.send(CHAT, data, headers={"Content-Encoding": "gzip"})
            assert reply.cycle == 1
            assert proxy.last.header("content-encoding") == []
            assert len(proxy.last.messages) < 82

    run(work())


@requirement("P-1")
@pytest.mark.parametrize(
    ("sent", "arrives"),
    [("gzip, deflate, br, zstd", "gzip, deflate"), ("br", "identity"), ("gzip;q=0.5, *;q=0.1", "gzip;q=0.5")],
)
def test_replies_are_asked_for_in_encodings_that_can_be_read(db: Path, sent: str, arrives: str) -> None:
    async def work() -> None:
        async with between(db) as proxy:
            await proxy.send(CHAT, body(CHAT, chat(1)), headers={"Accept-Encoding": sent})
            assert proxy.last.header("accept-encoding") == [arrives]
            await proxy.send("/v1/models", method="GET", headers={"Accept-Encoding": sent})
            assert proxy.last.header("accept-encoding") == [sent]

    run(work())


@requirement("P-2")
@pytest.mark.parametrize("path", ENDPOINTS)
def test_above_the_trigger_only_the_messages_change(db: Path, path: str) -> None:
    fields = {"n": 123456789012345678901234567890, "odd": [1.10, "\ud800"], "stream": False}
    key = {RESPONSES: "input", GEMINI: "contents"}.get(path, "messages")
    sent = json.dumps(body(path, MAKERS[path](60), **fields), indent=1).encode()

    async def work() -> None:
        async with between(db, window=16_000, trigger=4_000) as proxy:
            reply = await proxy.send(path, sent)
            assert reply.cycle == 1
            got = proxy.last.body
            start, stop = sent.index(f'"{key}": ['.encode()) + len(key) + 5, sent.index(b"\n ],\n")
            assert got.startswith(sent[:start])
            assert got.endswith(sent[stop:])
            assert len(got) < len(sent)
            whole = json.loads(sent)[key]
            assert [message for message in proxy.last.messages if message in whole][-1] == whole[-1]

    run(work())
