"""Which session a request goes on with: growth, branches, sub-agents, side calls, restarts."""

from __future__ import annotations

import asyncio
import copy
from pathlib import Path
from typing import Any

import pytest

from proxy.harness import CHAT, MESSAGES, Between, Reply, between, run
from proxy.transcripts import MAKERS, body, chat
from requirement import requirement
from vademecum import Archive

SMALL: dict[str, Any] = {"window": 16_000, "trigger": 3_000}
BOTH = pytest.mark.parametrize("path", [CHAT, MESSAGES])


async def say(
    proxy: Between, path: str, messages: list[Any], headers: Any = (), **fields: Any
) -> tuple[Reply, list[Any]]:
    """Sends a transcript; the reply, and what the upstream was sent."""
    reply = await proxy.send(path, body(path, messages, **fields), headers=headers)
    sent = next(one for one in reversed(proxy.upstream.received) if one.header("x-tag") == _tag(headers))
    return reply, sent.messages


def _tag(headers: Any) -> list[str]:
    return [dict(headers)["x-tag"]] if "x-tag" in dict(headers) else []


@requirement("P-2")
@BOTH
def test_a_compaction_is_applied_again_and_the_prefix_stays(db: Path, path: str) -> None:
    async def work() -> None:
        async with between(db, **SMALL) as proxy:
            planned, before = 0, []
            for rounds in range(1, 60):
                reply, sent = await say(proxy, path, MAKERS[path](rounds))
                if reply.headers["x-vademecum-outcome"] == "compacted":
                    planned += 1
                else:
                    assert sent[: len(before)] == before
                before = sent
            assert 2 <= planned <= 20
            assert reply.cycle == planned

    run(work())


@requirement("P-3")
@BOTH
def test_an_answer_asked_for_again_is_a_branch(db: Path, path: str) -> None:
    async def work() -> None:
        async with between(db, **SMALL) as proxy:
            main, _ = await say(proxy, path, MAKERS[path](25))
            await say(proxy, path, MAKERS[path](26))
            # The last round again, with another result.
            other = [*MAKERS[path](25), *MAKERS[path](26, tag="b")[-2:]]
            branch, sent = await say(proxy, path, other)
            assert branch.session != main.session
            assert branch.cycle == 1
            assert branch.headers["x-vademecum-outcome"] == "nothing_needed"
            assert sent[-2:] == other[-2:]
            again, sent = await say(proxy, path, MAKERS[path](27))
            assert again.session == main.session
            assert "Step 25 of b" not in str(sent)

    run(work())


@requirement("P-3")
@BOTH
def test_sub_agents_that_begin_alike_never_mix_without_any_id(db: Path, path: str) -> None:
    """They share their first requests byte for byte, and go on side by side."""
    agents, shared, steps = 6, 3, 25

    async def work() -> None:
        async with between(db, **SMALL) as proxy:

            async def agent(number: int) -> set[int]:
                cycles: set[int] = set()
                for at in range(steps):
                    messages = MAKERS[path](min(at, shared))
                    if at > shared:
                        messages += MAKERS[path](at, tag=f"own{number}")[-2 * (at - shared) :]
                    reply, sent = await say(proxy, path, messages, headers={"x-tag": str(number)})
                    cycles.add(reply.cycle)
                    for other in range(agents):
                        assert other == number or f"own{other}" not in str(sent)
                    if at > shared:
                        assert f"own{number}" in str(sent)
                return cycles

            found = await asyncio.gather(*(agent(number) for number in range(agents)))
            assert all(max(cycles) >= 1 for cycles in found)

    run(work())


@requirement("P-3")
def test_sub_agents_with_ids_of_their_own_never_share_a_session(db: Path) -> None:
    async def work() -> None:
        async with between(db) as proxy:
            first = {"x-claude-code-session-id": "s1"}
            main, _ = await say(proxy, MESSAGES, MAKERS[MESSAGES](2), headers=first)
            names = {main.session}
            for agent in ("a1", "a2", "a3"):
                headers = {**first, "x-claude-code-agent-id": agent}
                for rounds in (0, 1, 2):
                    reply, _ = await say(proxy, MESSAGES, MAKERS[MESSAGES](rounds, tag="sub"), headers=headers)
                names.add(reply.session)
            assert len(names) == 4

    run(work())


@requirement("P-3")
@BOTH
def test_a_call_without_tools_never_advances_a_conversation(db: Path, path: str) -> None:
    async def work() -> None:
        async with between(db, **SMALL) as proxy:
            headers = {"x-session-id": "ses_1"}
            main, _ = await say(proxy, path, MAKERS[path](25), headers=headers)
            asks = {"role": "user", "content": "Summarise all this."}
            side, sent = await say(proxy, path, [*MAKERS[path](25), asks], headers=headers, tools=[])
            assert side.session != main.session
            assert sent[-1]["content"] == asks["content"]
            title, _ = await say(proxy, path, [{"role": "user", "content": "A title, please."}], headers, tools=[])
            assert title.session not in (main.session, side.session)
            again, sent = await say(proxy, path, MAKERS[path](26), headers=headers)
            assert again.session == main.session
            assert asks["content"] not in str(sent)

    run(work())


@requirement("P-1")
def test_counting_tokens_passes_through_and_advances_nothing(db: Path) -> None:
    async def work() -> None:
        async with between(db, **SMALL) as proxy:
            reply = await proxy.send(f"{MESSAGES}/count_tokens", body(MESSAGES, MAKERS[MESSAGES](40)))
            assert reply.session == ""
            assert len(proxy.last.messages) == 81

    run(work())


