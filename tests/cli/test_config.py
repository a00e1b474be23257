"""`vademecum config`."""

from pathlib import Path

import pytest

from cli.conftest import Cli


@pytest.fixture
def user_file(home: Path) -> Path:
    return home.parent / "config/vademecum/config.toml"


def test_show_tells_every_value_and_its_origin(cli: Cli, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (home / "vademecum.toml").write_text("window = 100_000\nkeep_tools = ['Read']\n", "utf-8")
    monkeypatch.setenv("VADEMECUM_TARGET", "0.3")
    found = {row["name"]: row for row in cli("config", "show", "--db", "a.db", "--json").json["settings"]}
    assert {name: row["origin"] for name, row in found.items() if row["origin"] != "default"} == {
        "db": "flag",
        "window": "project_file",
        "target": "environment",
        "keep_tools": "project_file",
    }
    assert found["window"]["value"] == 100_000
    assert found["window"]["where"] == str(home / "vademecum.toml")
    assert found["keep_tools"]["value"] == ["Read"]
    assert found["target"]["where"] == found["target"]["variable"] == "VADEMECUM_TARGET"
    rows = [line.split() for line in cli("config").text.splitlines()]
    assert ["window", "100000", str(home / "vademecum.toml")] in rows
    assert ["token_compression", "true", "default"] in rows


def test_show_one(cli: Cli) -> None:
    assert cli("config", "show", "preset").text.splitlines()[1].split() == ["preset", "half", "default"]
    cli("config", "show", "windw").refused(2, "there is no setting 'windw'", "did you mean window?")


def test_path_says_which_files_there_are(cli: Cli, home: Path, user_file: Path) -> None:
    (home / "pyproject.toml").write_text("[tool.other]\n", "utf-8")
    rows = cli("config", "path", "--json").json["files"]
    assert rows[:2] == [
        {"origin": "project_file", "path": str(home / "vademecum.toml"), "exists": False, "used": False},
        {"origin": "project_file", "path": str(home / "pyproject.toml"), "exists": True, "used": False},
    ]
    assert rows[-1] == {"origin": "user_file", "path": str(user_file), "exists": False, "used": False}
    (home / "pyproject.toml").write_text("[tool.vademecum]\nwindow = 5_000\n", "utf-8")
    assert [line.split()[0] for line in cli("config", "path").text.splitlines()] == ["absent", "read", "absent"]


def test_set_keeps_comments_and_order(cli: Cli, home: Path) -> None:
    path = home / "vademecum.toml"
    path.write_text(
        "# ours\r\nwindow = 1_000  # small\r\n\r\n[compression]\r\nthreshold = 0.5 # half\r\n", newline=""
    )
    path.chmod(0o640)
    assert cli("config", "set", "window", "200K").text == f"{path}: window = 200000\n"
    assert cli("config", "set", "preset", "hermes").code == 0
    assert cli("config", "set", "compression.tail_mode", "lean").code == 0
    assert path.read_bytes().decode().replace("\r\n", "\n") == (
        '# ours\nwindow = 200000  # small\npreset = "hermes"\n\n'
        '[compression]\nthreshold = 0.5 # half\ntail_mode = "lean"\n'
    )
    assert path.stat().st_mode & 0o777 == 0o640
    assert cli("budget", "--json").json["window"] == {"tokens": 200_000, "origin": "user"}


def test_set_in_a_shared_file(cli: Cli, home: Path) -> None:
    path = home / "pyproject.toml"
    path.write_text("[tool.vademecum]\nwindow = 7_000\n\n[tool.other]\nkey = 1\n", "utf-8")
    assert cli("config", "set", "compression.threshold", "0.6", "--project").code == 0
    text = path.read_text("utf-8")
    assert text.index("[tool.vademecum.compression]\nthreshold = 0.6\n") < text.index("[tool.other]\nkey = 1\n")
    assert cli("config", "show", "preset", "--json").json["settings"][0]["value"] == "hermes"


def test_where_set_writes(cli: Cli, home: Path, user_file: Path) -> None:
    assert cli("config", "set", "window", "50K").code == 0
    assert user_file.read_text("utf-8") == "window = 50000\n"
    assert not (home / "vademecum.toml").exists()
    assert cli("config", "set", "window", "60K", "--project").code == 0
    done = cli("config", "set", "window", "70K", "--user", "--json")
    assert done.json["setting"]["value"] == 60_000
    assert f"{home / 'vademecum.toml'} has the say over it" in done.err
    assert cli("config", "set", "window", "80K").code == 0
    assert (home / "vademecum.toml").read_text("utf-8") == "window = 80000\n"
    assert user_file.read_text("utf-8") == "window = 70000\n"


def test_a_relative_path_means_the_same_file_afterwards(
    cli: Cli, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / "vademecum.toml").write_text("", "utf-8")
    (home / "deep").mkdir()
    monkeypatch.chdir(home / "deep")
    cli("config", "set", "db", "here.db")
    assert (home / "vademecum.toml").read_text("utf-8") == 'db = "deep/here.db"\n'
    cli("config", "set", "db", "there.db", "--user")
    monkeypatch.chdir(home.parent)
    assert cli("config", "show", "db", "--json").json["settings"][0]["value"] == str(home / "deep/there.db")


@pytest.mark.parametrize(
    ("args", "says", "hint"),
    [
        (("windw", "1"), "there is no setting 'windw'", "did you mean window?"),
        (("window", "many"), "window 'many': expected a token count", ""),
        (("preset", "haf"), "preset 'haf': expected one of half, agent, hermes", ""),
        (("compression.threshold", "0.6"), "contradict each other", "remove one of the two"),
        (("db", "postgresql://x"), "db 'postgresql://x': expected the path of a file", ""),
    ],
)
def test_what_would_not_load_is_not_written(
    cli: Cli, home: Path, args: tuple[str, ...], says: str, hint: str
) -> None:
    path = home / "vademecum.toml"
    path.write_text("compaction_floor = 3_000\n", "utf-8")
    cli("config", "set", *args).refused(2, says, hint)
    assert path.read_text("utf-8") == "compaction_floor = 3_000\n"
    assert [entry.name for entry in home.iterdir()] == ["vademecum.toml"]


def test_a_wrong_value_can_be_put_right(cli: Cli, home: Path) -> None:
    path = home / "vademecum.toml"
    path.write_text("window = 'many'\n", "utf-8")
    cli("config", "show").refused(2, "window is 'many'")
    assert cli("config", "set", "window", "9_000").code == 0
    assert path.read_text("utf-8") == "window = 9000\n"
