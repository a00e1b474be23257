"""Which window counts: the order of what is said, and how long what was learned stands."""

import pytest

from fault import fault
from requirement import requirement
from vademecum.core.budget import Window
from vademecum.core.windows import DEFAULT_TOKENS, Key, Sources, Told, endpoint_of, plausible
from vademecum.errors import ConfigError

CATALOG = Told(200_000, "bound", "catalog", max_output=64_000)


def runtime(tokens: int, at: float) -> Told:
    return Told(tokens, "runtime", "llama.cpp GET /props", at)


@requirement("M-1")
def test_without_a_model_there_is_no_window() -> None:
    with pytest.raises(ConfigError, match="names no model"):
        Key("openai", "https://api.openai.com", " ")
    assert Key("", "http://a", "m") != Key("", "http://b", "m") != Key("", "http://b", "n")


@requirement("M-2")
def test_the_order() -> None:
    probed = runtime(8_192, 1.0)
    assert Sources().window == Window(DEFAULT_TOKENS, "default") == Window(32_000, "default")
    assert Sources(catalog=CATALOG).window == Window(200_000, "catalog")
    assert Sources(catalog=CATALOG, probed=probed).window == Window(8_192, "probed")
    assert Sources(user=50_000, catalog=CATALOG, probed=probed).window == Window(50_000, "user")


@requirement("M-2", "M-6")
def test_what_was_learned_caps_whichever_applies() -> None:
    learned = Told(6_000, "learned", at=2.0)
    for sources in (
        Sources(),
        Sources(user=50_000),
        Sources(catalog=CATALOG),
        Sources(probed=runtime(8_192, 1.0)),
    ):
        capped = Sources(sources.user, sources.probed, learned, sources.catalog)
        assert capped.window == Window(6_000, "learned")
    assert Sources(user=4_000, learned=learned).window == Window(4_000, "user")


@requirement("M-2")
def test_a_newer_answer_of_the_runtime_ends_what_was_learned() -> None:
    learned = Told(6_000, "learned", at=2.0)
    assert Sources(learned=learned, probed=runtime(16_000, 3.0)).window == Window(16_000, "probed")
    assert Sources(user=50_000, learned=learned, probed=runtime(16_000, 3.0)).window == Window(50_000, "user")
    assert Sources(learned=learned, probed=runtime(16_000, 2.0)).window == Window(6_000, "learned")


@requirement("M-2")
def test_a_runtime_that_agrees_leaves_the_cap_on_the_user_s_window() -> None:
    learned = Told(6_000, "learned", at=2.0)
    assert Sources(user=50_000, learned=learned, probed=runtime(6_000, 3.0)).window == Window(6_000, "learned")


@requirement("M-2")
def test_a_server_that_was_small_for_a_while_is_believed_when_it_is_large_again() -> None:
    learned = Sources(probed=runtime(8_192, 1.0)).learning(4_096, source="an error", at=2.0)
    left = learned.after(runtime(4_096, 3.0))
    assert left is not None
    assert Sources(learned=left, probed=runtime(4_096, 3.0)).window.tokens == 4_096
    assert left.after(runtime(8_192, 4.0)) is None
    assert learned.after(runtime(8_192, 3.0)) == learned  # it never was another one


@requirement("M-2")
def test_only_a_runtime_knows_better_and_not_by_saying_again_what_was_wrong() -> None:
    before = Sources(probed=runtime(16_000, 1.0))
    learned = before.learning(6_000, source="an error", at=2.0)
    assert learned.against == 16_000
    assert Sources(learned=learned, probed=runtime(16_000, 9.0)).window == Window(6_000, "learned")
    assert Sources(learned=learned, probed=runtime(12_000, 9.0)).window == Window(12_000, "probed")
    published = Told(1_000_000, "announced", at=9.0)
    assert Sources(learned=learned, probed=published).window == Window(6_000, "learned")


def test_the_newest_error_is_right() -> None:
    first = Sources().learning(6_000, source="an error", at=1.0)
    second = Sources(learned=first).learning(7_000, source="an error", at=2.0)
    assert (second.window, second.at) == (7_000, 2.0)


@fault(7)
@requirement("M-3")
def test_how_large_it_could_be_is_no_window() -> None:
    assert Sources(probed=Told(131_072, "bound")).window == Window(32_000, "default")
    assert Sources(probed=Told(8_192, "bound")).window == Window(8_192, "probed")
    assert Sources(probed=Told(131_072, "bound"), catalog=CATALOG).window == Window(131_072, "probed")


def test_output_limits_have_an_origin() -> None:
    assert (Sources().max_output, Sources().max_output_origin) == (None, None)
    known = Sources(catalog=CATALOG)
    assert (known.max_output, known.max_output_origin) == (64_000, "catalog")
    said = Sources(catalog=CATALOG, probed=Told(None, "announced", max_output=8_000))
    assert (said.max_output, said.max_output_origin) == (8_000, "probed")
    learned = Sources(catalog=CATALOG, learned=Told(None, "learned", max_output=4_000))
    assert (learned.max_output, learned.max_output_origin) == (4_000, "learned")
    assert learned.window == Window(200_000, "catalog")


@requirement("M-6")
def test_plausible_figures() -> None:
    assert [plausible(size) for size in (127, 128, 10_000_000, 10_000_001)] == [False, True, True, False]
    assert [plausible(size, least=1_024) for size in (1_023, 1_024)] == [False, True]


def test_one_endpoint_however_it_is_written() -> None:
    for url in ("http://H:80/v1", "http://h:80/", "http://user:key@h:80/v1/", "HTTP://h:80/v1beta?key=x"):
        assert endpoint_of(url) == "http://h:80"
    assert endpoint_of("https://openrouter.ai/api/v1") == "https://openrouter.ai/api"
    assert endpoint_of("no url") == ""
