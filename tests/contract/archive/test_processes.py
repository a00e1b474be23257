"""Several processes on one file: nothing is lost, nobody starves, nobody is told that the file is damaged."""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from contract.archive.build import commit, compaction, filled, raws, texts_of, user
from requirement import requirement
from vademecum.archive import Archive

WRITER = Path(__file__).with_name("writer.py")


def write(path: Path, sessions: Sequence[str], count: int) -> list[str]:
    """Lets a process write to each session at the same time; the messages that they say are durable."""
    running = [
        subprocess.Popen(
            [sys.executable, WRITER, path, session, f"writer{number}", str(count)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for number, session in enumerate(sessions)
    ]
    done = [(*process.communicate(), process.returncode) for process in running]
    assert [(code, errors) for _, errors, code in done] == [(0, "")] * len(done)
    return [line for out, _, _ in done for line in out.splitlines()]


@requirement("A-3")
def test_four_writers_to_sessions_of_their_own(path: Path) -> None:
    names = [f"s{number}" for number in range(4)]
    said = write(path, names, 500)
    with Archive.open(path) as archive:
        kept = [text for name in names for text in texts_of(archive.existing(name))]
        assert sorted(kept) == sorted(said)
        assert len(kept) == 2_000
        for name, number in zip(names, range(4), strict=True):
            (hit, *_) = archive.existing(name).search(f"src/writer{number}_499.py", limit=1)
            assert f"writer{number} 499 " in hit.text
        assert archive.connection.db.execute("PRAGMA integrity_check").fetchone() == ("ok",)


@requirement("A-3")
def test_four_writers_to_one_session(path: Path) -> None:
    said = write(path, ["s"] * 4, 500)
    with Archive.open(path) as archive:
        kept = texts_of(archive.existing("s"))
        assert sorted(kept) == sorted(said)
        assert len(kept) == 2_000
        for number in range(4):  # each one's own order holds
            own = [text for text in kept if text.startswith(f"writer{number} ")]
            assert own == [text for text in said if text.startswith(f"writer{number} ")]


@requirement("A-3")
@pytest.mark.parametrize("attempt", range(4))
def test_the_first_opening_is_at_the_same_moment(path: Path, attempt: int) -> None:
    assert len(write(path, [f"s{number}" for number in range(8)], 1)) == 8


@requirement("A-2", "A-3")
def test_a_reader_sees_a_whole_context_while_others_write(path: Path) -> None:
    with Archive.open(path) as writer, Archive.open(path) as reader:
        session = filled(writer, *[user(f"m{number}") for number in range(20)])
        watching = reader.existing("s")
        for cycle in range(1, 15):
            carry = f'{{"role":"user","content":"carry {cycle}"}}'.encode()
            assert commit(session, compaction(session, cycle, cycle=cycle, carry=carry))
            assert watching.context() == [carry, *raws(session)[cycle:]]
