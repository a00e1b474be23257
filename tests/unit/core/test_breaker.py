"""The breaker: three attempts that do not help, then a pause until something has changed."""

from requirement import requirement
from vademecum import Archive, compact
from vademecum.core.breaker import Breaker
from vademecum.core.preset import BreakerRule
from vademecum.testing import sample

MOST_FAILURES, GROWTH = BreakerRule().failures, BreakerRule().growth


def failed(times: int, size: int = 50_000, window: int = 100_000) -> Breaker:
    breaker = Breaker()
    for _ in range(times):
        breaker = breaker.after(size, window, helped=False)
    return breaker


@requirement("C-33")
def test_three_failures_in_a_row_stop_attempts() -> None:
    assert failed(MOST_FAILURES - 1).allows(50_001, 100_000)
    assert not failed(MOST_FAILURES).allows(50_001, 100_000)
    assert failed(MOST_FAILURES).failures == MOST_FAILURES


@requirement("C-33")
def test_growth_or_a_larger_window_allows_another() -> None:
    stopped = failed(MOST_FAILURES)
    assert not stopped.allows(int(50_000 * GROWTH), 100_000)
    assert stopped.allows(int(50_000 * GROWTH) + 1, 100_000)
    assert stopped.allows(50_000, 100_001)


@requirement("C-33")
def test_success_closes_it() -> None:
    assert failed(2).after(10, 100, helped=True) == Breaker()


@requirement("C-33", "C-36")
def test_it_is_kept_with_the_session(tmp_path: object) -> None:
    archive = Archive.memory()
    session = archive.session("kept", format="openai-chat")
    stopped = {"failures": MOST_FAILURES, "size": 10**9, "window": 10**9}
    session.remember_state("breaker:main", stopped)
    rows = sample(turns=60)
    done = compact(rows, window=200_000, trigger=30_000, session=archive.existing("kept"))
    assert done.receipt.outcome == "breaker_open"
    assert list(done.messages) == rows
