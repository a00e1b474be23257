"""`vademecum models`, and `--model` where a window is needed."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from cli.conftest import Cli
from requirement import requirement
from vademecum import Compactor
from vademecum.archive import Archive
from vademecum.core.windows import Told
from vademecum.testing import sample


@requirement("M-2", "M-4")
def test_the_window_of_a_model(cli: Cli, log: Path) -> None:
    model = ("--model", "anthropic:claude-3-5-haiku-20241022")
    for found in (cli("budget", *model, "--json").json, cli("context", log, *model, "--json").json):
        assert found["window"] == {"tokens": 200_000, "origin": "catalog"}
    done = cli("compact", log, *model, "--trigger", "10K", "-o", "out.jsonl", "--json")
    assert done.json["window"] == {"tokens": 200_000, "origin": "catalog"}
    assert done.err == ""


@requirement("M-2")
def test_what_the_user_says_goes_before_the_catalog(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VADEMECUM_MODEL", "openai:gpt-4.1")
    assert cli("budget", "--json").json["window"] == {"tokens": 1_047_576, "origin": "catalog"}
    assert cli("budget", "--window", "50K", "--json").json["window"] == {"tokens": 50_000, "origin": "user"}


@requirement("M-2")
def test_a_model_that_is_not_known(cli: Cli) -> None:
    done = cli("budget", "--model", "ollama:qwen3:8b", "--json")
    assert done.json["window"] == {"tokens": 32_000, "origin": "default"}
    assert "the window of ollama:qwen3:8b is not known" in done.err
    assert "32,000 tokens are taken" in done.err
    assert "did you mean" in cli("budget", "--model", "anthropic:claude-sonet-4-5").err
    assert cli("budget", "--model", "none", "-q").err == ""


@requirement("M-4")
def test_a_file_of_ones_own(cli: Cli, home: Path) -> None:
    (home / "models.toml").write_text('["qwen3:8b"]\nwindow = 40_960\n', "utf-8")
    assert cli("config", "set", "catalog", "models.toml", "--project").code == 0
    assert cli("budget", "--model", "ollama:qwen3:8b", "--json").json["window"] == {
        "tokens": 40_960,
        "origin": "catalog",
    }
    assert cli("models", "show", "qwen3:8b", "--json").json["model"]["source"] == str(home / "models.toml")
    (home / "models.toml").write_text("[m]\nwindw = 1\n", "utf-8")
    cli("budget", "--model", "m").refused(2, "m has no key 'windw'", "did you mean window?")


def test_list(cli: Cli) -> None:
    found = cli("models", "list", "haiku", "--provider", "anthropic", "--json").json
    assert {model["provider"] for model in found["models"]} == {"anthropic"}
    assert found["models"][0]["window"] == 200_000
    done = cli("models", "list")
    assert len(done.text.splitlines()) == 41
    assert done.text.splitlines()[1].startswith("anthropic:")
    assert "more; say what they are called" in done.err
    assert (cli("models", "list", "none-such").code, cli("models", "list", "none-such", "--json").code) == (1, 1)


def test_a_model_by_flag_goes_before_a_window_in_a_file(cli: Cli) -> None:
    cli("config", "set", "window", "64K", "--user")
    assert cli("budget", "--model", "gpt-4.1", "--json").json["window"] == {"tokens": 1_047_576, "origin": "catalog"}
    unknown = cli("budget", "--model", "none-such-at-all", "--json")
    assert unknown.json["window"] == {"tokens": 64_000, "origin": "user"}
    assert "the window of none-such-at-all is not known" in unknown.err
    both = cli("budget", "--model", "gpt-4.1", "--window", "32K", "--json")
    assert both.json["window"] == {"tokens": 32_000, "origin": "user"}


def test_show(cli: Cli) -> None:
    rows = dict(line.split(maxsplit=1) for line in cli("models", "show", "gpt-4.1").text.splitlines())
    assert (rows["model"], rows["window"]) == ("openai:gpt-4.1", "1,047,576 (catalog)")
    assert (rows["output"], rows["trigger"]) == ("32,768 (catalog)", "128,000 (preset half)")
    unknown = cli("models", "show", "claude-sonet-4-5", "--json")
    assert (unknown.code, unknown.json["model"]) == (1, None)
    assert "claude-sonnet-4-5" in unknown.json["near"]
    assert (cli("models", "show", "none-such-at-all").code, cli("models", "show", "none-such-at-all").out) == (1, b"")


@contextmanager
def server(said: dict[str, object]) -> Iterator[str]:
    """A server of models on this machine that has these paths."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found = said.get(self.path)
            data = json.dumps(found).encode()
            self.send_response(200 if found is not None else 404)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as running:
        thread = threading.Thread(target=running.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{running.server_port}"
        finally:
            running.shutdown()
            thread.join()


LISTED = {"data": [{"id": "m", "max_model_len": 6_000}, {"id": "n", "context_length": 131_072}, {"id": "o"}]}


@requirement("M-2", "M-3")
def test_probe(cli: Cli) -> None:
    with server({"/v1/models": LISTED}) as url:
        found = cli("models", "probe", "--url", f"{url}/v1", "--json").json
        rows = cli("models", "probe", "--url", url, "--model", "m").text.splitlines()
    assert [(each["model"], each["window"], each["trigger_tokens"]) for each in found["models"]] == [
        ("m", {"tokens": 6_000, "origin": "probed"}, 2_000),
        ("n", {"tokens": 131_072, "origin": "probed"}, 65_536),
        ("o", {"tokens": 32_000, "origin": "default"}, 16_000),
    ]
    assert rows[1].split()[:5] == [url, "m", "6,000", "-", "2,000"]
    # The answers are kept: what runs there is known without asking again.
    known = cli("budget", "--model", f"{url}#m", "--json").json
    assert known["window"] == {"tokens": 6_000, "origin": "probed"}
    shown = dict(line.split(maxsplit=1) for line in cli("models", "show", f"{url}#m").text.splitlines())
    assert shown["window"] == "6,000 (probed)"
    assert shown["trigger"].startswith("2,000 ")
    assert "GET /v1/models" in shown["probed"]
    listed = cli("models", "list", "127.0.0.1", "--json").json
    assert {each["name"]: each["window"]["tokens"] for each in listed["served"]} == {
        f"{url}#m": 6_000,
        f"{url}#n": 131_072,
    }
    assert f"{url}#m  6,000 (probed)" in cli("models", "list", "127.0.0.1").text


@requirement("M-3")
def test_probe_of_servers_that_say_nothing(cli: Cli) -> None:
    with server({"/v1/models": {"data": [{"id": "o"}]}}) as url:
        done = cli("models", "probe", "--url", url)
        assert (done.code, "nothing of its window" in done.text) == (1, True)
    gone = cli("models", "probe", "--url", url, "--json")
    assert (gone.code, gone.json["models"]) == (1, [])
    assert "no server answers" in gone.err
    cli("models", "probe", "--url", "localhost").refused(2, "is no URL")
    cli("models", "probe", "--url", url, "--key", "NO_SUCH_VARIABLE").refused(2, "has no NO_SUCH_VARIABLE")


@requirement("M-2", "M-6")
def test_what_was_learned_from_an_error_counts_everywhere(cli: Cli, log: Path) -> None:
    here = "https://api.anthropic.com"
    with Archive.open("here.db") as archive:
        archive.windows.remember(here, "claude-3-5-haiku-20241022", Told(100_000, "learned", "an error", 9.0))
    model = ("--model", "anthropic:claude-3-5-haiku-20241022", "--db", "here.db")
    for given in (model, (*model, "--window", "150K")):
        assert cli("budget", *given, "--json").json["window"] == {"tokens": 100_000, "origin": "learned"}
    assert cli("budget", *model, "--window", "50K", "--json").json["window"]["origin"] == "user"
    shown = cli("models", "show", model[1], "--db", "here.db", "--json").json
    assert (shown["window"], shown["trigger_tokens"]) == ({"tokens": 100_000, "origin": "learned"}, 50_000)
    assert [source["origin"] for source in shown["sources"]] == ["learned", "catalog"]


@requirement("M-4", "C-8")
def test_context_has_the_model_s_output_and_price(cli: Cli, log: Path) -> None:
    found = cli("context", log, "--model", "openai:gpt-4.1", "--json").json["model"]
    assert found["max_output"] == {"tokens": 32_768, "origin": "catalog"}
    assert (found["input_usd"], found["source"]) == (2.0, "catalog")
    lines = cli("context", log, "--model", "openai:gpt-4.1").text.splitlines()
    assert any(line.startswith("output") and "32,768" in line and "(catalog)" in line for line in lines)
    assert any(line.startswith("price") and "(catalog)" in line for line in lines)
    assert cli("context", log, "--window", "32K", "--json").json["model"] is None


@requirement("M-2", "M-5", "C-5")
def test_an_output_cap_that_was_learned_is_shown(cli: Cli, home: Path) -> None:
    with Archive.open("here.db") as archive:
        told = Told(None, "learned", "an error of the endpoint", 1.0, max_output=16_384)
        archive.windows.remember("https://api.openai.com", "gpt-4.1", told)
    shown = dict(
        line.split(maxsplit=1)
        for line in cli("--db", "here.db", "models", "show", "openai:gpt-4.1").text.splitlines()
    )
    assert shown["output"] == "16,384 (learned)"
    assert shown["window"] == "1,047,576 (catalog)"
    assert shown["learned"].startswith("nothing of the window by an error of the endpoint")


@requirement("M-2", "C-8")
def test_context_shows_the_window_of_the_model_that_a_session_runs_on(cli: Cli) -> None:
    with (
        server({"/props": {"default_generation_settings": {"n_ctx": 65_536}}}) as url,
        Archive.open("here.db") as archive,
    ):
        compactor = Compactor(model=f"{url}#own", session=archive.session("s"))
        while compactor.fit(sample(turns=2)).receipt.window.origin != "probed":
            pass
    found = cli("--db", "here.db", "context", "s", "--json").json
    assert found["window"] == {"tokens": 65_536, "origin": "probed"}
    assert (found["trigger_tokens"], found["model"]["name"]) == (32_768, f"{url}#own")
    assert cli("--db", "here.db", "context", "s", "--window", "9K", "--json").json["window"] == {
        "tokens": 9_000,
        "origin": "user",
    }
