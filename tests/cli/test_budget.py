"""`vademecum budget` and `vademecum context`."""

from pathlib import Path

import pytest

from cli.conftest import Cli
from cli.transcripts import blocks, body, chat, jsonl
from requirement import requirement

#: C-2: window → the trigger without an output limit, and with any of the four.
TABLE = {
    4_000: (2_000, 2_000),
    4_096: (2_000, 2_048),
    8_000: (2_000, 4_000),
    8_192: (2_000, 4_096),
    16_000: (7_808, 8_000),
    32_000: (16_000, 16_000),
    128_000: (64_000, 64_000),
    131_072: (65_536, 65_536),
    196_608: (98_304, 98_304),
    200_000: (100_000, 100_000),
    **dict.fromkeys((256_000, 262_144, 272_000, 512_000, 1_000_000, 1_048_576, 2_000_000), (128_000, 128_000)),
}


@requirement("C-1", "C-2")
@pytest.mark.parametrize("window", TABLE)
def test_the_table_of_triggers(cli: Cli, window: int) -> None:
    unset, given = TABLE[window]
    assert cli("budget", "--window", window, "--json").json["trigger_tokens"] == unset
    for limit in ("8K", "64K", "256K", "500K"):
        found = cli("budget", "--window", window, "--max-output", limit, "--json").json
        assert found["trigger_tokens"] == given, limit


@requirement("C-2", "C-5")
def test_a_large_output_limit_does_not_eat_the_input(cli: Cli) -> None:
    found = cli("budget", "--window", "272K", "--max-output", "256K", "--measured", "128K", "--json").json
    assert found["trigger_tokens"] == 128_000
    assert found["limits"] == {"max_tokens": 272_000 - 128_000 - 1_000}


@requirement("C-5")
def test_an_unset_output_limit_stays_unset(cli: Cli) -> None:
    found = cli("budget", "--window", "272K", "--measured", "128K", "--json").json
    assert (found["max_output"], found["limits"]) == (None, {})


@requirement("C-5")
@pytest.mark.parametrize(
    ("format", "key"),
    [
        ("openai-chat", "max_tokens"),
        ("openai-responses", "max_output_tokens"),
        ("anthropic", "max_tokens"),
        ("gemini", "maxOutputTokens"),
        ("ollama", "num_predict"),
    ],
)
def test_the_limit_has_the_name_that_its_format_gives_it(cli: Cli, format: str, key: str) -> None:
    args = ("budget", "--window", "200K", "--max-output", "8K", "--format", format)
    assert cli(*args, "--json").json["limits"] == {key: 8_000}
    assert f"{key} to ask for" in cli(*args).text


@requirement("C-3")
def test_a_tiny_window_acts_below_its_published_trigger(cli: Cli) -> None:
    found = cli("budget", "--window", "2000", "--json").json
    assert found["trigger_tokens"] == 2_000
    assert found["acting_trigger_tokens"] == 2_000 - 40 - 256
    assert "the window leaves no more" in cli("budget", "--window", "2000").text


@requirement("C-4")
@pytest.mark.parametrize(
    ("args", "trigger", "binding"),
    [
        (("--window", "200K"), 100_000, "fraction"),
        (("--window", "16K"), 7_808, "room"),
        (("--window", "4000"), 2_000, "floor"),
        (("--window", "200K", "--trigger", "90K"), 90_000, "override"),
        (("--window", "200K", "--preset", "hermes"), 150_000, "fraction"),
        (("--window", "1M", "--preset", "hermes"), 256_000, "room"),
        (("--window", "200K", "--preset", "agent"), 100_000, "fraction"),
    ],
)
def test_what_bound_the_trigger_is_named(cli: Cli, args: tuple[str, ...], trigger: int, binding: str) -> None:
    found = cli("budget", *args, "--json").json
    assert (found["trigger_tokens"], found["binding"]) == (trigger, binding)


@requirement("C-6")
@pytest.mark.parametrize(
    ("target", "tokens"), [("0.4", 40_000), ("0.25", 25_000), ("40000", 40_000), ("30K", 30_000)]
)
def test_a_target(cli: Cli, target: str, tokens: int) -> None:
    assert cli("budget", "--window", "200K", "--target", target, "--json").json["target_tokens"] == tokens


def test_a_person_reads_a_table(cli: Cli) -> None:
    done = cli("budget", "--window", "128K", "--measured", "90K", "--max-output", "64K")
    assert [line.split()[:2] for line in done.text.splitlines()] == [
        ["window", "128,000"],
        ["trigger", "64,000"],
        ["target", "25,600"],
        ["output", "37,000"],
    ]
    assert done.err == ""