@requirement("P-3")
def test_a_conversation_taken_over_under_a_new_id_keeps_its_compaction(db: Path) -> None:
    async def work() -> None:
        async with between(db, **SMALL) as proxy:
            old, new = {"x-session-id": "ses_1"}, {"x-session-id": "ses_2"}
            main, _ = await say(proxy, CHAT, chat(25), headers=old)
            _, before = await say(proxy, CHAT, chat(26), headers=old)
            fork, sent = await say(proxy, CHAT, chat(27), headers=new)
            assert fork.session == "ses_2"
            assert (fork.cycle, fork.headers["x-vademecum-outcome"]) == (main.cycle, "nothing_needed")
            assert sent[: len(before)] == before
            other, _ = await say(proxy, CHAT, chat(27, tag="b"), headers={"x-session-id": "ses_3"})
            assert other.headers["x-vademecum-outcome"] == "compacted"

    run(work())


@requirement("P-3")
def test_ids_of_which_one_begins_like_the_other_are_two(db: Path) -> None:
    async def work() -> None:
        async with between(db) as proxy:
            longer, _ = await say(proxy, CHAT, chat(0), headers={"x-session-id": "ses_12"})
            shorter, _ = await say(proxy, CHAT, chat(0), headers={"x-session-id": "ses_1"})
            assert (longer.session, shorter.session) == ("ses_12", "ses_1")

    run(work())


@requirement("P-2")
@BOTH
def test_results_cleared_in_place_keep_the_compaction(db: Path, path: str) -> None:
    async def work() -> None:
        async with between(db, **SMALL) as proxy:
            first, _ = await say(proxy, path, MAKERS[path](25))
            messages = copy.deepcopy(MAKERS[path](27))
            for message in messages[4:20]:
                parts = message["content"] if isinstance(message["content"], list) else []
                for part in parts:
                    if part["type"] == "tool_result":
                        part["content"] = "[cleared]"
                if message["role"] == "tool":
                    message["content"] = "[cleared]"
            reply, _ = await say(proxy, path, messages)
            assert reply.session == first.session
            assert (reply.cycle, reply.headers["x-vademecum-outcome"]) == (1, "nothing_needed")

    run(work())


@requirement("P-2")
def test_marks_that_move_are_no_change(db: Path) -> None:
    async def work() -> None:
        async with between(db, **SMALL) as proxy:
            names: set[str] = set()
            for rounds in range(20, 30):
                messages = copy.deepcopy(MAKERS[MESSAGES](rounds))
                for message in messages[-3::2]:
                    message["content"][-1]["cache_control"] = {"type": "ephemeral"}
                system = [{"type": "text", "text": "You are.", "cache_control": {"type": "ephemeral"}}] * 2
                reply, sent = await say(proxy, MESSAGES, messages, system=system)
                names.add(reply.session)
                assert str(sent).count("cache_control") <= 2
            assert len(names) == 1

    run(work())


@requirement("P-2", "P-3")
@BOTH
@pytest.mark.parametrize("stop", [1, 13, 24, 25, 30])
def test_a_restart_changes_nothing(tmp_path: Path, path: str, stop: int) -> None:
    """The same requests with the proxy started anew in the middle, and with a branch on the way."""

    def requests() -> list[list[Any]]:
        found = [MAKERS[path](rounds) for rounds in range(1, 36)]
        found.insert(24, [*MAKERS[path](20), *MAKERS[path](21, tag="b")[-2:]])
        found.insert(26, [*MAKERS[path](20), *MAKERS[path](22, tag="b")[-4:]])
        return found

    async def bodies(db: Path, parts: list[list[list[Any]]]) -> list[bytes]:
        found: list[bytes] = []
        for part in parts:
            async with between(db, **SMALL) as proxy:
                for messages in part:
                    await say(proxy, path, messages)
                found += [received.body for received in proxy.upstream.received]
        return found

    whole = run(bodies(tmp_path / "one.db", [requests()]))
    parted = run(bodies(tmp_path / "two.db", [requests()[:stop], requests()[stop:]]))
    assert parted == whole


@requirement("P-3")
def test_an_explicit_session_is_one_lineage(db: Path) -> None:
    async def work() -> None:
        async with between(db, **SMALL) as proxy:
            headers = {"x-vademecum-session": "nightly"}
            for rounds in (3, 25, 26):
                reply, _ = await say(proxy, CHAT, chat(rounds), headers=headers)
                assert reply.session == "nightly"
            assert reply.cycle == 1

    run(work())


@requirement("P-10")
def test_what_is_kept_in_memory_is_bounded(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from vademecum.proxy import live

    monkeypatch.setattr(live, "MOST_LIVE", 5)

    async def work() -> None:
        async with between(db, **SMALL) as proxy:
            for at in range(20):
                await say(proxy, CHAT, chat(20, tag=f"t{at}"))
            for at in (0, 19):
                reply, _ = await say(proxy, CHAT, chat(21, tag=f"t{at}"))
                assert (reply.cycle, reply.headers["x-vademecum-outcome"]) == (1, "nothing_needed")

    run(work())


@requirement("P-2", "A-9")
@BOTH
def test_a_conversation_whose_session_was_removed_goes_on_in_a_new_one(db: Path, path: str) -> None:
    async def work() -> None:
        async with between(db, **SMALL) as proxy:
            first, _ = await say(proxy, path, MAKERS[path](20))
            assert first.cycle == 1
            with Archive.open(db) as archive:
                archive.remove(first.session)
            again, sent = await say(proxy, path, MAKERS[path](25))
            assert again.headers["x-vademecum-outcome"] in ("compacted", "crowded")
            assert again.cycle == 1
            assert len(sent) < len(MAKERS[path](25))

    run(work())
