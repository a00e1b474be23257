"""What `vademecum sessions` says about savings and costs."""

from pathlib import Path

import pytest

from cli.conftest import Cli
from cli.transcripts import chat, jsonl
from requirement import requirement
from vademecum.archive import Archive
from vademecum.wire.usage import Usage


@pytest.fixture
def going_on(cli: Cli, home: Path, log: Path) -> dict:
    """The receipt of the session `nightly`, which went on for some rounds after its compaction."""
    options = ("--window", "32K", "-o", "out.jsonl", "--json")
    receipt = cli("compact", log, *options, "--session", "nightly").json
    cli("compact", log, *options, "--session", "again")
    cli("compact", jsonl(home / "grown.jsonl", chat(33)), *options, "--session", "nightly")
    return receipt


def replies(rounds: int) -> int:
    rows = chat(rounds)
    return sum(1 for at, row in enumerate(rows) if row["role"] == "assistant" and rows[at - 1]["role"] != "assistant")


def test_tokens_that_were_not_sent_again(cli: Cli, going_on: dict) -> None:
    found = {row["id"]: row for row in cli("sessions", "--json").json["sessions"]}
    freed = going_on["tokens_before"] - going_on["tokens_after"]
    assert found["again"]["saved_tokens"] == 0
    assert found["nightly"]["saved_tokens"] == (replies(33) - replies(30)) * freed
    assert found["nightly"]["saved_usd"] is found["nightly"]["cached_ratio"] is None
    rows = {line.split()[0]: line.split() for line in cli("sessions").text.splitlines()}
    assert rows["nightly"][4:7] == [f"{found['nightly']['saved_tokens']:,}", "-", "-"]


@requirement("M-9")
def test_money_where_the_price_is_known(cli: Cli, going_on: dict, archive_file: Path) -> None:
    with Archive.open(archive_file) as archive:
        usage = Usage(10_000, 7_500, 100, "claude-sonnet-4-5-20250929", 1_000, 40)
        archive.existing("nightly").record_usage(usage, cycle=1, at=1.0)
        archive.existing("again").record_usage(Usage(10, model="none-such"), cycle=1, at=1.0)
    shown = cli("sessions", "show", "nightly", "--json").json
    assert shown["cached_ratio"] == 0.75
    cost = (1_500 * 3 + 7_500 * 0.3 + 1_000 * 3.75 + 100 * 15) / 1e6
    assert shown["spent_usd"] == shown["usage"][0]["cost_usd"] == pytest.approx(cost)
    worth = shown["saved_tokens"] * (0.25 * 3 + 0.75 * 0.3) / 1e6
    assert shown["saved_usd"] == pytest.approx(worth, rel=1e-4)
    assert shown["usage"][0]["reasoning_tokens"] == 40
    words = cli("sessions", "show", "nightly").text
    assert f"{shown['saved_tokens']:,} input tokens in {shown['compacted_calls']} calls" in words
    assert "75 % of the input" in words
    assert "claude-sonnet-4-5-20250929" in words
    unknown = cli("sessions", "show", "again", "--json").json
    assert (unknown["saved_usd"], unknown["spent_usd"], unknown["usage"][0]["cost_usd"]) == (None, None, None)


def test_show_of_what_is_not_there(cli: Cli, compacted: Path) -> None:
    cli("sessions", "show", "nigtly").refused(1, "no session 'nigtly' in the archive", "did you mean nightly?")
