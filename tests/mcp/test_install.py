"""Telling clients of the server: what is in their files stays, byte for byte where nothing is said about it."""

from __future__ import annotations

import json
import stat
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from requirement import requirement
from vademecum.cli.app import run
from vademecum.errors import ConfigError
from vademecum.mcp import jsonc, toml_table
from vademecum.mcp.clients import Machine, client, clients
from vademecum.mcp.install import planned, write

WORDS = ["/opt/bin/vademecum", "mcp", "--db", '/home/a/it\'s "here".db']

VSCODE = """\
// what VS Code is told
{
\t"inputs": [], /* none */
\t"servers": {
\t\t"other": { "command": "other", "args": ["[", "{"] }, // keep
\t},
}
"""

CODEX = """\
# my settings
model = "gpt-5"

[mcp_servers.docs]
command = "docs"

# after the docs
[mcp_servers.vademecum]
command = "old"
args = []
startup_timeout_sec = 20

[mcp_servers.vademecum.env]
KEY = "x"

[profiles.fast]
notes = '''
[mcp_servers.vademecum]
'''
"""


def machine(folder: Path, platform: str = "linux", **environ: str) -> Machine:
    return Machine(folder / "home", environ, platform, folder / "project")


def file_of(name: str, folder: Path) -> Path:
    return client(name).file(machine(folder))


def servers(name: str, file: Path) -> dict[str, Any]:
    text = file.read_text("utf-8")
    chosen = client(name)
    return (tomllib.loads(text) if chosen.style == "toml" else jsonc.loaded(text))[chosen.under]


@requirement("G-8")
@pytest.mark.parametrize("name", list(clients()))
def test_every_client_gets_its_entry_in_a_new_file(tmp_path: Path, name: str) -> None:
    file = file_of(name, tmp_path)
    write(planned(client(name), file, "vademecum", WORDS))
    entry = servers(name, file)["vademecum"]
    told = entry["command"] if isinstance(entry["command"], list) else [entry["command"], *entry["args"]]
    assert told == WORDS
    again = planned(client(name), file, "vademecum", WORDS)
    assert not again.needed
    assert list(file.parent.iterdir()) == [file]


@requirement("G-8")
@pytest.mark.parametrize("name", list(clients()))
def test_what_is_in_the_file_stays_and_is_backed_up(tmp_path: Path, name: str) -> None:
    file = file_of(name, tmp_path)
    file.parent.mkdir(parents=True)
    chosen = client(name)
    before = (
        f'[{chosen.under}.x]\ncommand = "x"\n'
        if chosen.style == "toml"
        else f'{{"{chosen.under}":{{"x":{{}}}},"z":1e400}}'
    )
    file.write_text(before, "utf-8")
    file.chmod(0o600)
    change = planned(chosen, file, "vademecum", WORDS)
    write(change)
    assert list(servers(name, file)) == ["x", "vademecum"]
    assert change.backup is not None
    assert change.backup.read_text("utf-8") == before
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    if chosen.style == "json":
        assert "1e400" in file.read_text("utf-8"), "numbers keep their spelling"


def test_comments_and_layout_stay(tmp_path: Path) -> None:
    file = file_of("vscode", tmp_path)
    file.parent.mkdir(parents=True)
    file.write_text(VSCODE, "utf-8")
    write(planned(client("vscode"), file, "vademecum", WORDS))
    text = file.read_text("utf-8")
    added = [line for line in text.splitlines() if line not in VSCODE.splitlines()]
    assert [line for line in text.splitlines() if line not in added] == VSCODE.splitlines()
    assert added[0] == '\t\t"vademecum": {'
    assert servers("vscode", file)["vademecum"]["command"] == WORDS[0]


