"""`vademecum doctor`."""

import http.server
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from cli.conftest import Cli
from vademecum.cli.checkup import machine
from vademecum.cli.checkup.servers import servers


def lines(cli: Cli, *args: str) -> tuple[int, dict[str, dict[str, str]]]:
    done = cli("doctor", "--json", *args)
    assert done.json["ok"] == (done.code == 0)
    return done.code, {check["name"]: check for check in done.json["checks"]}


def test_a_sound_machine(cli: Cli, archive_file: Path) -> None:
    code, found = lines(cli)
    assert code == 0
    assert {check["status"] for name, check in found.items() if not name.startswith("extra")} == {"ok"}
    assert f"none yet; {archive_file}" in found["archive"]["text"]
    assert not archive_file.parent.exists(), "looking makes nothing"
    assert "FTS5" in found["sqlite"]["text"]


def test_in_words(cli: Cli) -> None:
    done = cli("doctor", "--no-color")
    assert {line[:6].strip() for line in done.text.splitlines() if not line.startswith(" ")} <= {"ok", "warn"}
    assert done.err == ""


def test_an_archive_in_use(cli: Cli, compacted: Path, archive_file: Path) -> None:
    code, found = lines(cli)
    assert (code, found["archive"]["status"]) == (0, "ok")
    assert "schema" in found["archive"]["text"]
    archive_file.chmod(0o644)
    code, found = lines(cli)
    assert (code, found["archive"]["status"]) == (0, "warn")
    assert found["archive"]["remedy"] == f"chmod 600 '{archive_file}'"


def test_a_damaged_archive(cli: Cli, compacted: Path, archive_file: Path) -> None:
    data = bytearray(archive_file.read_bytes())
    for page in range(4_096, len(data), 4_096):
        data[page : page + 200] = b"\xa5" * 200
    archive_file.write_bytes(data)
    for side in archive_file.parent.glob("*-*"):
        side.unlink()
    code, found = lines(cli)
    assert (code, found["archive"]["status"]) == (1, "fail")
    assert "damaged" in found["archive"]["text"]
    assert "backup" in found["archive"]["remedy"]


@pytest.mark.parametrize("data", [b"no database at all" * 100, b""], ids=["text", "empty"])
def test_a_file_that_is_no_archive(cli: Cli, home: Path, data: bytes) -> None:
    (home / "a.db").write_bytes(data)
    (home / "a.db").chmod(0o600)
    assert lines(cli, "--db", "a.db")[0] == (1 if data else 0)
    assert (home / "a.db").read_bytes() == data


def test_an_archive_that_cannot_be_made(cli: Cli, home: Path) -> None:
    (home / "file").write_text("", "utf-8")
    code, found = lines(cli, "--db", "file/a.db")
    assert (code, found["archive"]["status"]) == (1, "fail")


def test_wrong_settings_are_told_with_their_remedy(cli: Cli, home: Path) -> None:
    (home / "vademecum.toml").write_text("windo = 3\n", "utf-8")
    code, found = lines(cli)
    assert (code, found["settings"]["status"]) == (1, "fail")
    assert "there is no setting 'windo'" in found["settings"]["text"]
    assert found["settings"]["remedy"] == "did you mean window?"


def test_extras_are_those_of_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    def needed(name: str) -> list[str]:
        return [
            "click>=8",
            'aiohttp>=3; extra == "proxy"',
            "none-such-package<2; extra == 'mcp'",
            'ruff; extra == "dev"',
        ]

    monkeypatch.setattr(machine, "requires", needed)
    found = list(machine.extras())
    assert [(each.name, each.status) for each in found] == [("extra mcp", "warn"), ("extra proxy", "ok")]
    assert found[0].text == "not installed: none-such-package"
    assert found[0].remedy == "pip install 'vademecum[mcp]'"


@pytest.fixture
def listening() -> Iterator[int]:
    """The port of something that speaks HTTP on this machine."""

    class Quiet(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_error(404)

        def log_message(self, *args: object) -> None: ...

    server = http.server.HTTPServer(("127.0.0.1", 0), Quiet)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server.server_port
    server.shutdown()
    thread.join()
    server.server_close()


def test_servers_of_this_machine(listening: int) -> None:
    with socket.socket() as silent:  # takes connections and never answers
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        port = silent.getsockname()[1]
        found = servers({listening: "Ollama", port: "vLLM"})
        assert found.text == f"one answers on port {listening} (usually Ollama)"
        assert servers({port: "vLLM"}).text == f"none answers on {port} of this machine"
