"""The JSON of every verb has exactly the keys and types that its snapshot in `shapes/` says.

To renew the snapshots after a change that is meant: `RENEW_SHAPES=1 pytest tests/cli/test_json_shapes.py`.
"""

import json
import os
from pathlib import Path

import pytest

from cli.conftest import Cli
from cli.transcripts import chat, jsonl

SHAPES = Path(__file__).parent / "shapes"


def shape(value: object) -> object:
    """A value with every leaf replaced by the name of its type; a list by the shapes that occur in it."""
    if isinstance(value, dict):
        return {key: _field(key, inner) for key, inner in value.items()}
    if isinstance(value, list):
        found: list[object] = []
        for inner in map(shape, value):
            if inner not in found:
                found.append(inner)
        return found
    return "null" if value is None else type(value).__name__


def _field(key: str, value: object) -> object:
    match key, value:
        case "schema", str():
            return value
        case "sections", dict() if value:
            return {"<name>": shape(next(iter(value.values())))}  # which ones there are depends on the session
        case "requests", list():
            return ["str"]
        case _:
            return shape(value)


def agrees(name: str, value: dict) -> None:
    found = shape(value)
    path = SHAPES / f"{name}.json"
    if os.environ.get("RENEW_SHAPES"):
        path.write_text(json.dumps(found, indent=1) + "\n", "utf-8")
    expected = json.loads(path.read_text("utf-8"))
    assert found == expected
    assert list(value) == list(expected), "the order of the keys is part of it"
    assert value["schema"].startswith("vademecum.")
    assert value["schema"].endswith("/1")


@pytest.fixture
def dated(cli: Cli, home: Path) -> Path:
    """A transcript whose rows have times, compacted as `nightly`."""
    rows = [{**row, "ts": 1_700_000_000 + number} for number, row in enumerate(chat(30))]
    log = jsonl(home / "dated.jsonl", rows)
    cli("compact", log, "--window", "32K", "--session", "nightly", "-o", "first.jsonl")
    return log


def test_budget(cli: Cli) -> None:
    agrees("budget", cli("budget", "--window", "200K", "--max-output", "8K", "--json").json)
    agrees("budget_unset", cli("budget", "--window", "200K", "--json").json)


def test_context(cli: Cli, dated: Path) -> None:
    agrees("context", cli("context", "nightly", "--json").json)
    agrees("context", cli("context", dated, "--window", "200K", "--json").json)


def test_receipts(cli: Cli, dated: Path) -> None:
    args = ("--window", "32K", "-o", "out.jsonl", "--json")
    agrees("receipt", cli("compact", dated, *args, "--session", "fresh").json)
    agrees("receipt_nothing_needed", cli("compact", dated, *args, "--session", "nightly").json)


def test_plan(cli: Cli, dated: Path) -> None:
    args = ("--window", "32K", "--dry-run", "--json")
    agrees("plan", cli("compact", dated, *args, "--session", "fresh").json)
    agrees("plan_nothing_needed", cli("compact", dated, *args, "--session", "nightly").json)


def test_search(cli: Cli, dated: Path) -> None:
    agrees("search", cli("search", "listener port", "--limit", "3", "--json").json)


def test_restore(cli: Cli, dated: Path) -> None:
    id = cli("search", "listener 5433", "--json").json["hits"][0]["id"]
    agrees("restore", cli("restore", id, "--json").json)


def test_show(cli: Cli, dated: Path) -> None:
    id = cli("search", "listener 5433", "--json").json["hits"][0]["id"]
    agrees("show", cli("show", id, "--json").json)
    agrees("show_around", cli("show", id, "--around", "2", "--json").json)


def test_sessions(cli: Cli, dated: Path) -> None:
    agrees("sessions", cli("sessions", "--json").json)
    agrees("export", cli("sessions", "export", "nightly", "--json").json)


def test_mcp_install(cli: Cli, home: Path) -> None:
    (home / ".mcp.json").write_text("{}", "utf-8")
    agrees("mcp_install", cli("mcp", "install", "claude-code", "--project", "--yes", "--json").json)
    agrees("mcp_entry", cli("mcp", "install", "claude-code", "--print", "--json").json)


def test_import(cli: Cli, home: Path, dated: Path) -> None:
    (home / "torn.jsonl").write_text(dated.read_text("utf-8") + "{torn\n", "utf-8")
    agrees("import", cli("import", "torn.jsonl", "--json").json)
    agrees("import_failed", cli("import", "none.jsonl", "--json").json)


def test_steering(cli: Cli, dated: Path) -> None:
    cli("pin", "a rule", "--session", "nightly", "-q")
    agrees("pins", cli("pin", "--list", "--json").json)
    agrees("diff", cli("diff", "nightly", "--json").json)
    agrees("undo", cli("undo", "nightly", "--json").json)
