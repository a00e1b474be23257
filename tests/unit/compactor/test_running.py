"""A compactor that is told its model: the window is that of the model that really runs, anew for every request."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from fault import fault
from provider import Provider, Said, provider
from requirement import requirement
from vademecum import Archive, Compactor
from vademecum.core.windows import Told
from vademecum.errors import ConfigError, ContextOverflow
from vademecum.models.catalog import Catalog
from vademecum.models.clients.failure import told as error_that
from vademecum.models.errors import classify
from vademecum.models.probe import requests_for
from vademecum.testing import sample

MESSAGES = sample(turns=2)


def window(compactor: Compactor, **asked: Any) -> tuple[int, str]:
    receipt = compactor.fit(MESSAGES, **asked).receipt
    return receipt.window.tokens, receipt.window.origin


def props(tokens: int) -> dict[str, Any]:
    return {"default_generation_settings": {"n_ctx": tokens}}


def until(compactor: Compactor, expected: tuple[int, str], **asked: Any) -> None:
    """Asks until the window is that one, however busy the machine is; what never comes hangs, and fails."""
    while window(compactor, **asked) != expected:
        pass


def replied(model: str, tokens: int = 900) -> dict[str, Any]:
    return {"model": model, "usage": {"prompt_tokens": tokens, "completion_tokens": 5, "total_tokens": tokens + 5}}


def refused(text: str) -> dict[str, Any]:
    return {"error": {"message": text, "type": "invalid_request_error", "code": None}}


def overflow(limit: int) -> dict[str, Any]:
    return refused(
        f"This model's maximum context length is {limit} tokens. However, your messages resulted in 999999 tokens"
    )


@contextmanager
def server(**windows: Any) -> Iterator[Provider]:
    with provider(lambda path, body: Said({}), **windows) as told:
        yield told


@requirement("M-2")
def test_the_window_is_the_catalogs_and_says_so() -> None:
    known = Catalog.of(None).find("anthropic:claude-sonnet-4-5")
    assert known is not None
    assert window(Compactor(model="anthropic:claude-sonnet-4-5")) == (known.window, "catalog")


@requirement("M-2")
def test_a_window_that_is_given_wins() -> None:
    assert window(Compactor(model="anthropic:claude-sonnet-4-5", window=9_000)) == (9_000, "user")


@requirement("M-2")
def test_a_file_of_ones_own_goes_before_the_catalog(tmp_path: Path) -> None:
    own = tmp_path / "models.toml"
    own.write_text('["anthropic:claude-sonnet-4-5"]\nwindow = 77_000\n')
    assert window(Compactor(model="anthropic:claude-sonnet-4-5", catalog=own)) == (77_000, "catalog")


@fault(1)
@requirement("M-1", "M-2")
def test_without_either_it_says_what_to_give_and_a_model_that_nobody_knows_is_told_in_the_receipt() -> None:
    with pytest.raises(ConfigError, match="neither window nor model") as missing:
        Compactor()
    assert "window=200_000" in (missing.value.hint or "")
    receipt = Compactor(model="anthropic:claude-sonet-4-5").fit(MESSAGES).receipt
    assert (receipt.window.tokens, receipt.window.origin) == (32_000, "default")
    (warning,) = receipt.warnings
    assert warning.startswith("unknown_window: ")
    assert "anthropic:claude-sonnet-4-5" in warning


@pytest.mark.parametrize(
    ("names", "wrong"),
    [
        ({"model": "m", "endpoint": "localhost:8080"}, "is no URL"),
        ({"model": "http://127.0.0.1:1#m", "endpoint": "http://127.0.0.1:2"}, "are two places"),
        ({"model": "http://127.0.0.1:1"}, "names no model"),
    ],
)
def test_names_and_endpoints_that_are_none(names: dict[str, str], wrong: str) -> None:
    with pytest.raises(ConfigError, match=wrong):
        Compactor(**names)  # type: ignore[arg-type]


@requirement("M-2", "M-3")
@pytest.mark.parametrize("named", ["endpoint", "url"])
def test_the_server_is_asked_before_a_first_request_of_which_nothing_is_known(named: str) -> None:
    with server(props=props(4_096)) as at:
        model = {"model": "m", "endpoint": f"{at.url}/v1"} if named == "endpoint" else {"model": f"{at.url}#m"}
        compactor = Compactor(**model)  # type: ignore[arg-type]
        until(compactor, (4_096, "probed"))
        questions = len(at.asked)
        until(compactor, (4_096, "probed"))
        assert len(at.asked) == questions  # the answer is good for a while


@requirement("M-3")
def test_a_late_answer_counts_from_the_next_request_on() -> None:
    with server(props=props(6_000)) as at:
        compactor = Compactor(model="gpt-4", endpoint=at.url)  # the catalog knows it, so nobody waits
        assert window(compactor) in ((8_192, "catalog"), (6_000, "probed"))
        until(compactor, (6_000, "probed"))


@requirement("M-3")
def test_a_server_that_never_answers_is_not_waited_for_and_asked_once() -> None:
    with socket.socket() as deaf:
        deaf.bind(("127.0.0.1", 0))
        deaf.listen(64)  # it takes connections and never answers
        url = f"http://127.0.0.1:{deaf.getsockname()[1]}"
        compactor = Compactor(model="m", endpoint=url)
        taken = [deaf.accept()[0]]
        for _ in range(5):
            assert window(compactor) == (32_000, "default")
        deaf.setblocking(False)
        with suppress(BlockingIOError):
            while True:
                taken.append(deaf.accept()[0])
        for connection in taken:
            connection.close()
        assert len(taken) <= len(requests_for(url))


@requirement("M-2", "M-3")
def test_a_window_is_remembered_after_a_restart_and_refreshed_when_it_changed(tmp_path: Path) -> None:
    with server(props=props(4_096)) as at:
        model = {"model": "m", "endpoint": at.url}
        with Archive.open(tmp_path / "a.db") as archive:
            until(Compactor(session=archive.session("s"), **model), (4_096, "probed"))
        at.windows.clear()  # the server says nothing now
        with Archive.open(tmp_path / "a.db") as archive:
            until(Compactor(session=archive.session("s"), **model), (4_096, "probed"))
        at.windows["/props"] = props(16_384)
        with Archive.open(tmp_path / "a.db") as archive:
            until(Compactor(session=archive.session("s"), **model), (16_384, "probed"))


@requirement("M-2", "M-3")
def test_what_others_find_out_meanwhile_counts_at_the_next_request() -> None:
    archive = Archive.memory()
    compactor = Compactor(model="openai:gpt-4.1", session=archive.session("s"))
    assert window(compactor)[1] == "catalog"
    archive.windows.remember("https://api.openai.com", "gpt-4.1", Told(50_000, "learned", "an error", 1.0))
    assert window(compactor) == (50_000, "learned")


@fault(5)
@requirement("M-2", "M-4", "M-6")
def test_an_error_teaches_the_window_and_the_trigger_changes_at_once(tmp_path: Path) -> None:
    with Archive.open(tmp_path / "a.db") as archive:
        compactor = Compactor(model="openai:gpt-4.1", session=archive.session("s"))
        before = compactor.fit(MESSAGES).receipt
        verdict = compactor.observe_error(overflow(20_000), status=400)
        assert verdict is not None
        assert (verdict.kind, verdict.action) == ("context_overflow", "compact")
        after = compactor.fit(MESSAGES).receipt
        assert (after.window.tokens, after.window.origin) == (20_000, "learned")
        assert (before.trigger_tokens, after.trigger_tokens) == (128_000, 10_000)
    with Archive.open(tmp_path / "a.db") as archive:
        assert window(Compactor(model="openai:gpt-4.1", session=archive.session("t"))) == (20_000, "learned")


@requirement("M-2", "M-6")
def test_what_was_learned_caps_the_user_s_window_until_the_runtime_says_otherwise() -> None:
    with server(props=props(50_000)) as at:
        compactor = Compactor(model="m", endpoint=at.url, window=100_000)
        assert window(compactor) == (100_000, "user")
        assert at.asked == []  # the user's word is enough
        compactor.observe_error(overflow(4_096))
        until(compactor, (100_000, "user"))
        assert at.asked


@requirement("M-6")
def test_a_compactor_without_a_model_learns_for_itself_alone(tmp_path: Path) -> None:
    with Archive.open(tmp_path / "a.db") as archive:
        compactor = Compactor(window=100_000, session=archive.session("s"))
        compactor.fit(MESSAGES)
        compactor.observe_error(overflow(30_000))
        assert window(compactor) == (30_000, "learned")
        assert archive.windows.all() == []


@requirement("M-5", "M-6")
def test_errors_are_understood_as_libraries_raise_them() -> None:
    verdict = classify(overflow(25_000), status=400)
    assert verdict is not None
    compactor = Compactor(model="openai:gpt-4.1")
    compactor.fit(MESSAGES)
    ours = error_that(verdict, "too long", "gpt-4.1")
    assert isinstance(ours, ContextOverflow)
    assert compactor.observe_error(ours) == verdict
    assert window(compactor) == (25_000, "learned")

    class APIError(Exception):
        status_code = 400
        body = overflow(24_000)["error"]

    assert compactor.observe_error(APIError("400")) is not None
    assert window(compactor) == (24_000, "learned")
    away = compactor.observe_error(ConnectionRefusedError("refused"))
    assert away is not None
    assert away.kind == "unavailable"


@fault(2)
@requirement("M-1", "M-8")
def test_a_model_that_answers_for_another_has_its_own_window_from_the_next_request_on() -> None:
    compactor = Compactor(model="openai:gpt-4.1")
    assert window(compactor) == (1_047_576, "catalog")
    compactor.observe(replied("gpt-4.1-2025-04-14"))
    assert window(compactor) == (1_047_576, "catalog")  # a dated name is the same model
    compactor.observe(replied("gpt-4o-mini"))
    assert window(compactor) == (128_000, "catalog")
    compactor.observe(replied("gpt-4.1"))
    assert window(compactor) == (1_047_576, "catalog")
    compactor.observe({"model": "gpt-4o-mini"})  # without a word of usage
    assert window(compactor) == (128_000, "catalog")


@requirement("M-1", "M-2")
def test_an_answer_under_a_name_that_nobody_knows_is_no_reason_for_a_small_window() -> None:
    compactor = Compactor(model="openai:gpt-4.1")
    compactor.fit(MESSAGES)
    compactor.observe(replied("deployment-7"))
    done = compactor.fit(MESSAGES)
    assert (done.receipt.window.tokens, done.receipt.window.origin) == (1_047_576, "catalog")
    assert done.receipt.origin == "reported"  # and the report is one of the model that is asked
    (warning,) = done.receipt.warnings
    assert warning.startswith("unknown_model: 'deployment-7' answers")
    compactor.observe_error(overflow(60_000))
    assert window(compactor) == (60_000, "learned")


@requirement("M-1", "C-10")
def test_a_report_of_the_model_that_answers_is_an_anchor_for_its_next_request() -> None:
    compactor = Compactor(model="openai:gpt-4.1")
    compactor.fit(MESSAGES)
    compactor.observe(replied("claude-sonnet-4-5"))
    done = compactor.fit(MESSAGES).receipt
    assert (done.window.origin, done.origin, done.tokens_after) == ("catalog", "reported", 900)
    compactor.observe(replied("gpt-4.1"))
    assert compactor.fit(MESSAGES).receipt.tokens_after == 900


@requirement("M-7")
def test_a_reply_that_ended_with_the_window_is_told() -> None:
    compactor = Compactor(window=1_000)
    compactor.fit(MESSAGES)
    ended = {**replied("m", 990), "choices": [{"finish_reason": "length", "message": {"content": "and so"}}]}
    verdict = compactor.observe_error(ended)
    assert verdict is not None
    assert (verdict.kind, verdict.action) == ("context_overflow", "compact")
    assert compactor.observe_error({**ended, "choices": [{"finish_reason": "stop"}]}) is None


@requirement("M-1")
def test_a_request_that_asks_another_model_has_that_one_s_window() -> None:
    compactor = Compactor(model="openai:gpt-4.1")
    assert window(compactor, model="openai:gpt-4o-mini") == (128_000, "catalog")
    compactor.observe_error(overflow(60_000))
    assert window(compactor, model="openai:gpt-4o-mini") == (60_000, "learned")
    assert window(compactor) == (1_047_576, "catalog")


@fault(7)
@requirement("M-3")
def test_a_server_that_loads_its_model_at_the_first_request_is_asked_again_after_it() -> None:
    def listed(*loaded: int) -> dict[str, Any]:
        instances = [{"id": "m", "config": {"context_length": size}} for size in loaded]
        return {"models": [{"key": "m", "max_context_length": 20_000, "loaded_instances": instances}]}

    with server(**{"api/v1/models": listed()}) as at:
        compactor = Compactor(model="m", endpoint=at.url)
        until(compactor, (20_000, "probed"))  # no more than that
        at.windows["/api/v1/models"] = listed(8_192)
        compactor.observe(replied("m"))
        until(compactor, (8_192, "probed"))


@requirement("M-5", "C-5")
def test_an_output_cap_is_learned_once_kept_and_asked_for_no_more(tmp_path: Path) -> None:
    said = refused(
        "max_tokens is too large: 128000. This model supports at most 16384 completion tokens, "
        "whereas you provided 128000."
    )
    with Archive.open(tmp_path / "a.db") as archive:
        compactor = Compactor(model="openai:gpt-4.1", session=archive.session("s"), max_output=128_000)
        assert compactor.fit(MESSAGES).limits == {"max_tokens": 128_000}
        verdict = compactor.observe_error(said, status=400)
        assert verdict is not None
        assert (verdict.kind, verdict.output_cap) == ("output_cap", 16_384)
        assert compactor.fit(MESSAGES).limits == {"max_tokens": 16_384}
        assert window(compactor) == (1_047_576, "catalog")  # an output limit is no window
    with Archive.open(tmp_path / "a.db") as archive:
        again = Compactor(model="openai:gpt-4.1", session=archive.session("t"))
        assert again.fit(MESSAGES, max_output=9_000).limits == {"max_tokens": 9_000}
        assert again.fit(MESSAGES, max_output=64_000).limits == {"max_tokens": 16_384}
        assert again.fit(MESSAGES).limits == {}  # unset stays unset


@requirement("M-6", "M-7", "C-5")
def test_a_reply_that_was_too_long_beside_the_input_is_asked_for_shorter_and_the_window_learned() -> None:
    compactor = Compactor(model="openai:gpt-4.1", max_output=100_000)
    compactor.fit(MESSAGES)
    said = "input length and `max_tokens` exceed context limit: 30000 + 100000 > 120000, decrease input length"
    verdict = compactor.observe_error({"type": "error", "error": {"type": "invalid_request_error", "message": said}})
    assert verdict is not None
    assert (verdict.kind, verdict.learned_window) == ("output_budget", None)
    done = compactor.fit(MESSAGES)
    assert done.limits == {"max_tokens": 90_000}
    assert (done.receipt.window.tokens, done.receipt.window.origin) == (120_000, "learned")
    compactor.observe(replied("gpt-4.1", 2_000))
    assert compactor.fit(MESSAGES).limits == {"max_tokens": 100_000}


def test_the_user_s_own_wordings_are_used(tmp_path: Path) -> None:
    own = tmp_path / "errors.toml"
    own.write_text("[[input]]\nkind = 'context_overflow'\nsays = ['The pot holds {n} drops']\n")
    for wordings, kind in ((None, "bad_request"), (own, "context_overflow")):
        verdict = Compactor(window=9_000, errors=wordings).observe_error("The pot holds 5000 drops", status=400)
        assert verdict is not None
        assert verdict.kind == kind


@requirement("M-3")
def test_a_key_goes_to_the_endpoint_that_it_is_for_and_to_no_other() -> None:
    with server(props=props(4_096)) as own, server(props=props(6_000)) as other:
        compactor = Compactor(model="m", endpoint=own.url, key="sk-own")
        until(compactor, (4_096, "probed"))
        until(compactor, (6_000, "probed"), model=f"{other.url}#m")
        assert set(own.keys) == {"Bearer sk-own"}
        assert set(other.keys) == {""}


@requirement("M-3")
def test_what_was_found_out_before_there_is_an_archive_is_kept_in_it() -> None:
    with server(props=props(4_096)) as at:
        compactor = Compactor(model="m", endpoint=at.url)
        until(compactor, (4_096, "probed"))
        assert compactor.session is not None
        probed = compactor.session.archive.windows.of(at.url, "m").probed
        assert probed is not None
        assert probed.window == 4_096


@requirement("M-1")
@pytest.mark.parametrize(
    "given",
    [
        {"model": 5},
        {"endpoint": 5},
        {"endpoint": "http://[::1"},
        {"endpoint": "http://127.0.0.1:99999999"},
        {"model": "http://127.0.0.1:abc#m"},
        {"catalog": {"a": 1}},
        {"errors": 5},
        {"summarizer": "http://[::1#m"},
        {"summarizer": "http://127.0.0.1:99999999"},
    ],
)
def test_what_is_no_model_endpoint_or_file_is_said_at_once(given: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match="is no"):
        Compactor(**{"model": "m", **given})


@requirement("C-9")
def test_a_count_that_no_model_reads_is_none() -> None:
    compactor = Compactor(model="m", window=8_000)
    compactor.fit(MESSAGES)
    assert compactor.observe(replied("m", 10**30)) is None
    assert compactor.fit(MESSAGES).receipt.outcome == "nothing_needed"
