"""How upstreams are written, and which of them go together."""

from __future__ import annotations

import pytest

from requirement import requirement
from vademecum.errors import ConfigError
from vademecum.proxy.upstreams import Upstream, checked, upstream_of

ANTHROPIC, OPENAI, LOCAL = "https://api.anthropic.com", "https://api.openai.com", "http://127.0.0.1:8080"


@requirement("P-7")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (ANTHROPIC, Upstream(ANTHROPIC)),
        (f"{LOCAL}/", Upstream(LOCAL)),
        (f"{LOCAL}#org/model:free", Upstream(LOCAL, "org/model:free")),
        (f"{LOCAL}#m?key=MINE", Upstream(LOCAL, "m", "k-1")),
        (f"{LOCAL}#?key=MINE", Upstream(LOCAL, "", "k-1")),
        (f"{LOCAL}?key=MINE", Upstream(LOCAL, "", "k-1")),
        (f"{LOCAL}/?key=MINE#m", Upstream(LOCAL, "m", "k-1")),
        ("http://[::1]:8080#m", Upstream("http://[::1]:8080", "m")),
    ],
)
def test_an_upstream_is_written_in_one_word(text: str, expected: Upstream) -> None:
    found = upstream_of(text, {"MINE": "k-1"})
    assert found == expected
    assert "k-1" not in repr(found)


@requirement("P-7")
@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("api.openai.com", "is no URL"),
        ("ftp://api.openai.com", "is no URL"),
        (f"{LOCAL}#m?key=OTHER", "OTHER of the upstream http://127.0.0.1:8080 is not set"),
        (f"{LOCAL}#m?secret=x", "has 'secret=x'"),
        (f"{LOCAL}#m?key=", "has 'key='"),
        (f"{LOCAL}?secret=x", "has 'secret=x'"),
        (f"{LOCAL}?key=MINE#m?key=MINE", "has 'key=MINE'"),
        ("http://[::1", "is no URL"),
        ("http://127.0.0.1:99999999", "is no URL"),
        ("http://127.0.0.1:abc", "is no URL"),
    ],
)
def test_what_is_no_upstream_says_why(text: str, says: str) -> None:
    with pytest.raises(ConfigError, match=says):
        upstream_of(text, {"MINE": "k-1"})


@requirement("P-7")
@pytest.mark.parametrize("rest", ["host", "host#m?key=OTHER", "host:abc", "[::1", "host?secret=x"])
def test_a_password_in_an_upstream_s_url_is_refused_and_not_said(rest: str) -> None:
    with pytest.raises(ConfigError, match="has a user or a password") as caught:
        upstream_of(f"http://me:s3cret@{rest}", {})
    assert "s3cret" not in str(caught.value)


@requirement("P-7", "M-8")
def test_upstreams_that_share_no_format_are_refused_at_the_start() -> None:
    with pytest.raises(ConfigError, match="speak different wire formats"):
        checked([Upstream(ANTHROPIC), Upstream(OPENAI)])
    assert len(checked([Upstream(ANTHROPIC), Upstream(LOCAL), Upstream("https://openrouter.ai/api")])) == 3
    assert len(checked([Upstream(OPENAI), Upstream(OPENAI, "gpt-4.1-mini")])) == 2
    with pytest.raises(ConfigError, match="two upstreams are m at http"):
        checked([Upstream(LOCAL, "m"), Upstream(f"{LOCAL}/v1", "m")])
    with pytest.raises(ConfigError, match="there is no upstream"):
        checked([])


@requirement("P-7")
@pytest.mark.parametrize(
    ("format", "sent", "url", "keyed"),
    [
        ("openai-chat", {"authorization": "Bearer c"}, LOCAL, {"authorization": "Bearer own"}),
        ("openai-chat", {}, LOCAL, {"authorization": "Bearer own"}),
        ("anthropic", {"x-api-key": "c"}, LOCAL, {"x-api-key": "own"}),
        ("anthropic", {}, LOCAL, {"x-api-key": "own"}),
        ("anthropic", {"authorization": "Bearer c"}, ANTHROPIC, {"x-api-key": "own"}),
        ("gemini", {}, LOCAL, {"x-goog-api-key": "own"}),
    ],
)
def test_a_key_goes_where_the_provider_or_the_client_has_it(
    format: str, sent: dict[str, str], url: str, keyed: dict[str, str]
) -> None:
    assert Upstream(url, key="own").keyed(sent, format) == keyed
    assert Upstream(url).keyed(sent, format) == {}
