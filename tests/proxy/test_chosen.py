"""What is chosen when the proxy starts beside the budget: the advice, the workspace, the cap on pins."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from proxy.harness import CHAT, ENDPOINTS, MESSAGES, between, run
from proxy.transcripts import MAKERS, body, chat
from requirement import requirement
from vademecum import ADVICE

SMALL: dict[str, Any] = {"window": 16_000, "trigger": 3_000}


def beside(path: str, sent: bytes) -> Any:
    """What a request says beside its rounds: the system text and the other fields."""
    data = json.loads(sent)
    listed = next(key for key in ("messages", "input", "contents") if key in data)
    head = [row for row in data.pop(listed) if row.get("role") == "system"]
    return {**data, "head": head}


@requirement("C-38", "P-2")
@pytest.mark.parametrize("path", ENDPOINTS)
def test_the_advice_stands_in_the_system_text_and_never_changes(db: Path, path: str) -> None:
    async def work() -> None:
        seen: list[Any] = []
        async with between(db, advice=True, **SMALL) as proxy:
            for rounds in (1, 12, 40, 41):
                data = json.dumps(body(path, MAKERS[path](rounds))).encode()
                reply = await proxy.send(path, data)
                seen.append(beside(path, proxy.last.body))
                assert proxy.last.body.count(ADVICE.encode()) == 1
            assert reply.cycle >= 1
        # A proxy that is started without it leaves a session as it began.
        async with between(db, **SMALL) as proxy:
            await proxy.send(path, body(path, MAKERS[path](42)))
            seen.append(beside(path, proxy.last.body))
        assert all(one == seen[0] for one in seen)
        told = json.dumps(seen[0], ensure_ascii=False)
        assert told.index("You are an agent.") < told.index(ADVICE)

    run(work())


@requirement("C-38")
@pytest.mark.parametrize("path", ENDPOINTS)
def test_a_request_without_a_system_text_gets_one(db: Path, path: str) -> None:
    async def work() -> None:
        rows = [row for row in MAKERS[path](1) if row.get("role") != "system"]
        data = body(path, rows)
        for key in ("system", "instructions", "systemInstruction"):
            data.pop(key, None)
        async with between(db, advice=True) as proxy:
            await proxy.send(path, data)
            got = json.loads(proxy.last.body)
            assert json.dumps(got, ensure_ascii=False).count(ADVICE) == 1
            known = {key: value for key, value in got.items() if key in data and value == data[key]}
            changed = set(data) - set(known)
            assert changed <= {"messages"}

    run(work())


@requirement("C-38")
@pytest.mark.parametrize("path", [CHAT, MESSAGES])
def test_calls_without_tools_and_a_proxy_without_it_stay_byte_identical(db: Path, path: str) -> None:
    async def work() -> None:
        async with between(db, advice=True) as proxy:
            data = json.dumps({**body(path, MAKERS[path](1)), "tools": []}, indent=1).encode()
            await proxy.send(path, data)
            assert proxy.last.body == data
        async with between(db) as proxy:
            data = json.dumps(body(path, MAKERS[path](2, tag="z")), indent=1).encode()
            await proxy.send(path, data)
            assert proxy.last.body == data

    run(work())


def edited(path: str) -> list[dict[str, Any]]:
    """A conversation that writes a file first."""
    call = {"name": "write_file", "arguments": json.dumps({"path": path, "content": "old"})}
    rows = chat(30)
    rows[2:2] = [
        {"role": "assistant", "content": None, "tool_calls": [{"id": "w", "type": "function", "function": call}]},
        {"role": "tool", "tool_call_id": "w", "content": "written"},
    ]
    return rows


@requirement("C-26")
def test_edited_files_are_shown_where_a_workspace_was_given(db: Path, tmp_path: Path) -> None:
    folder = tmp_path / "work"
    folder.mkdir()
    (folder / "port.py").write_text("PORT = 5433  # as it is now\n")

    async def work() -> None:
        for given, shown in ((None, False), (folder, True)):
            async with between(db.with_name(f"{shown}.db"), workspace=given, **SMALL) as proxy:
                reply = await proxy.send(CHAT, body(CHAT, edited("port.py")))
                assert reply.cycle == 1
                assert (b"as it is now" in proxy.last.body) == shown

    run(work())


@requirement("C-39")
def test_the_cap_on_pins_is_the_one_that_was_given(db: Path) -> None:
    async def work() -> None:
        rows = chat(30)
        rows[6:6] = [
            {"role": "assistant", "content": "What else?"},
            {"role": "user", "content": "[pin] the order of the four gates is " + "alpha, gamma, delta " * 30},
        ]
        rows[20:20] = [{"role": "assistant", "content": "Good."}, {"role": "user", "content": "Go on."}]
        for cap, kept in ((4_000, True), (20, False)):
            async with between(db.with_name(f"{cap}.db"), pin_cap=cap, **SMALL) as proxy:
                await proxy.send(CHAT, body(CHAT, rows))
                assert (b"## Pinned by the user" in proxy.last.body) == kept

    run(work())