@pytest.mark.parametrize(
    ("args", "says"),
    [
        ((), "the window is not known"),
        (("--window", "zero"), "--window is 'zero', expected a token count"),
        (("--window", "64"), "window 64 is not within 128 and 10,000,000"),
        (("--window", "200K", "--measured", "many"), "--measured 'many' is not a token count"),
        (("--window", "200K", "--measured", "-1"), "--measured '-1' is not a token count"),
        (("--window", "200K", "--target", "150K"), "target 150,000 is above the trigger 100,000"),
        (("--window", "200K", "--trigger", "300K"), "trigger 300,000 is not within"),
        (("--window", "200K", "--max-output", "lots"), "--max-output is 'lots'"),
        (("--window", "200K", "--preset", "haf"), "--preset is 'haf', expected one of half, agent, hermes"),
        (("--window", "200K", "--format", "xml"), "'xml' is not one of 'openai-chat', 'openai-responses'"),
        (("--window", "200K", "extra"), "unexpected extra argument"),
        (("--windw", "200K"), "No such option '--windw'"),
    ],
)
def test_what_is_wrong_is_refused(cli: Cli, args: tuple[str, ...], says: str) -> None:
    cli("budget", *args).refused(2, says)


def test_settings_reach_it_and_flags_win(cli: Cli, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (home / "vademecum.toml").write_text("window = 100_000\n", "utf-8")
    assert cli("budget", "--json").json["trigger_tokens"] == 50_000
    monkeypatch.setenv("VADEMECUM_WINDOW", "60K")
    assert cli("budget", "--json").json["trigger_tokens"] == 30_000
    assert cli("budget", "--window", "40K", "--json").json["trigger_tokens"] == 20_000
    monkeypatch.setenv("VADEMECUM_WINDO", "60K")
    cli("budget").refused(2, "VADEMECUM_WINDO", "did you mean VADEMECUM_WINDOW?")


@requirement("C-8")
def test_context_of_a_file(cli: Cli, log: Path) -> None:
    found = cli("context", log, "--window", "200K", "--json").json
    assert found["measured"]["tokens"] == sum(found["categories"].values())
    assert found["measured"]["origin"] == "counted"
    assert found["window"] == {"tokens": 200_000, "origin": "user"}
    assert found["overhead_tokens"] == found["floor_tokens"] == found["categories"]["system"]
    assert found["categories"]["carry"] == 0


@requirement("C-8")
def test_context_of_a_session(cli: Cli, log: Path) -> None:
    receipt = cli("compact", log, "--window", "32K", "--session", "nightly", "-o", "out.jsonl", "--json").json
    found = cli("context", "nightly", "--json").json
    assert found["measured"]["tokens"] == found["floor_tokens"] == receipt["tokens_after"]
    assert found["categories"] == receipt["categories_after"]
    assert found["window"]["origin"] == "default"
    assert cli("context", "--json").json == found, "the only session is the one that was used last"
    assert cli("context", "out.jsonl", "--json").json["measured"] == found["measured"]


def test_context_counts_what_stands_outside_the_messages(cli: Cli, home: Path) -> None:
    tools = [{"name": "shell", "input_schema": {"type": "object", "properties": {"command": {"type": "string"}}}}]
    whole = body(home / "body.json", blocks(2), system="You keep a build running.", tools=tools)
    found = cli("context", whole, "--json").json["categories"]
    assert found["system"] > 0
    assert found["tools"] > 0


def test_context_reads_standard_input(cli: Cli, log: Path, feed) -> None:
    expected = cli("context", log, "--json").out
    feed(log.read_bytes())
    assert cli("context", "-", "--json").out == expected


def test_context_in_words(cli: Cli, home: Path) -> None:
    text = cli("context", jsonl(home / "small.jsonl", chat(3)), "--window", "200K").text
    assert "measured" in text
    assert "% of the trigger" in text
    assert "(user)" in text


def test_context_of_what_is_not_there(cli: Cli, compacted: Path) -> None:
    cli("context", "nigtly").refused(1, "no session 'nigtly' in the archive", "did you mean nightly?")


def test_context_of_no_archive(cli: Cli, archive_file: Path) -> None:
    done = cli("context")
    assert (done.code, done.out) == (2, b"")
    assert f"there is no archive at {archive_file} yet" in done.err
    assert "error: the archive has no session yet\nhint: vademecum compact FILE makes one\n" in done.err
    assert not archive_file.exists()
