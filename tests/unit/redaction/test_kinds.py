"""Every kind of secret is found, as it stands, cut short, wrapped, escaped; what only looks like one is not."""

import json
import re

import pytest

from requirement import requirement
from unit.redaction.planted import planted
from vademecum.redaction import MARK, Redactor, rules, secrets_in

redact = Redactor(b"salt of the tests")
PLANTED = planted()
PROSE = "We looked at this for a while and then went on; nothing else stands here.\n" * 3


@requirement("C-28")
@pytest.mark.parametrize("name", PLANTED)
def test_a_secret_of_every_kind_is_replaced_by_its_kind_and_a_hash(name: str) -> None:
    text, secret = PLANTED[name]
    out = redact(f"{PROSE}{text}\n{PROSE}")
    assert secret not in out
    assert re.search(rf"\[redacted {name.split(maxsplit=1)[0]} [0-9a-f]{{6}}\]", out)
    assert out.startswith(PROSE)
    assert out.endswith(PROSE)


@requirement("C-28")
@pytest.mark.parametrize("name", PLANTED)
@pytest.mark.parametrize(
    "around", ["`{}`", '"{}"', "({})", "日本{}語", "a,{},b", "\x1b[32m{}\x1b[0m", "x={}", "| {} |"]
)
def test_marks_around_a_secret_do_not_hide_it(name: str, around: str) -> None:
    text, secret = PLANTED[name]
    assert secret not in redact(around.format(text))


@requirement("C-28")
@pytest.mark.parametrize("name", PLANTED)
def test_escapes_in_json_do_not_hide_it(name: str) -> None:
    text, secret = PLANTED[name]
    for twice in (False, True):
        given = json.dumps({"command": f'echo "a"\n{text}\n&& true', "n": 1})
        if twice:
            given = json.dumps({"inner": given})
        assert json.dumps(secret)[1:-1] in (given if not twice else json.loads(given)["inner"])
        out = redact.json(given)
        for piece in secret.split("\n"):
            assert piece not in out or piece.startswith("-----")
        json.loads(out)


@requirement("C-28")
@pytest.mark.parametrize(
    "escape", [lambda text: text.replace("&", "\\u0026"), lambda text: text.replace("/", "\\/")], ids=["amp", "slash"]
)
@pytest.mark.parametrize("name", PLANTED)
def test_characters_that_need_no_escape_may_have_one(name: str, escape) -> None:
    text, secret = PLANTED[name]
    given = '{"a": "' + escape(json.dumps(text)[1:-1]) + '"}'
    assert json.loads(given) == {"a": text}
    out = json.loads(redact.json(given))["a"]
    assert secret not in out


FIXED = [name for name in PLANTED if name.split()[0] in ("github-token", "aws-access-key", "npm-token", "twilio-key")]


