"""500,000 tokens of real work in every format become 40,000, valid for the strictest consumer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from clients.judging import ours
from contract.wire.convert import FORMATS, converted
from e2e.conftest import PREFIX, TARGET, WINDOW
from e2e.lineages import BENCH, prefix, rows_of
from requirement import requirement
from vademecum import compact
from vademecum.core.text import clean
from vademecum.wire import dialect


@pytest.fixture(scope="module")
def rows(data_folder: Path) -> list[dict[str, Any]]:
    return prefix(rows_of(data_folder, BENCH[0]), PREFIX)


@requirement("I1", "C-6", "C-29")
@pytest.mark.parametrize("format", FORMATS)
def test_a_bench_lineage_fits_in_every_format(rows: list[dict[str, Any]], format: str) -> None:
    chosen, wires = dialect(format), converted(rows, format)
    done = compact(wires, window=WINDOW, target=TARGET, format=format)
    raw = [chosen.load(row, index) for index, row in enumerate(wires)]
    sent = [chosen.load(row, index) for index, row in enumerate(done.messages)]
    print(f"\n{format}: {len(raw)} messages, {done.receipt.tokens_before:,} → {done.receipt.tokens_after:,}")
    assert done.receipt.outcome == "compacted"
    assert done.receipt.tokens_after <= TARGET
    assert ours(chosen, sent, raw) == []
    newest = next(message for message in reversed(raw) if message.typed)
    there = [part.text for message in sent for part in message.parts]
    assert all(any(clean(part.text) in held for held in there) for part in newest.parts if part.typed)
