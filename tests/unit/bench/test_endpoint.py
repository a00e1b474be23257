from __future__ import annotations

import pytest

from requirement import requirement
from unit.bench.serving import server
from vademecum.bench.calls.endpoint import Endpoint
from vademecum.bench.calls.request import Request
from vademecum.bench.calls.store import Given
from vademecum.errors import AuthFailed, ConfigError, Unavailable

REQUEST = Request("answerer-1", "answerer", "Be brief.", "Which run?", 50)
FINE = (200, {"model": "m-1", "choices": [{"message": {"content": "run-00a1b8"}}]}, {})


@requirement("B-4")
def test_a_request_is_a_chat_completion_with_the_key() -> None:
    with server(FINE) as (where, seen):
        assert Endpoint(where, key="k-1")(REQUEST) == Given("answerer-1", "run-00a1b8", "m-1")
    ((path, headers, told),) = seen
    assert path == "/v1/chat/completions"
    assert headers["authorization"] == "Bearer k-1"
    assert (told["model"], told["max_tokens"]) == ("local", 50)
    assert told["messages"][1]["content"] == "Which run?"


@requirement("B-6")
def test_it_tries_again_and_waits_as_it_is_asked_to() -> None:
    waits: list[float] = []
    with server((429, {}, {"retry-after": "7"}), (503, b"", {}), FINE) as (where, seen):
        assert Endpoint(where, wait=waits.append)(REQUEST).text == "run-00a1b8"
    assert len(seen) == 3
    assert waits == [7, 14]


@requirement("B-6")
def test_it_tries_four_times_and_no_more() -> None:
    waits: list[float] = []
    with server((500, {"error": "broken"}, {})) as (where, seen), pytest.raises(Unavailable, match="broken"):
        Endpoint(where, wait=waits.append)(REQUEST)
    assert len(seen) == 4
    assert waits == [1, 2, 4]


def test_a_refused_key_ends_it_without_naming_the_key() -> None:
    with server((401, {"error": "no"}, {})) as (where, _), pytest.raises(AuthFailed) as raised:
        Endpoint(where, key="k-secret")(REQUEST)
    assert "k-secret" not in str(raised.value)


def test_a_refused_request_is_a_fault_of_its_own() -> None:
    with server((400, {"error": "exceeds the context"}, {})) as (where, seen):
        assert Endpoint(where)(REQUEST).fault == "refused"
    assert len(seen) == 1


def test_nobody_is_followed_elsewhere_with_a_key() -> None:
    with server(FINE) as (other, seen), server((302, b"", {"location": other.partition("#")[0]})) as (where, _):
        assert Endpoint(where, key="k-1")(REQUEST).fault == "refused"
    assert seen == []


def test_what_is_no_json_is_malformed() -> None:
    with server((200, b"<html>", {})) as (where, _):
        assert Endpoint(where)(REQUEST).fault == "malformed"


@pytest.mark.parametrize("where", ["local", "ftp://x/v1#m", "http://127.0.0.1:1/v1", "http://k:s@127.0.0.1/v1#m"])
def test_what_names_no_model_is_refused(where: str) -> None:
    with pytest.raises(ConfigError):
        Endpoint(where)
