"""A session that another process removes, or purges, while its caller goes on."""

from pathlib import Path

import pytest

from requirement import requirement
from vademecum import Archive, Compactor
from vademecum.testing import sample

ROWS = sample(turns=40)


@requirement("A-9", "C-35")
@pytest.mark.parametrize("made_again", [False, True])
def test_a_removed_session_begins_anew(tmp_path: Path, made_again: bool) -> None:
    path = tmp_path / "sessions.db"
    with Archive.open(path) as archive, Archive.open(path) as other:
        compactor = Compactor(window=8_000, session=archive.session("s", format="openai-chat"))
        first = compactor.fit(ROWS[:-1])
        assert first.receipt.cycle == 1
        late = compactor.sent
        other.remove("s")
        if made_again:
            other.session("s", format="openai-chat")
        done = compactor.fit(ROWS)
        assert (done.receipt.outcome, done.receipt.cycle) == ("compacted", 1)
        assert len(other.existing("s")) == len(ROWS)
        usage = compactor.observe({"usage": {"prompt_tokens": done.receipt.tokens_after}})
        assert usage is not None
        compactor.take_usage(usage, late)  # a reply to a request of before
        again = compactor.fit([*ROWS, {"role": "user", "content": "go on"}])
        assert again.receipt.outcome == "nothing_needed"
        assert list(again.messages)[:-1] == list(done.messages)
        assert other.verify() == []


@requirement("A-9")
def test_a_removed_session_is_asked_for_nothing_it_had(tmp_path: Path) -> None:
    with Archive.open(tmp_path / "sessions.db") as archive:
        compactor = Compactor(window=8_000, session=archive.session("s", format="openai-chat"))
        compactor.fit(ROWS)
        archive.remove("s")
        compactor.take_in(ROWS)
        assert len(archive.existing("s")) == len(ROWS)
        assert archive.existing("s").compaction() is None
