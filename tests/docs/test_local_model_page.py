"""The tutorial with a local model, from its first line to its last, with a real llama.cpp server."""

import os
import re
import stat
from pathlib import Path

import pytest

from docs.blocks import blocks_of, check_shell
from e2e.llama import free_port, program

PAGE = Path(__file__).resolve().parents[2] / "docs/tutorials/a-night-on-a-local-model.md"


def test_the_page_runs(desk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    binary, model = program()
    tools = desk.parent / "tools"
    tools.mkdir()
    server = tools / "llama-server"
    # One thread, one slot and a seed, for the sake of a busy machine; the page leaves that to its reader.
    start = f'LD_LIBRARY_PATH={binary.parent} exec {binary} -t 1 -np 1 -fa off --seed 7 "$@"'
    server.write_text(f"#!/bin/sh\n{start}\n", "utf-8")
    server.chmod(server.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{tools}:{os.environ['PATH']}")
    monkeypatch.setenv("MODEL", str(model))
    ports = {"8091": str(free_port()), "8092": str(free_port())}
    assert ports["8091"] != ports["8092"]
    # Whatever happens, both servers end with the shell.
    ending = ("sh", "trap - EXIT\n")
    blocks = [(kind, re.sub(r"809[12]", lambda port: ports[port[0]], text)) for kind, text in blocks_of(PAGE)]
    first = next(at for at, (kind, _) in enumerate(blocks) if kind == "sh")
    blocks[first] = ("sh", f"trap 'kill $(jobs -p)' EXIT\n{blocks[first][1]}")
    check_shell([*blocks, ending], desk, timeout=300)
