"""Two processes that make the same run write the same bytes, also where secrets are marked in what they quote."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from requirement import requirement
from unit.bench.talk import rows
from vademecum.archive import Archive
from vademecum.redaction.mark import MARK

RUN = ("--tokens", "30000", "--window", "20000", "--target", "5000", "--probes", "20", "--jobs", "1")
ARMS = ("--arm", "vademecum", "--arm", "recency", "--arm", "nothing")


def talk(path: Path) -> Path:
    """A transcript in which every tool's output has a token."""
    held = rows(85)
    for number, row in enumerate(held):
        if row["role"] == "tool":
            row["content"] = f"export DEPLOY_TOKEN=ghp_{number:04}{'a1B2c3D4' * 4}\n{row['content']}"
        if row["role"] == "user":
            row["content"] = f"{row['content']} My password is hunter{number}secretive!"
    path.write_text("".join(json.dumps(row) + "\n" for row in held), "utf-8")
    return path


def made(folder: Path, *words: str | Path, hash_seed: str) -> dict[str, bytes]:
    """What a process of its own writes into a folder, times left out."""
    environ = {**os.environ, "PYTHONHASHSEED": hash_seed}
    command = [sys.executable, "-m", "vademecum", *map(str, words), "-o", str(folder), "-q"]
    subprocess.run(command, check=True, env=environ, cwd=folder.parent, capture_output=True, timeout=120)
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.name.endswith(".timing.json")
    }


@requirement("B-11")
def test_two_processes_give_the_same_bytes_for_results_with_evidence(tmp_path: Path) -> None:
    log = talk(tmp_path / "talk.jsonl")
    one, other = (made(tmp_path / seed, "bench", "run", log, *RUN, *ARMS, hash_seed=seed) for seed in ("1", "2"))
    assert [name for name in one if one[name] != other.get(name)] == []
    assert one.keys() == other.keys()
    assert MARK.search(one["talk/found.jsonl"].decode()), "there are marks of secrets in what searches bring"
    assert MARK.search(one["talk/vademecum.json"].decode()), "and in what answers go by"


@requirement("B-11")
def test_marks_are_as_the_salt_is() -> None:
    text = "my token is ghp_" + "a1B2c3D4" * 4

    def mark(salt: bytes, *, index: bool = True) -> str:
        with Archive.memory() as archive:
            archive.hide_in_index(index)
            archive.key_marks(salt)
            assert archive.hiding.index is index
            return archive.redactor(text)

    assert mark(b"one") == mark(b"one", index=False) != mark(b"two")
    with Archive.memory() as archive:
        assert archive.redactor(text) != mark(b"one")
