"""The five tools, by the official client."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from pathlib import Path

import pytest
from mcp import Client

from requirement import requirement
from vademecum.archive import Archive
from vademecum.compactor import Compactor
from vademecum.mcp import ServerConfig
from vademecum.mcp.arguments import tools
from vademecum.mcp.desk import Desk
from vademecum.mcp.server import make_server
from vademecum.mcp.tools import TOOLS
from vademecum.testing import sample
from vademecum.wire import dialect

#: Another owner, and what only they may read; see `conftest.made`.
OTHER = "f" * 32
SECRET = "the launch code of project Heliotrope is 7741"
ID = re.compile(r"t_[a-z2-7]{10}(?:\.\d+)?")


def first_id(text: str) -> str:
    found = ID.search(text)
    assert found, text
    return found[0]


@requirement("G-8")
def test_there_are_five_tools_that_say_when_to_use_them(config: ServerConfig) -> None:
    async def listed() -> list:
        async with Client(make_server(Desk(config))) as client:
            return (await client.list_tools()).tools

    found = {tool.name: tool for tool in asyncio.run(listed())}
    assert list(found) == ["session_search", "restore_tool_result", "context", "compact", "sessions"]
    assert list(found) == list(TOOLS) == list(tools())
    for tool in found.values():
        assert "Use it" in tool.description
        assert tool.input_schema["additionalProperties"] is False
        assert all(spec["description"] for spec in tool.input_schema["properties"].values())
    assert "A good query" in found["session_search"].description
    assert found["restore_tool_result"].input_schema["required"] == ["id"]
    assert [name for name, tool in found.items() if not tool.annotations.read_only_hint] == ["compact"]


@requirement("G-8", "A-6")
def test_search_finds_what_left_and_says_whether_it_stands_in_the_context(ask) -> None:
    old = ask("session_search", query="svc-3 port", session="nightly", limit=2)
    assert "archived, not in context" in old.text
    assert "port 5003" in old.text
    new = ask("session_search", query="svc-39 5039", session="nightly", limit=1)
    assert "· in context]" in new.text


@requirement("A-6")
def test_search_keeps_to_the_session_of_the_server_unless_told_otherwise(ask) -> None:
    inside = ask("session_search", own="nightly", query="svc-103 port")
    assert "session weekly" not in inside.text
    wide = ask("session_search", own="nightly", query="svc-103 port", everywhere=True)
    assert "session weekly" in wide.text
    named = ask("session_search", query="svc-3 port", limit=3)
    assert "in all sessions" in named.text


@requirement("A-6")
def test_filters_by_role_tool_and_time(ask) -> None:
    users = ask("session_search", query="svc-3 port", role="user")
    assert set(re.findall(r"· (user|assistant|tool|system) ·", users.text)) == {"user"}
    bash = ask("session_search", query="part_304 change", tool="bash")
    assert all("· bash ·" in line for line in bash.text.splitlines() if line.startswith("[t_"))
    assert "nothing found" in ask("session_search", query="svc-3", since="1h").text  # these rows have no time
    ask("session_search", query="svc-3", since="soonish").refused("is no time", "such as 2026-11-30")


@requirement("A-5")
def test_all_hits_together_keep_to_the_characters_asked_for(ask) -> None:
    for budget in (200, 1_000, 6_000):
        text = ask("session_search", query="value handle return", limit=20, max_chars=budget).text
        shown = "\n".join(line for line in text.splitlines()[1:] if not line.startswith("[t_"))
        assert 0 < len(shown) <= budget + 40


@requirement("A-6")
def test_around_reads_on(ask) -> None:
    id = first_id(ask("session_search", query="svc-3 port", session="nightly", role="user", limit=1).text)
    text = ask("session_search", around=id, session="nightly", count=2).text
    assert text.startswith(f"5 messages of session nightly around {id}:")
    assert "this one]" in text
    assert len(ID.findall(text)) > 5
    ask("session_search", around="t_aaaaaaaaaa").refused("no part", "the nearest ids are t_")


def test_a_search_without_words_is_refused(ask) -> None:
    ask("session_search").refused("nothing to search for", "give `query`")
    assert "nothing found" in ask("session_search", query="xylophone-quux").text


@requirement("A-7")
def test_restoring_gives_the_exact_text_with_its_origin(ask, db: Path) -> None:
    with Archive.open(db) as archive:
        hit = archive.search("part_304 handle", session="nightly", role="tool", limit=1)[0]
        exact = archive.restore(hit.id).data.decode()
    done = ask("restore_tool_result", id=f"`{hit.id}`.")
    assert done.texts[1] == exact
    head = done.texts[0]
    assert f"{hit.id} · tool result of {hit.tool} · session nightly · tool" in head
    assert 'arguments: {"' in head
    assert f"all of {len(exact.encode()):,} bytes" in head


@requirement("A-7")
def test_restoring_in_pages_and_by_pattern(ask, db: Path) -> None:
    with Archive.open(db) as archive:
        id = archive.search("handle value return", role="tool", limit=1)[0].id
        exact = archive.restore(id).data.decode()
    read, offset = "", 0
    while True:
        page = ask("restore_tool_result", id=id, offset=offset, limit=500)
        read += page.texts[1]
        following = re.search(r"go on with offset (\d+)", page.texts[0])
        if not following:
            break
        offset = int(following[1])
    assert read == exact
    lines = ask("restore_tool_result", id=id, pattern="return|raise")
    assert lines.texts[1] == "".join(line for line in exact.splitlines(True) if "return" in line or "raise" in line)
    assert "in lines that match, of" in lines.texts[0]
    assert "no line matches" in ask("restore_tool_result", id=id, pattern="xylophone").texts[0]
    assert "bytes 9,999,999" not in ask("restore_tool_result", id=id, offset=9_999_999).texts[0]


@requirement("A-7")
def test_a_page_is_no_larger_than_what_the_window_holds(ask, db: Path) -> None:
    with Archive.open(db) as archive:
        session = archive.session("narrow", format="openai-chat")
        large = {"role": "user", "content": "word " * 20_000}
        Compactor(window=40_000, session=session).fit([{"role": "user", "content": "hello"}, large])
        id = session.search("word", limit=1)[0].id
    page = ask("restore_tool_result", id=id, limit=100_000).texts[1]
    assert 2_000 <= len(page) < 40_000


@requirement("A-7")
def test_an_unknown_id_names_the_nearest_ones(ask) -> None:
    ask("restore_tool_result", id="t_aaaaaaaaaa").refused("no part 't_aaaaaaaaaa'", "the nearest ids are t_")
    ask("restore_tool_result", id="no id").refused("is not an id", "ids look like t_")
    known = first_id(ask("session_search", query="svc-3").text)
    ask("restore_tool_result", id=known.partition(".")[0] + ".99").refused("no part", "")


@requirement("A-7")
def test_a_result_is_stale_when_its_file_has_changed_since(ask, config, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("new")
    call = {"id": "c1", "type": "function", "function": {"name": "read_file", "arguments": '{"path": "notes.txt"}'}}
    rows = [
        {"role": "user", "content": "read"},
        {"role": "assistant", "content": "", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": "the old notes about marzipan"},
    ]
    loaded = [replace(dialect("openai-chat").load(row, at), ts=1_000.0) for at, row in enumerate(rows)]
    with Archive.open(config.db) as archive:
        session = archive.session("stale", format="openai-chat")
        session.append(loaded, [5, 5, 5])
        id = session.search("marzipan", limit=1)[0].id

    async def restored() -> str:
        desk = Desk(replace(config, workspace=tmp_path), now=lambda: 1_000.0 + 3 * 86_400)
        async with Client(make_server(desk)) as client:
            result = await client.call_tool("restore_tool_result", {"id": id})
        desk.close()
        return result.content[0].text

    head = asyncio.run(restored())
    assert "3 days old" in head
    assert "STALE: the file has changed since" in head


def test_context_shows_what_fills_it_and_where_figures_come_from(ask) -> None:
    text = ask("context", session="nightly").text
    assert "session nightly · 321 messages archived" in text
    assert "cycle 1" in text
    assert "tool results: " in text
    assert "tokens (counted)" in text
    assert "window: 32,000 tokens (learned)" in text
    assert "window: 64,000 tokens (user)" in ask("context", session="nightly", window=64_000).text


@requirement("G-8")
def test_compact_is_taken_over_by_the_caller_of_the_library(ask, db: Path) -> None:
    rows = sample(turns=20, start=200)
    with Archive.open(db) as archive:
        compactor = Compactor(window=64_000, session=archive.session("running", format="openai-chat"))
        before = compactor.fit(rows)
        assert before.receipt.outcome == "nothing_needed"
        receipt = ask("compact", session="running", focus="ports").text
        assert "session running, cycle 1: " in receipt
        assert "window 64,000 (learned)" in receipt
        assert "It takes effect with the session's next request" in receipt
        rows.append({"role": "user", "content": "Go on."})
        after = compactor.fit(rows)
    assert after.receipt.cycle == 1
    assert len(after.messages) < len(before.messages)
    assert after.messages[-1] == rows[-1]
    assert after.receipt.tokens_after < before.receipt.tokens_after


@requirement("G-8")
def test_compact_asks_the_caller_where_only_that_knows_the_window(ask, db: Path) -> None:
    rows = sample(turns=20, start=300)
    load = dialect("openai-chat").load
    with Archive.open(db) as archive:
        session = archive.session("imported", format="openai-chat")
        session.append([load(row, at) for at, row in enumerate(rows)], [100] * len(rows))
        assert "a compaction is asked for" in ask("compact", session="imported", focus="ports").text
        assert session.requested_compaction() == "ports"
        served = Compactor(window=64_000, session=session).fit(rows)
        assert (served.receipt.cycle, served.receipt.cause) == (1, "requested")
        assert session.requested_compaction() is None


def test_a_window_that_is_given_is_compacted_for_at_once(ask, db: Path) -> None:
    load = dialect("openai-chat").load
    rows = [load(row, at) for at, row in enumerate(sample(turns=8, start=300))]
    with Archive.open(db) as archive:
        archive.session("imported", format="openai-chat").append(rows, [100] * len(rows))
    assert "cycle 1" in ask("compact", session="imported", window=8_000).text


@requirement("G-8")
def test_sessions_are_listed_and_filtered(ask) -> None:
    text = ask("sessions", own="nightly").text
    lines = text.splitlines()
    assert len(lines) == 2
    (nightly,) = [line for line in lines if line.startswith("nightly")]
    assert "321 messages" in nightly
    assert "1 cycles" in nightly
    assert nightly.endswith("this server's own")
    assert ask("sessions", contains="WEEK").text.startswith("weekly")
    assert "There are more" in ask("sessions", limit=1).text
    assert "no session has" in ask("sessions", contains="nobody").text


@requirement("A-6")
@pytest.mark.parametrize("tool", ["session_search", "sessions", "context", "compact", "restore_tool_result"])
def test_the_sessions_of_another_owner_are_invisible(ask, db: Path, tool: str) -> None:

    with Archive.open(db, owner=OTHER) as archive:
        id = archive.search("Heliotrope")[0].id
    arguments = {
        "session_search": {"query": "launch code project Heliotrope 7741"},
        "restore_tool_result": {"id": id},
    }.get(tool, {"contains": "hidden"} if tool == "sessions" else {"session": "hidden"})
    mine = ask(tool, **arguments).text
    assert "Heliotrope is" not in mine
    assert SECRET not in mine
    if tool in ("session_search", "restore_tool_result"):
        assert SECRET in ask(tool, owner=OTHER, **arguments).text


def test_a_server_may_start_before_there_is_an_archive(ask, config: ServerConfig) -> None:
    config.db.unlink()
    ask("sessions").refused("there is no archive at", "vademecum import, compact and proxy make one")
    assert not config.db.exists()


def test_a_damaged_archive_is_an_error_in_words(ask, config: ServerConfig) -> None:
    config.db.write_bytes(b"This is no database, whatever its name says." * 50)
    ask("session_search", query="port").refused("damaged or not an archive", "restore it from a backup")
