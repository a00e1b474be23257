from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Sequence
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest

from requirement import requirement
from unit.bench.talk import lineage
from vademecum.bench.arms import plain
from vademecum.bench.arms.arm import Job
from vademecum.bench.arms.decision import Candidate, decision
from vademecum.core.tokens import TokenCounter
from vademecum.models.tokenizer import count_tokens

LINEAGE = lineage(150)


def job(**options: Any) -> Job:
    return Job(LINEAGE, TokenCounter(count_tokens), 200_000, 20_000, options, seed=3)


@requirement("B-3")
def test_at_the_default_threshold_it_drops_every_old_result_and_nothing_else() -> None:
    kept = decision(job())
    assert kept.details["dropped"] == kept.details["candidates"] > 50
    assert [message.wire for message in kept.messages] == [
        message.wire for message in plain.drop_results(job()).messages
    ]


@requirement("B-3")
def test_with_a_budget_the_local_scorer_keeps_the_newest() -> None:
    kept = decision(job(budget=5_000))
    ids = [part.call_id for message in kept.messages for part in message.calls()]
    assert ids == [f"call_{number}" for number in range(150 - len(ids), 150)]


@requirement("B-3")
def test_a_state_is_shortened_in_stages_and_falls_back_where_it_never_fits() -> None:
    assert decision(job()).details["stage"] == 1
    assert decision(job(ceiling=4_000)).details["stage"] > 1
    never = decision(job(ceiling=200))
    assert never.details["fallback"] is True


@requirement("B-3")
def test_scorers_plug_in() -> None:
    def first(state: Sequence[str], candidates: Sequence[Candidate], seed: int) -> list[float]:
        assert len(state) == len(candidates)
        return [float(candidate.call[0] < 20) for candidate in candidates]

    kept = decision(job(scorer=first))
    assert kept.details["candidates"] - kept.details["dropped"] == 6
    everything = decision(job(scorer="random")).details["dropped"]
    assert everything == decision(job(scorer="random")).details["dropped"] < kept.details["candidates"]


@pytest.fixture
def address() -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            state = json.loads(self.rfile.read(int(self.headers["content-length"])))["state"]
            data = json.dumps({"scores": [1.0] * len(state)}).encode()
            self.send_response(200)
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *args: Any) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/score"
        server.shutdown()
        thread.join()


@requirement("B-3")
def test_a_scorer_over_http(address: str) -> None:
    assert decision(job(scorer=address)).details["dropped"] == 0
