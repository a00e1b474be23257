"""Images and documents before the tail become markers, in every format; what left comes back as it was."""

import base64
import gzip
import json
import re
from pathlib import Path
from typing import Any

import pytest

from requirement import requirement
from unit.core.cases import case_of, driven
from unit.core.showings import FORMATS, session
from vademecum import Archive, compact
from vademecum.core.edits import MARK
from vademecum.core.tail import choose_tail
from vademecum.core.tiers.images import images
from vademecum.wire import dialect

DATA = Path(__file__).parents[4] / "shared/data"
_ID = re.compile(r"\[vademecum: archived[^\[]*?restore (t_[a-z2-7]{10}(?:\.\d+)?)\]")


def shrunk(format: str, rows: list[dict[str, Any]], window: int = 128_000, **named: Any) -> Any:
    held = Archive.memory().session("pictures", format=format)
    return compact(rows, window=window, session=held, **named), held


@requirement("C-19")
@pytest.mark.parametrize("format", FORMATS)
def test_old_images_become_markers_and_come_back_as_they_were(format: str) -> None:
    rows = session(format)
    done, held = shrunk(format, rows, trigger=20_000, target=16_000)
    outcomes = {tier.name: tier.outcome for tier in done.receipt.tiers}
    assert outcomes["images"] == "fits"
    assert done.receipt.tokens_after <= 16_000
    sent = [dialect(format).load(row, at) for at, row in enumerate(done.messages)]
    assert dialect(format).problems(sent) == ()
    original = [dialect(format).load(row, at) for at, row in enumerate(rows)]
    wanted = {
        json.dumps(_at(message.wire, part.place), sort_keys=True)
        for message in original
        for part in message.parts
        if part.media
    }
    ids = _ID.findall("\n".join(part.text for message in sent for part in message.parts))
    assert len(ids) >= 12
    for name in ids:
        data = held.restore(name, wire=True).data
        assert json.dumps(json.loads(data), sort_keys=True) in wanted


@requirement("C-19")
@pytest.mark.parametrize("format", FORMATS)
def test_the_text_of_a_result_stays_beside_the_marker_of_its_image(format: str) -> None:
    rows = session(format)
    done, _ = shrunk(format, rows, trigger=20_000, target=16_000)
    results = [part for row in done.messages for part in dialect(format).load(row, 0).results()]
    marked = [part.text for part in results if MARK in part.text]
    assert marked
    for text in marked:
        assert re.fullmatch(
            r"canvas \d+\n\[vademecum: archived with this result: "
            r"PNG image, 900 × 7\d\d pixels, \d+ bytes; restore t_[^\]]+\]",
            text,
        )


@requirement("C-19")
@pytest.mark.parametrize("format", FORMATS)
def test_the_newest_messages_keep_their_images(format: str) -> None:
    case = case_of(format, session(format), window=64_000)
    draft = driven(choose_tail(case))
    done = driven(images(case, draft))
    marked = {index for (index, _), edit in done.edits.items() if edit.kind == "marker"}
    assert marked or done.rungs[-1].outcome == "too little"
    assert all(index < draft.cut and index != case.newest_typed for index in marked)


@requirement("C-19")
def test_a_marker_says_what_it_was() -> None:
    case = case_of("anthropic", session("anthropic"), window=128_000, target=16_000)
    done = driven(images(case, driven(choose_tail(case))))
    texts = [edit.text or "" for _, edit in sorted(done.edits.items()) if edit.kind == "marker"][:5]
    told = [re.sub(r"[\d,]+ bytes", "N bytes", text.partition("; restore")[0]) for text in texts]
    assert told == [
        f"{MARK} archived PNG image, 1,200 × 1,000 pixels, N bytes",
        f"{MARK} archived PDF document, 2 pages, N bytes",
        f'{MARK} archived text document "n0", N bytes',
        f'{MARK} archived search result document "found 0", N bytes',
        f'{MARK} archived image, only its reference "https://x.example/0.png" is archived',
    ]


@requirement("C-19")
def test_a_second_look_changes_nothing() -> None:
    case = case_of("gemini", session("gemini"), window=128_000, target=16_000)
    draft = driven(choose_tail(case))
    one, two = driven(images(case, draft)), driven(images(case, draft))
    assert one.edits == two.edits
    assert driven(images(case, one)).edits == one.edits


@requirement("C-19", "A-7")
def test_real_screenshots_leave_and_come_back() -> None:
    file = DATA / "lineages/cipherbox-sharing.jsonl.gz"
    if not file.is_file():
        pytest.skip("data: there is no ../shared/data")
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    last = max(at for at, row in enumerate(rows) if isinstance(row["content"], list))
    shots = {
        part["image_url"]["url"]
        for row in rows[: last + 1]
        if isinstance(row["content"], list)
        for part in row["content"]
        if part["type"] == "image_url"
    }
    done, held = shrunk("openai-chat", rows[: last + 40], window=400_000)
    assert done.receipt.outcome == "compacted"
    assert done.receipt.categories_before["images"] > done.receipt.categories_after["images"]
    found: set[str] = set()
    ids = [name for name in done.receipt.removed if held.restore(name).kind == "tool_result"]
    for name in ids:
        data = held.restore(name).data
        if b"image_url" in data and data.startswith(b"["):
            found |= {part["image_url"]["url"] for part in json.loads(data) if part["type"] == "image_url"}
    left = {url for url in shots if url not in json.dumps(list(done.messages))}
    assert len(shots) >= 5
    assert left
    assert left <= found
    assert all(base64.b64decode(url.partition(",")[2]).startswith(b"\x89PNG") for url in found)


def _at(wire: Any, place: tuple[str | int, ...]) -> Any:
    for key in place:
        wire = wire[key]
    return wire
