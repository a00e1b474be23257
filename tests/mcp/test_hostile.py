"""Arguments that no good client sends: an error in words or an answer, and the server goes on."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from mcp import Client

from requirement import requirement
from vademecum.errors import ConfigError
from vademecum.mcp import ServerConfig
from vademecum.mcp.arguments import tools
from vademecum.mcp.desk import Desk
from vademecum.mcp.patterns import matching
from vademecum.mcp.server import make_server
from vademecum.mcp.tools import call

VALUES: list[Any] = [
    "",
    " ",
    "x" * 300_000,
    "\ud800\udfff\x00",
    "';--\"*()[]{}^$\\",
    "NEAR(a b) AND OR NOT",
    "٣٤٥",
    "-9",
    10**400,
    -1,
    0,
    1e308,
    float("nan"),
    True,
    None,
    [],
    ["a"],
    {"a": {}},
]


@requirement("A-4", "G-8")
@pytest.mark.parametrize("name", list(tools()))
def test_no_value_of_an_argument_is_a_traceback(config: ServerConfig, name: str) -> None:
    desk = Desk(config)
    for argument in tools()[name].arguments:
        for value in VALUES:
            given = {"query": "port", "id": "t_aaaaaaaaaa", argument.name: value}
            known = {each.name for each in tools()[name].arguments}
            answer = call(desk, name, {key: held for key, held in given.items() if key in known})
            text = "\n".join(answer.texts)
            assert "this is a bug" not in text, (argument.name, value)
            assert "Traceback" not in text
            text.encode()  # no lone surrogate goes out
            assert len(text) < 100_000
    desk.close()


def test_unknown_arguments_and_tools_get_a_remedy(config: ServerConfig) -> None:
    desk = Desk(config)
    wrong = call(desk, "session_search", {"querry": "x"})
    assert wrong.failed
    assert wrong.texts == ("error: session_search has no argument 'querry'\nhint: did you mean query?",)
    assert call(desk, "sesion_search", {}).texts[0].endswith("did you mean session_search?")
    missing = call(desk, "restore_tool_result", {})
    assert "needs id" in missing.texts[0]


def test_numbers_and_switches_may_be_written_as_text(config: ServerConfig) -> None:
    read = tools()["session_search"].read({"query": "x", "limit": "3", "everywhere": "true", "max_chars": 500.0})
    assert (read["limit"], read["everywhere"], read["max_chars"]) == (3, True, 500)


def test_a_null_is_a_default(config: ServerConfig) -> None:
    read = tools()["session_search"].read({"query": "x", "limit": None})
    assert (read["limit"], read["everywhere"], read["role"]) == (8, False, None)


@requirement("A-7")
@pytest.mark.parametrize("pattern", ["(a+)+$", "(a|a)*b", "(a|aa)+$", "((a*)*)*b"])
def test_expressions_that_blow_up_are_ended(pattern: str) -> None:
    with pytest.raises(ConfigError, match="took longer than") as caught:
        matching(b"a" * 60 + b"!\n", pattern, seconds=0.5)
    assert "repeat" in caught.value.hint


@requirement("A-7")
@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ("port", [b"port 1\n", b"port=2\n"]),
        (r"port[ =]\d", [b"port 1\n", b"port=2\n"]),
        (r"\d+", [b"port 1\n", b"port=2\n"]),
        (r"(?i)CAF(é|e)", ["café\n".encode()]),
        ("^\udcff", [b"\xff raw"]),
        ("nothing", []),
    ],
)
def test_lines_that_an_expression_finds_keep_their_bytes(pattern: str, found: list[bytes]) -> None:
    assert matching("port 1\nport=2\ncafé\n".encode() + b"\xff raw", pattern) == found


@pytest.mark.parametrize("pattern", ["(", "[", "a{2,1}", "(?P<1>x)", "\\", "(?<=a+)b", "x{99999999999}"])
def test_what_is_no_expression_is_said(pattern: str) -> None:
    with pytest.raises(ConfigError, match="is not a regular expression"):
        matching(b"text", pattern)


def test_the_server_goes_on_after_an_expression_that_never_ends(ask, db: Path) -> None:
    id = ask("session_search", query="svc-3 port").texts[0].split("[")[1].split(" ")[0]
    endless = r"(.|\s|\S)*#"
    ask("restore_tool_result", id=id, pattern=endless).refused("took longer", "use a simpler")
    assert not ask("sessions").failed


def test_calls_at_once_wait_for_each_other(config: ServerConfig) -> None:
    async def together() -> list[bool]:
        async with Client(make_server(Desk(config))) as client:
            calls = [client.call_tool("session_search", {"query": f"svc-{at} port"}) for at in range(12)]
            return [bool(done.is_error) for done in await asyncio.gather(*calls)]

    assert asyncio.run(together()) == [False] * 12


def test_lines_that_are_no_messages_do_not_end_a_server(db: Path, tmp_path: Path) -> None:
    initialize = {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "raw", "version": "1"},
    }
    search = {"name": "session_search", "arguments": {"query": "port"}}
    lone = json.dumps({"name": "sessions", "arguments": {"contains": "\ud800"}}).encode()
    lone = b'{"jsonrpc": "2.0", "id": 4, "method": "tools/call", "params": %b}' % lone
    lines = [
        b"{not json",
        b"\xff\xfe\x00",
        b"[]",
        b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "sessions", "arguments": [1]}}',
        json.dumps({"jsonrpc": "2.0", "id": 2, "method": "initialize", "params": initialize}).encode(),
        json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}).encode(),
        json.dumps({"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": search}).encode(),
        lone,
        json.dumps({"jsonrpc": "2.0", "id": 5, "method": "ping"}).encode(),
    ]
    with subprocess.Popen(
        [sys.executable, "-m", "vademecum", "mcp", "--db", str(db)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(b"\n".join(lines) + b"\n")
        process.stdin.flush()
        answers = {}
        while not {3, 5} <= answers.keys():
            answer = json.loads(process.stdout.readline())
            answers[answer.get("id")] = answer
        process.stdin.close()
        assert process.wait(30) == 0
        assert b"Traceback" not in process.stderr.read()
    assert answers[3]["result"]["isError"] is False
