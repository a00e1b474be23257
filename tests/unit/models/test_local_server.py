"""A summary model behind a server on this machine: found, asked, and its failures in our words."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from requirement import requirement
from vademecum import Compactor
from vademecum.core.summary_check import SECTIONS
from vademecum.errors import AuthFailed, ConfigError, ModelError, RateLimited, Unavailable
from vademecum.models.local_server import LocalServer
from vademecum.models.model import Prompt
from vademecum.testing import sample

GOOD = "\n".join(f"## {section}\nService svc-{at} is up." for at, section in enumerate(SECTIONS))


class Server(ThreadingHTTPServer):
    """It lists a model with its window as vLLM does, and answers as it is told."""

    request_queue_size = 64  # a probe asks everything at once

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.answer: tuple[int, Any] = (200, reply(GOOD))
        self.asked: list[dict[str, Any]] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        if self.path == "/v1/models":
            self.send(200, {"data": [{"id": "small", "max_model_len": 10_000}]})
        else:
            self.send(404, {})

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        if self.path != "/v1/chat/completions":
            self.send(404, {})
            return
        self.server.asked.append(json.loads(body))
        self.send(*self.server.answer)

    def send(self, status: int, data: Any) -> None:
        said = data.encode() if isinstance(data, str) else json.dumps(data).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(said)))
        self.end_headers()
        self.wfile.write(said)

    def log_message(self, format: str, *args: Any) -> None:
        pass


def reply(text: str | None, finish: str = "stop", **message: Any) -> dict[str, Any]:
    return {
        "choices": [{"message": {"role": "assistant", "content": text, **message}, "finish_reason": finish}],
        "usage": {"prompt_tokens": 900, "completion_tokens": 70},
    }


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as started:
        thread = threading.Thread(target=started.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield started
        started.shutdown()
        thread.join()


@requirement("C-20", "C-16")
def test_it_names_its_model_and_its_window(server: Server) -> None:
    found = LocalServer(server.url)
    assert (found.name, found.window) == ("small", 8_000)  # another tokenizer: not all of it is counted on
    assert LocalServer(f"{server.url}/v1/", "other", window=5_000).window == 5_000


@requirement("C-20")
@pytest.mark.parametrize(
    ("answer", "text", "finish"),
    [
        (reply("yes"), "yes", "stop"),
        (reply("ye", "length"), "ye", "length"),
        (reply(None, "tool_calls", tool_calls=[{"id": "a"}]), "", "tool_call"),
        (reply("", "content_filter"), "", "refusal"),
        ({"choices": []}, "", "other"),
    ],
)
def test_its_answers_say_how_they_ended(server: Server, answer: Any, text: str, finish: str) -> None:
    server.answer = (200, answer)
    got = LocalServer(server.url).complete(Prompt("be short", "say yes", 7))
    assert (got.text, got.finish) == (text, finish)
    assert server.asked[0]["max_tokens"] == 7
    assert [row["content"] for row in server.asked[0]["messages"]] == ["be short", "say yes"]


@requirement("C-20", "C-34")
@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        ((429, {}), RateLimited),
        ((401, {}), AuthFailed),
        ((503, {}), Unavailable),
        ((400, {"error": "exceeds the context size"}), ModelError),
        ((200, "no json"), ModelError),
    ],
)
def test_its_failures_are_typed_and_cost_nothing(server: Server, answer: Any, kind: type[ModelError]) -> None:
    server.answer = answer
    with pytest.raises(kind):
        LocalServer(server.url).complete(Prompt("a", "b", 7))
    done = Compactor(window=8_000, summarizer=server.url).fit(sample(turns=24))
    plain = Compactor(window=8_000).fit(sample(turns=24))
    assert list(done.messages) == list(plain.messages)
    assert any(warning.startswith("local_summary: unavailable: ") for warning in done.receipt.warnings)


@requirement("C-20", "C-42")
def test_its_summary_is_the_local_tier_s(server: Server) -> None:
    done = Compactor(window=8_000, summarizer=f"{server.url}#small").fit(sample(turns=24))
    assert done.receipt.summary_model == "small"
    assert {tier.name: tier.outcome for tier in done.receipt.tiers}["summary"] == "off"
    assert done.receipt.summary_tokens == (900 * len(server.asked), 70 * len(server.asked))
    assert "Service svc-0 is up." in json.dumps(list(done.messages))


@requirement("C-20")
def test_switched_off_it_is_not_asked(server: Server) -> None:
    Compactor(window=8_000, summarizer=server.url, token_compression=False).fit(sample(turns=24))
    assert server.asked == []


@requirement("C-20", "C-34")
def test_where_none_answers_all_else_is_done(server: Server) -> None:
    url = "http://127.0.0.1:9"
    with pytest.raises(Unavailable, match="no model answers"):
        LocalServer(url)
    done = Compactor(window=8_000, summarizer=url).fit(sample(turns=24))
    assert done.receipt.outcome == "compacted"
    assert any("no model answers at http://127.0.0.1:9" in warning for warning in done.receipt.warnings)
    with pytest.raises(ConfigError, match="no URL"):
        LocalServer("somewhere")
