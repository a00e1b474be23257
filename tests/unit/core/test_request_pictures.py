"""A picture that the newest request shows leaves a marker beside its words when the message leaves."""

from typing import Any

import pytest

from requirement import requirement
from unit.core.cases import sent_text
from vademecum import Archive, compact
from vademecum.core.edits import MARK
from vademecum.testing import sample

URL = "data:image/png;base64," + "QUJD" * 5_000


def rows(format: str, turns: int) -> list[dict[str, Any]]:
    """A picture that is asked about, and then one long turn of work."""
    image: dict[str, Any] = {"type": "image_url", "image_url": {"url": URL}}
    if format == "anthropic":
        image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "QUJD" * 5_000}}
    asked = [{"type": "text", "text": "Make the page look like this drawing."}, image]
    work = [row for row in sample(format, turns=turns, start=1) if row["role"] != "system"]
    if format == "anthropic":
        results = [row for row in work if row["role"] == "assistant" or "tool_result" in str(row["content"])]
        return [{"role": "user", "content": asked}, *_alternating(results)]
    return [{"role": "user", "content": asked}, *(row for row in work if row["role"] != "user")]


def _alternating(found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    kept: list[dict[str, Any]] = []
    for row in found:
        if row["role"] == ("assistant" if not kept else {"user": "assistant", "assistant": "user"}[kept[-1]["role"]]):
            kept.append(row)
    return kept


@requirement("C-19", "C-27")
@pytest.mark.parametrize("format", ["openai-chat", "anthropic"])
def test_it_stays_known_cycle_after_cycle(format: str) -> None:
    session = Archive.memory().session("s", format=format)
    before = 0
    for turns in (20, 50):
        done = compact(rows(format, turns), window=16_000, session=session)
        assert done.receipt.cycle > before
        before = done.receipt.cycle
        told = sent_text(done)
        assert "QUJD" not in told
        after = told[told.index("</vademecum:carry>") :]
        assert "Make the page look like this drawing." in after
        mark = after[after.index(f"{MARK} archived PNG image") :].split("]", 1)[0]
        id = mark.rsplit("restore ", 1)[1]
        assert "QUJD" in session.restore(id).data.decode()
