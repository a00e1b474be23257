"""Golden plans: what a small session becomes, kept word for word.

To write them anew after a change that is meant: VADEMECUM_GOLDEN=write pytest tests/golden
"""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from requirement import requirement
from vademecum import Archive, compact
from vademecum.core.plan_data import plan_data

HERE = Path(__file__).parent
FIXTURES = HERE.parent / "fixtures"
WRITE = os.environ.get("VADEMECUM_GOLDEN") == "write"
#: Of the receipt, what says nothing about this machine.
MEASURED = ("timing", "schema")


def made(format: str) -> dict[str, Any]:
    """The plan, the receipt and the context of the second compaction of the fixture."""
    lines = (FIXTURES / f"session-{format}.jsonl").read_text("utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    session = Archive.memory().session("golden", format=format)
    compact(rows[: len(rows) * 3 // 5], window=8_000, session=session)
    done = compact(rows, window=8_000, session=session)
    assert done.plan is not None
    receipt = {key: value for key, value in done.receipt.as_dict().items() if key not in MEASURED}
    receipt["tiers"] = [{key: value for key, value in tier.items() if key != "ms"} for tier in receipt["tiers"]]
    plan = plan_data(done.plan)
    carry = {"carry": (plan.pop("carry") or "").split("\n")}
    return json.loads(json.dumps({"receipt": receipt, "plan": plan, **carry, "context": list(done.messages)}))


@requirement("C-36")
@pytest.mark.parametrize("format", ["openai-chat", "anthropic"])
def test_the_plan_is_the_golden_one(format: str) -> None:
    found = made(format)
    file = HERE / f"{format}.json"
    if WRITE:
        file.write_text(json.dumps(found, ensure_ascii=False, indent=1) + "\n", "utf-8")
    assert found == json.loads(file.read_text("utf-8"))


def test_the_golden_files_hold_a_compaction() -> None:
    for format in ("openai-chat", "anthropic"):
        held = json.loads((HERE / f"{format}.json").read_text("utf-8"))
        assert held["receipt"]["cycle"] == 2
        assert held["receipt"]["tokens_after"] < held["receipt"]["tokens_before"]
        assert held["carry"][-1] == "</vademecum:carry>"