def test_a_table_of_toml_is_replaced_where_it_stands(tmp_path: Path) -> None:
    file = file_of("codex", tmp_path)
    file.parent.mkdir(parents=True)
    file.write_text(CODEX, "utf-8")
    write(planned(client("codex"), file, "vademecum", WORDS))
    data = tomllib.loads(file.read_text("utf-8"))
    was = tomllib.loads(CODEX)
    entry = data["mcp_servers"].pop("vademecum")
    assert entry == {"command": WORDS[0], "args": WORDS[1:], "startup_timeout_sec": 20, "env": {"KEY": "x"}}
    was["mcp_servers"].pop("vademecum")
    assert data == was
    assert "# after the docs\n[mcp_servers.vademecum]" in file.read_text("utf-8")


def test_what_a_user_added_to_the_entry_stays(tmp_path: Path) -> None:
    file = file_of("cursor", tmp_path)
    file.parent.mkdir(parents=True)
    file.write_text('{"mcpServers": {"vademecum": {"command": "old", "env": {"A": "1"}}}}', "utf-8")
    write(planned(client("cursor"), file, "vademecum", WORDS))
    assert servers("cursor", file)["vademecum"]["env"] == {"A": "1"}
    assert not planned(client("cursor"), file, "vademecum", WORDS).needed


def test_a_linked_file_stays_a_link(tmp_path: Path) -> None:
    file = file_of("cursor", tmp_path)
    file.parent.mkdir(parents=True)
    (tmp_path / "dotfiles").mkdir()
    real = tmp_path / "dotfiles/mcp.json"
    real.write_text("{}", "utf-8")
    file.symlink_to(real)
    write(planned(client("cursor"), file, "vademecum", WORDS))
    assert file.is_symlink()
    assert "vademecum" in real.read_text("utf-8")


def test_a_file_that_changed_meanwhile_is_left_alone(tmp_path: Path) -> None:
    file = file_of("cursor", tmp_path)
    change = planned(client("cursor"), file, "vademecum", WORDS)
    file.parent.mkdir(parents=True)
    file.write_text('{"a": 1}', "utf-8")
    with pytest.raises(ConfigError, match="has changed meanwhile"):
        write(change)
    assert file.read_text("utf-8") == '{"a": 1}'


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("cursor", "{not json", "line 1 is not JSON"),
        ("cursor", "[]", "does not hold an object"),
        ("cursor", '{"mcpServers": []}', "mcpServers is no"),
        ("cursor", '{"a": 1} trailing', "is not JSON"),
        ("cursor", "[" * 5_000, "is not JSON"),
        ("codex", "a = ", "it is not TOML"),
        ("codex", "mcp_servers = {x = {command = 'x'}}\n", "without touching the rest"),
        ("codex", "[mcp_servers]\nvademecum = {command = 'x'}\n", "without touching the rest"),
    ],
)
def test_a_file_that_cannot_be_changed_safely_is_left_alone(
    tmp_path: Path, name: str, text: str, reason: str
) -> None:
    file = file_of(name, tmp_path)
    file.parent.mkdir(parents=True)
    file.write_text(text, "utf-8")
    with pytest.raises(ConfigError, match=reason) as caught:
        planned(client(name), file, "vademecum", WORDS)
    assert caught.value.hint
    assert file.read_text("utf-8") == text


def test_files_by_platform_and_environment(tmp_path: Path) -> None:
    home = tmp_path / "home"
    mac = client("claude-desktop").file(machine(tmp_path, "darwin"))
    assert mac == home / "Library/Application Support/Claude/claude_desktop_config.json"
    assert client("codex").file(machine(tmp_path, CODEX_HOME="/x/codex")) == Path("/x/codex/config.toml")
    assert client("claude-code").file(machine(tmp_path), project=True) == tmp_path / "project/.mcp.json"
    with pytest.raises(ConfigError, match="no file of servers for a project"):
        client("windsurf").file(machine(tmp_path), project=True)
    with pytest.raises(ConfigError, match="no client 'claud-code'") as caught:
        client("claud-code")
    assert caught.value.hint == "did you mean claude-code?"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=12,
)


