"""What providers reported for calls, and what compactions have saved."""

import json

from contract.archive.build import append, assistant, calling, filled, result, user
from requirement import requirement
from vademecum.archive import Archive, ModelUsage, Piece, Savings, Session, StoredCompaction
from vademecum.wire.usage import Usage


@requirement("M-9")
def test_usage_is_added_up_by_model(archive: Archive) -> None:
    session, other = filled(archive, user("a")), archive.session("other")
    session.record_usage(Usage(100, 60, 7, "m", 30, 5), cycle=0, at=1.0)
    session.record_usage(Usage(200, 150, 8, "m"), cycle=1, at=2.0)
    session.record_usage(Usage(50, model="small"), cycle=1, at=3.0, kind="summary")
    other.record_usage(Usage(1), cycle=0, at=4.0)
    assert session.usage() == (
        ModelUsage("m", 2, 300, 210, 30, 15, 5),
        ModelUsage("small", 1, 50, 0, 0, 0, 0, "summary"),
    )
    assert other.usage() == (ModelUsage("", 1, 1, 0, 0, 0, 0),)
    stranger = Archive(archive.connection, "key")
    assert stranger.session("s").usage() == ()


def test_usage_goes_with_its_session(archive: Archive) -> None:
    session, other = filled(archive, user("a")), archive.session("other")
    for each in (session, other):
        each.record_usage(Usage(100, model="m"), cycle=0, at=1.0)
    archive.remove("s")
    assert filled(archive, user("a")).usage() == ()
    assert len(other.usage()) == 1


def compacted(session: Session, before: int, after: int) -> None:
    """Commits a compaction of everything so far that freed so much."""
    standing = session.compaction()
    receipt = json.dumps({"tokens_before": before, "tokens_after": after})
    cycle = 1 if standing is None else standing.cycle + 1
    pieces = (Piece(-1, -1, b'{"role":"user","content":"carry"}'),)
    size = len(session)
    made = StoredCompaction(
        cycle, size, size, size, after, pieces, "", receipt, 0 if standing is None else standing.id
    )
    assert session.commit(made, expected=made.id)


def round_of(tag: str) -> list[dict]:
    """A round of two calls of the model."""
    return [
        user(tag),
        calling(f"c{tag}", "Bash", {}),
        result(f"c{tag}", "ok"),
        assistant("done"),
        assistant("and more"),
    ]


def test_savings_are_what_each_call_did_not_have_to_be_sent(archive: Archive) -> None:
    session = filled(archive, *round_of("1"))
    assert session.savings() == Savings(0, 0)
    compacted(session, 1_000, 300)
    assert session.savings() == Savings(0, 0), "no call was made yet"
    append(session, *round_of("2"))
    assert session.savings() == Savings(2, 2 * 700)
    compacted(session, 900, 400)
    append(session, *round_of("3"), *round_of("4"))
    assert session.savings() == Savings(6, 2 * 700 + 4 * (700 + 500))


def test_savings_of_a_branch_are_those_before_it_and_its_own(archive: Archive) -> None:
    session = filled(archive, *round_of("1"))
    compacted(session, 1_000, 300)
    append(session, *round_of("2"))
    archive.fork(session.run, 10, "fork")
    append(session, *round_of("3"))
    fork = archive.existing("fork")
    append(fork, user("other"), assistant("way"))
    assert session.savings() == Savings(4, 4 * 700)
    assert fork.savings() == Savings(3, 3 * 700)


def test_what_was_undone_has_saved_nothing(archive: Archive) -> None:
    session = filled(archive, *round_of("1"))
    compacted(session, 1_000, 300)
    append(session, *round_of("2"))
    session.undo()
    assert session.savings() == Savings(0, 0)
