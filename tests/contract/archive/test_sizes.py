"""The size of a session, whatever was appended to it, branched off or removed."""

from pathlib import Path

import pytest

from contract.archive.build import append, filled, ids_of, user
from requirement import requirement
from vademecum.archive import Archive


def counted(archive: Archive, session: str) -> int:
    return sum(message.tokens for message in archive.existing(session).stored())


def listed(archive: Archive, session: str) -> int:
    (found,) = [info.tokens for info in archive.sessions() if info.id == session]
    return found


@requirement("A-1", "A-10")
@pytest.mark.parametrize("count", [0, 1, 1_023, 1_024, 1_025, 2_500])
def test_the_size_is_the_sum_of_the_messages(path: Path, count: int) -> None:
    with Archive.open(path) as archive:
        filled(archive, *[user(f"row {number}") for number in range(3)], id="other")
        session = filled(archive, *[user(f"row {number}") for number in range(count)])
        assert listed(archive, "s") == counted(archive, "s") == session.tokens()
        for start in (0, 1, 700, 1_024, 2_047, 2_499):
            assert session.tokens(start) == sum(message.tokens for message in session.stored(start))


@requirement("A-1")
def test_a_branch_has_what_it_shares_and_its_own(path: Path) -> None:
    with Archive.open(path) as archive:
        session = filled(archive, *[user(f"row {number}") for number in range(1_500)])
        session.branch(1_100)
        append(session, *[user(f"another row {number}") for number in range(40)])
        assert listed(archive, "s") == counted(archive, "s") == session.tokens()


@requirement("A-9")
def test_what_is_purged_or_removed_counts_no_more(path: Path) -> None:
    with Archive.open(path) as archive:
        session = filled(archive, *[user(f"row {number} " + "word " * 60) for number in range(1_030)])
        filled(archive, user("stays"), id="other")
        before = listed(archive, "s")
        archive.purge(ids_of(session)[3])
        assert listed(archive, "s") == counted(archive, "s") == before
        archive.connection.db.execute("UPDATE messages SET tokens = tokens - 4 WHERE role = 'user' AND id % 7 = 0")
        assert listed(archive, "s") == counted(archive, "s") < before
        archive.remove("s")
        assert listed(archive, "other") == counted(archive, "other")