@settings(max_examples=60, deadline=None)
@given(
    data=st.dictionaries(st.text(max_size=5), JSON, max_size=4),
    held=st.none() | st.dictionaries(st.text(max_size=3), JSON, max_size=3),
    indent=st.sampled_from([None, 2, 4, "\t"]),
    ascii=st.booleans(),
    value=JSON,
)
def test_any_json_keeps_all_but_the_entry(
    data: dict[str, Any], held: dict[str, Any] | None, indent: Any, ascii: bool, value: Any
) -> None:
    if held is None:
        data.pop("under", None)
    else:
        data["under"] = held
    text = json.dumps(data, indent=indent, ensure_ascii=ascii)
    after = jsonc.with_value(text, ("under", "name"), value)
    expected = {**data, "under": {**(held or {}), "name": value}}
    assert jsonc.loaded(after) == json.loads(after) == expected
    expected["under"]["name"] = []
    assert jsonc.loaded(jsonc.with_value(after, ("under", "name"), [])) == expected


@settings(max_examples=40, deadline=None)
@given(words=st.lists(st.text(st.characters(exclude_categories=["Cs"])), max_size=4))
def test_any_words_can_be_written_as_toml(words: list[str]) -> None:
    text = toml_table.with_table("a = 1\n", "mcp_servers", "a.b c", {"command": "x", "args": words, "on": True})
    assert tomllib.loads(text) == {"a": 1, "mcp_servers": {"a.b c": {"command": "x", "args": words, "on": True}}}


# The command -------------------------------------------------------------------------------------------

Cli = Callable[..., tuple[int, str, str]]


@pytest.fixture
def cli(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Cli:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.delenv("CODEX_HOME", raising=False)
    monkeypatch.chdir(tmp_path)

    def call(*arguments: str) -> tuple[int, str, str]:
        capsys.readouterr()
        code = run(["mcp", "install", *arguments])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return call


def test_a_dry_run_shows_and_writes_nothing(cli: Cli, tmp_path: Path) -> None:
    code, out, err = cli("claude-code", "--dry-run", "--session", "nightly", "--owner", "abc", "--window", "200K")
    assert code == 0
    assert str(tmp_path / "home/.claude.json") in out
    assert '"--owner", "abc", "--session", "nightly", "--window", "200K"' in out
    assert "nothing was written" in err
    assert not (tmp_path / "home").exists()


def test_it_is_written_with_yes_once(cli: Cli, tmp_path: Path) -> None:
    code, _, err = cli("claude-code", "--yes", "--db", "x.db")
    assert (code, "written; restart Claude Code" in err) == (0, True)
    entry = servers("claude-code", tmp_path / "home/.claude.json")["vademecum"]
    assert entry["type"] == "stdio"
    assert entry["args"][-2:] == ["--db", str(tmp_path / "x.db")]
    code, _, err = cli("claude-code", "--yes", "--db", "x.db")
    assert (code, "has it already" in err) == (0, True)


def test_nobody_to_ask_is_no_yes(cli: Cli, tmp_path: Path) -> None:
    code, out, err = cli("gemini-cli")
    assert (code, out) == (2, "")
    assert "hint: add --yes to write it" in err
    assert not (tmp_path / "home").exists()


@pytest.mark.parametrize(("answer", "code", "there"), [("y", 0, True), ("n", 1, False)])
def test_a_person_is_asked(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answer: str, code: int, there: bool
) -> None:
    import io

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr("sys.stdin", Terminal(f"{answer}\n"))
    done, _, err = cli("gemini-cli")
    assert done == code
    assert "Write this?" in err
    assert (tmp_path / "home/.gemini/settings.json").exists() is there


def test_the_entry_alone_and_json(cli: Cli) -> None:
    code, out, _ = cli("opencode", "--print")
    assert code == 0
    assert json.loads(out)["mcp"]["vademecum"]["type"] == "local"
    code, out, _ = cli("codex", "--yes", "--json")
    data = json.loads(out)
    assert (data["schema"], data["needed"], data["written"]) == ("vademecum.mcp-install/1", True, True)
    assert cli("nobody")[0] == 2
    assert cli("cursor", "--window", "soon", "--yes")[0] == 2
