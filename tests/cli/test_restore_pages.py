"""`vademecum restore`: pages, where a part comes from, and no more than the window has room for."""

import json
import os
import re
from pathlib import Path

import pytest

from cli.conftest import Cli
from cli.transcripts import jsonl
from requirement import requirement

LINES = "".join(f"line {number} of the log\n" for number in range(20_000))


@pytest.fixture
def id(cli: Cli, home: Path) -> str:
    """A large result of reading a file."""
    call = {"id": "c", "type": "function", "function": {"name": "Read", "arguments": json.dumps({"path": "app.log"})}}
    rows = [
        {"role": "user", "content": "read the log"},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c", "content": LINES, "ts": 1_700_000_000},
    ]
    cli("import", jsonl(home / "rows.jsonl", rows), "--session", "s")
    return cli("search", "log line", "--tool", "Read", "--role", "tool", "--json").json["hits"][0]["id"]


@requirement("A-7")
def test_pages_put_together_are_the_whole(cli: Cli, id: str) -> None:
    got, offset = b"", 0
    for _ in range(99):
        done = cli("restore", id, "--limit", 100_000, "--offset", offset)
        got += done.out
        told = re.search(r"go on with --offset (\d+)", done.err)
        if told is None:
            break
        offset = int(told[1])
    assert got == LINES.encode()
    assert cli("restore", id, "--limit", 100, "--json").json["next_offset"] == 100
    assert cli("restore", id, "--json").json["next_offset"] is None


@requirement("A-7")
def test_where_it_comes_from_is_told_on_stderr(cli: Cli, home: Path, id: str) -> None:
    done = cli("restore", id)
    assert done.out == LINES.encode()
    assert re.fullmatch(rf'{id}: tool result of Read {{"path": "app.log"}}, session s, [\d,]+ d old\n', done.err)
    assert cli("restore", id, "-q").err == ""
    (home / "app.log").write_text("other")
    os.utime(home / "app.log", (1_600_000_000, 1_600_000_000))
    (home / "vademecum.toml").write_text('workspace = "."\n')
    assert "STALE" not in cli("restore", id).err
    os.utime(home / "app.log", (1_800_000_000, 1_800_000_000))
    assert "STALE: the file has changed since" in cli("restore", id).err
    assert cli("restore", id, "--json").json["stale"] is True


@requirement("A-7")
def test_no_more_than_the_window_has_room_for(cli: Cli, home: Path, id: str) -> None:
    wide = cli("restore", id, "--fit", "--window", "1M")
    assert wide.out == LINES.encode()
    small = cli("restore", id, "--window", "160K")
    assert len(small.out) == 2_000, "the log itself nearly fills the window"
    assert "bytes 0 to 2,000 of " in small.err
    assert len(cli("restore", id, "--window", "160K", "--limit", 50).out) == 50
    cli("restore", id, "--fit").refused(2, "the window is not known")
    (home / "vademecum.toml").write_text("window = 200_000\n")
    assert 2_000 < len(cli("restore", id, "--fit").out) < len(LINES)
    assert cli("restore", id).out == LINES.encode(), "only when asked"


@requirement("A-7")
def test_lines_that_match_are_paged_too(cli: Cli, id: str) -> None:
    done = cli("restore", id, "--pattern", "^line 1999", "--limit", 30, "--json").json
    assert done["text"] == "line 1999 of the log\nline 1999"
    assert cli("restore", id, "--pattern", "^line 1999", "--offset", 30).text.startswith("0 of the log\n")
