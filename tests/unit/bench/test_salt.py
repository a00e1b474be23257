"""A further pass over a lineage says the same with other identifiers."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from requirement import requirement
from unit.bench.talk import lineage
from vademecum.bench.passages import reading_of
from vademecum.bench.shapes import identifiers
from vademecum.bench.simulation.pool import Pool
from vademecum.bench.simulation.salt import namer, renamer

NAMES = [
    ("url", "https://example.org/a/b2"),
    ("commit", "1a2b3c4d"),
    ("error", "E1234"),
    ("error", "ENOENT"),
    ("error", "0x1f2e"),
    ("error", "ValueError"),
    ("id", "run-01ab"),
    ("path", "src/made/cli.go:12"),
    ("path", "cmd/tool"),
    ("config_key", "MAX_RETRIES"),
    ("config_key", "server.retry.limit"),
    ("config_key", "max_retry_count"),
    ("number", "120 ms"),
    ("symbol", "getThing"),
]


@pytest.mark.parametrize(("shape", "name"), NAMES)
def test_an_identifier_keeps_its_shape_and_is_another_one_in_each_pass(shape: str, name: str) -> None:
    assert [(shape, name, 4)] == list(identifiers(f"see {name} there"))
    made = [renamer(number)(f"see {name} there") for number in (1, 2, 3)]
    assert made == [f"see {namer(number)(name, shape)} there" for number in (1, 2, 3)]
    assert len({*made, f"see {name} there"}) == 4
    for text in made:
        (found,) = identifiers(text)
        assert found[0] == shape
        assert text == f"see {found[1]} there"


@requirement("B-9")
def test_passes_follow_each_other_as_one_valid_transcript() -> None:
    once = lineage(20)
    pool = Pool(once)
    twice = replace(once, messages=tuple(message for messages in pool.taken(3) for message in messages))
    body = len(once.messages) - 1
    assert len(twice.messages) == 1 + 3 * body == pool.size(3)
    assert twice.messages[: body + 1] == once.messages
    assert [problem for problem in twice.dialect.problems(twice.messages) if problem.kind != "alternation"] == []
    names = [
        {name for _, name, _ in identifiers(reading_of(twice.messages[1 + at * body : 1 + (at + 1) * body]))}
        for at in range(3)
    ]
    assert names[0] & names[1] == names[1] & names[2] == names[0] & names[2] == set()
    assert len({len(found) for found in names}) == 1
    calls = [part for message in twice.messages for part in message.calls()]
    assert len({part.call_id for part in calls}) == len(calls)
    assert all(json.loads(part.text)["command"].startswith("inspect the ") for part in calls)
    assert [message.typed for message in twice.messages[1:]] == 3 * [message.typed for message in once.messages[1:]]
