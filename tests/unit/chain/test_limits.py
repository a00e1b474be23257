"""What a chain learns of its members' limits is the archive's: later processes and other chains know it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from provider import Said, provider, whole
from requirement import requirement
from unit.chain.test_chain import OVERLOADED, WINDOWS, answering, kinds, long, members, overflow, size, user
from vademecum import Archive, Client, FallbackChain, Member
from vademecum.core.summary_check import SECTIONS
from vademecum.core.windows import Told
from vademecum.models.clients.retrying import Retries


@requirement("M-2", "M-6", "M-8")
def test_a_window_that_an_error_named_costs_one_refused_request_for_all_time(tmp_path: Path) -> None:
    def faults(model: str, body: Any) -> Said | None:
        tokens = size(body)
        return overflow(6_000, tokens) if tokens > 6_000 else None

    with provider(answering(faults)) as told, members(told, "small", small=30_000) as chosen:
        for session in ("first", "second"):
            with Archive.open(tmp_path / "a.db") as archive:
                chain = FallbackChain(chosen, session=archive.session(session, format="openai-chat"))
                reply = chain.send(long(14_000))
                assert reply.receipt.window.tokens == 6_000
                assert (reply.receipt.window.origin, len(told.bodies)) == ("learned", 2 if session == "first" else 3)
        with Archive.open(tmp_path / "a.db") as archive:
            learned = archive.windows.of(told.url, "small").learned
        assert learned is not None
        assert (learned.window, learned.source) == (6_000, "an error of the endpoint")


@requirement("M-2", "M-8")
def test_what_a_server_said_since_ends_what_was_learned(tmp_path: Path) -> None:
    with (
        provider(answering(lambda model, body: None)) as told,
        members(told, "small", small=30_000) as chosen,
        Archive.open(tmp_path / "a.db") as archive,
    ):
        archive.windows.remember(told.url, "small", Told(6_000, "learned", at=1.0))
        archive.windows.remember(told.url, "small", Told(9_000, "runtime", at=2.0))
        chain = FallbackChain(chosen, session=archive.session("s", format="openai-chat"))
        assert chain.send([user("hello")]).receipt.window.tokens == 30_000


@requirement("M-5", "M-6", "M-7")
def test_an_output_cap_is_asked_too_much_of_once(tmp_path: Path) -> None:
    said = "max_tokens: 50000 > 8192, which is the maximum allowed number of output tokens for m-1"

    def answer(path: str, body: Any) -> Said:
        if body["max_tokens"] > 8_192:
            return Said(
                {"type": "error", "error": {"type": "invalid_request_error", "message": said}},
                400,
            )
        return Said(whole("anthropic", "yes"))

    with provider(answer) as told, Client("anthropic", url=told.url, retries=Retries(tries=1)) as client:
        for at in range(2):
            with Archive.open(tmp_path / "a.db") as archive:
                chain = FallbackChain(
                    [Member(client, "m-1", 200_000)], session=archive.session(str(at), format="anthropic")
                )
                reply = chain.send([user("hello")], max_output=50_000)
                assert kinds(reply.decisions)[-1] == ("m-1 at " + told.url, "answered")
    assert [body["max_tokens"] for body in told.bodies] == [50_000, 8_192, 8_192]
    assert "50000" not in json.dumps(told.bodies[-1])


@requirement("C-42", "C-15", "M-8")
def test_who_is_asked_writes_its_own_summary_and_rides_on_its_own_view() -> None:
    notes = "\n".join(f"## {section}\nThe file file_{at % 3}.py was read." for at, section in enumerate(SECTIONS))
    down: set[str] = set()

    def answer(path: str, body: Any) -> Said:
        if body["model"] in down:
            return OVERLOADED
        told, text = size(body), str(body["messages"])
        asked = "about to be cut" in text
        reply = whole("openai-chat", notes if asked else "yes", told)
        reply["usage"]["prompt_tokens_details"] = {"cached_tokens": int(0.97 * told)}
        return Said({**reply, "model": body["model"]})

    with provider(answer) as told, members(told, "large small", large=40_000) as chosen:
        chain = FallbackChain(chosen, summarizer="active", trigger=12_000)
        chain.send(long(11_000))
        riding = chain.send(long(16_000)).receipt
        assert [way.way for way in riding.summary_ways] == ["ride"]
        assert [body["model"] for body in told.bodies] == ["large"] * 3
        assert told.bodies[1]["messages"][: len(told.bodies[0]["messages"])] == told.bodies[0]["messages"]
        down.add("large")
        away = chain.send(long(24_000)).receipt
        assert {way.way for way in away.summary_ways} == {"separate"}
        asked = [body["model"] for body in told.bodies[3:] if "about to be cut" in str(body["messages"])]
        assert set(asked) == {"small"}
        assert all(size(body) <= WINDOWS["small"] for body in told.bodies if body["model"] == "small")