@requirement("C-28")
@pytest.mark.parametrize("pause", ["\n", "\r\n", "\\n", "\n    ", "\n> "])
@pytest.mark.parametrize("name", FIXED)
def test_a_token_that_is_wrapped_is_hidden_whole(name: str, pause: str) -> None:
    token, _ = PLANTED[name]
    for at in (len(token) // 2, len(token) - 9):
        wrapped = f"token {token[:at]}{pause}{token[at:]} and more\n"
        out = redact(wrapped)
        assert token[:at] not in out
        assert token[at:] not in out
        assert out.endswith(" and more\n")


@requirement("C-28")
def test_a_long_token_is_hidden_over_the_lines_of_a_narrow_terminal() -> None:
    token, _ = PLANTED["jwt"]
    lines = [token[at : at + 64] for at in range(0, len(token), 64)]
    out = redact("\n".join(lines) + "\nthe next line")
    assert not any(line in out for line in lines)
    assert out.endswith("\nthe next line")


@requirement("C-28")
@pytest.mark.parametrize(
    "name", [name for name in PLANTED if name.startswith(("github", "gitlab", "anthropic", "stripe"))]
)
def test_what_is_left_of_a_token_that_was_cut_off_is_hidden(name: str) -> None:
    token, _ = PLANTED[name]
    assert token[:24] not in redact(f"the output ends here: {token[:24]}")


@requirement("C-28")
def test_a_key_that_was_cut_off_at_either_end_is_hidden() -> None:
    key, _ = PLANTED["private-key"]
    lines = key.split("\n")
    for some in (lines[:6], lines[6:], [*lines[:5], lines[5][:20]]):
        for joint in ("\n", "\\n", "\n    12→"):
            out = redact("before\n" + joint.join(some) + "\nafter it\n")
            assert not any(line in out for line in some if len(line) >= 16 and not line.startswith("-"))
            assert out.endswith("after it\n")


@pytest.mark.parametrize(
    "text",
    [
        "AKIAIOSFODNN7EXAMPLE",
        "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
        "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
        "OPENAI_API_KEY=sk-your-key-here",
        "token: <token>",
        "password: ${DB_PASSWORD}",
        "apiKey: process.env.API_KEY2",
        'password = os.environ["DB_PASSWORD_2"]',
        "commit 3f2504e04f8911d39a0c0305e82c3301aabbccdd",
        "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "token = 550e8400-e29b-41d4-a716-446655440000",
        "token_count: 123456, max_tokens=200000, tokens: 18000",
        "token = self.tokenizer.next_token2(state)",
        "const secretName = 'projects/1234/secrets/abc-1'",
        'def check(password: str = "", token2: str | None = None) -> bool:',
        "postgres://user:password@localhost:5432/app",
        "https://user:${TOKEN}@github.com/a/b.git",
        "http://localhost:8080/path?x=1@y",
        "see https://example.org/a:b@c",
        '"integrity": "sha512-iAB+JbDEGXhyIUavoDl9WP/Jj106Kz9DEn1DPgYw5ruDn0e3Wgi3sKFm55sASdGBNOQB8F59d9qQ7deq=="',
        "bearer tokens are described in RFC 6750, section 2.1",
        "if password == confirm_password2:",
        "-----BEGIN PRIVATE KEY-----",
        "risk-assessment-2024-09-10-final-version",
        "id: toolu_01A09q90qw90lq917835lq9, call_abc123def456ghi789jkl0",
        "password_hash = 5f4dcc3b5aa765d61d8327deb882cf99",
        "the key-value store, the token-bucket limiter2",
    ],
)
def test_what_only_looks_like_a_secret_stays(text: str) -> None:
    assert redact(text) is text


@requirement("C-28")
def test_the_same_secret_has_the_same_mark_wherever_it_stands_and_another_one_a_different_mark() -> None:
    token, other = PLANTED["github-token classic"][0], PLANTED["github-token app"][0]
    first, second, third = MARK.findall(redact(f"{token} then {token[:20]}\n{token[20:]} then {other}"))
    assert first == second != third


def test_the_hash_depends_on_the_salt() -> None:
    text, _ = PLANTED["password"]
    assert redact(text) == Redactor(b"salt of the tests")(text) != Redactor(b"another salt")(text)


def test_a_value_that_its_name_gave_away_is_hidden_where_it_stands_alone_too() -> None:
    text, secret = PLANTED["api-key"]
    assert secret not in redact(f"{text}\n…\nconnected with {secret}, ok")


@requirement("C-28")
def test_redacting_twice_changes_nothing() -> None:
    whole = redact("\n".join(text for text, _ in PLANTED.values()))
    assert redact(whole) is whole


def test_at_least_twenty_kinds_are_known_and_each_is_tried_here() -> None:
    assert len(rules().kinds) >= 40
    assert len({name.split()[0] for name in PLANTED}) >= 35


@requirement("C-28")
@pytest.mark.parametrize(
    "text",
    [
        "eyJ" * 60_000,
        "password" * 30_000,
        "password=" * 30_000,
        "-----BEGIN PRIVATE KEY-----" * 8_000,
        "-----END PRIVATE KEY-----" * 8_000,
        "://a:" * 40_000,
        "://" + "a:@" * 60_000,
        "discord bearer heroku " * 10_000,
        "sk-" + "a1" * 100_000,
        "authorization: basic" * 10_000,
        "ghp_aaaa1111bbbb2222\n" * 10_000,
        "Bearer " + "a" * 200_000,
        "SG." * 60_000,
        ":aa" * 60_000,
        "curl -u " * 20_000,
        "A" * 200_000,
        "glpat-" + "a1-\n" * 50_000,
    ],
    ids=lambda text: text[:14],
)
def test_no_text_makes_it_slow(text: str) -> None:
    """Twice the text, about twice the time: what is counted is steps of the scanner, not seconds."""
    from time import process_time

    secrets_in(text[:1000])
    started = process_time()
    secrets_in(text[: len(text) // 2])
    half = process_time() - started
    started = process_time()
    secrets_in(text)
    assert process_time() - started < 5 * half + 0.2
