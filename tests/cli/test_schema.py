"""`vademecum schema`, and that every output has one. `Ran.json` holds each output of these tests against its own."""

import json
import re
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from cli.conftest import Cli
from cli.published import strict
from vademecum.cli.schemas import names, schema
from vademecum.mcp.clients import clients


def test_every_output_of_the_code_has_a_schema(root: Path) -> None:
    source = "".join(path.read_text("utf-8") for path in (root / "src/vademecum/cli").rglob("*.py"))
    emitted = set(re.findall(r'"([a-z_.-]+)/1"', source))
    assert len(emitted) > 40
    assert "bench.scorecard" in emitted
    assert emitted - {*names()} == set()


@pytest.mark.parametrize("name", names())
def test_a_schema_is_one(name: str) -> None:
    found = schema(name)
    Draft202012Validator.check_schema(found)
    assert found["$id"] == f"vademecum:{name}/1"
    assert found["properties"]["schema"] == {"const": f"vademecum.{name}/1"}
    assert "schema" in found["required"]
    assert found["title"]


def test_what_is_not_so_is_told() -> None:
    validator = Draft202012Validator(strict(schema("search")))
    sound = {"schema": "vademecum.search/1", "hits": []}
    assert validator.is_valid(sound)
    for wrong in (
        {**sound, "hits": {}},
        {**sound, "more": 1},
        {"hits": []},
        {**sound, "schema": "vademecum.search/2"},
    ):
        assert not validator.is_valid(wrong)


@pytest.mark.parametrize("client", clients())
def test_the_entry_of_every_client(cli: Cli, client: str) -> None:
    told = cli("mcp", "install", client, "--dry-run", "--json").json
    assert (told["client"], told["written"]) == (client, False)


def test_what_outputs_say_less_often(cli: Cli, compacted: Path) -> None:
    assert cli("models", "show", "gpt-4.1", "--json").json["model"]["max_output"] == 32_768
    assert (
        cli("sessions", "continue", "nightly", "--as", "second", "-o", "first.jsonl", "--json").json["messages"] > 0
    )
    assert cli("sessions", "show", "second", "--json").json["parent"] == "nightly"
    assert cli("db", "vacuum", "--reindex", "--json").json["passages"] > 0


def test_a_lineage(cli: Cli, log: Path) -> None:
    built = cli("bench", "lineage", "build", log, "--name", "one", "-o", "lineages", "--json").json
    assert cli("bench", "lineage", "show", "lineages/one.jsonl.gz", "--json").json["messages"] == built["messages"]
    assert cli("bench", "lineage", "verify", "lineages/one.jsonl.gz", "--json").json["differences"] == []


def test_the_list(cli: Cli) -> None:
    assert [row["name"] for row in cli("schema", "--json").json["schemas"]] == names()
    assert [line.split()[0] for line in cli("schema").text.splitlines()] == names()


@pytest.mark.parametrize("name", ["receipt", "vademecum.receipt/1"])
def test_one(cli: Cli, name: str) -> None:
    assert json.loads(cli("schema", name).out) == schema("receipt")
    done = cli("schema", name, "--json")
    assert (json.loads(done.out), done.out.count(b"\n")) == (schema("receipt"), 1)


def test_one_that_there_is_not(cli: Cli) -> None:
    cli("schema", "reciept").refused(2, "no output is called 'reciept'", "did you mean receipt?")
