"""Asks models until nothing is pending: the same state machine that batch files drive."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from itertools import islice

from vademecum.bench.calls.request import Call, Role
from vademecum.bench.calls.store import Ask, Given
from vademecum.bench.interview.interview import Interview, Taken

#: So many requests are in memory at a time, and their answers are written together.
_TOGETHER = 32


def drive(
    interview: Interview,
    models: Mapping[Role, Ask],
    *,
    threads: int = 1,
    note: Callable[[str, int, int], None] | None = None,
) -> Taken:
    """Asks until nothing is pending that these models are for, each request once.

    What brings no text is left pending for another time; what was answered is kept if it breaks off.

    Args:
        interview: The run's.
        models: Role → what answers for it.
        threads: How many requests are on their way at a time.
        note: Told of each stretch that is done.

    Raises:
        ModelError: A model does not answer at all.
    """
    total, sent = Taken(), set[str]()
    with ThreadPoolExecutor(threads) as pool:
        while stretch := list(islice(_calls(interview, models, sent), _TOGETHER)):
            sent.update(call.id for call in stretch)
            futures = [pool.submit(_asked, models, call) for call in stretch]
            wait(futures, return_when=FIRST_EXCEPTION)
            for future in futures:
                future.cancel()
            wait(futures)
            ended = [future for future in futures if not future.cancelled()]
            taken = interview.take(future.result() for future in ended if future.exception() is None)
            total.taken += taken.taken
            total.faults.update(taken.faults)
            for future in ended:
                future.result()
            if note is not None:
                note("answers", len(sent), len(sent))
    return total


def _asked(models: Mapping[Role, Ask], call: Call) -> Given:
    return models[call.role](call.make())


def _calls(interview: Interview, models: Mapping[Role, Ask], sent: set[str]) -> Iterator[Call]:
    return (call for call in interview.calls() if call.role in models and call.id not in sent)
