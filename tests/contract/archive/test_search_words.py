"""What a query finds: identifiers whole and in parts, CJK of any length, accents; and that nothing makes it raise."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contract.archive.build import assistant, calling, filled, result, user
from requirement import requirement
from vademecum.archive import Archive, Hit

FILLER = [user(f"an unrelated remark number {number} about the weather and the tea") for number in range(40)]


def found(text: str, query: str, *more: object) -> bool:
    """Whether the query finds the text among others."""
    with Archive.memory() as archive:
        hits = filled(archive, *FILLER[:20], user(text), *more, *FILLER[20:]).search(query)
        return any(text in hit.text or hit.text in text for hit in hits[:1])


IDENTIFIERS = [
    ("see src/foo_bar.py:42 for it", ["src/foo_bar.py:42", "foo_bar", "foo_bar.py", "src/foo_bar.py", "foo", "bar"]),
    ("rustc says E0277 here", ["E0277", "e0277"]),
    ("the session sess_9f3 hangs", ["sess_9f3", "9f3", "sess"]),
    ("connect to db-host first", ["db-host", "db host", "host db"]),
    ("written in C++ long ago", ["C++", "c++"]),
    ("written in C# long ago", ["C#"]),
    ("a fault at 0x7ffe in the log", ["0x7ffe", "0X7FFE"]),
    ("call getUserName twice", ["getUserName", "getusername", "user name", "UserName", "name"]),
    ("an XMLHttpRequest object", ["XMLHttpRequest", "http request", "xml"]),
    ("set MAX_OPEN_FILES=1024 now", ["MAX_OPEN_FILES", "open_files", "MAX_OPEN_FILES=1024", "1024"]),
    ("commit 3f9ab12 broke it", ["3f9ab12", "3f9ab"]),
    ("http://localhost:8080/health answers", ["localhost:8080", "http://localhost:8080/health", "8080"]),
    ("run foo.bar() again", ["foo.bar()", "foo.bar"]),
    ("the chat-send button", ["chat-send", "chat send", "'chat-send'", '"chat-send"']),
    ("version v1.2.3-rc.1 is out", ["v1.2.3-rc.1", "v1.2.3", "1.2.3-rc.1".removeprefix("1.")]),
    ("uuid 123e4567-e89b-12d3-a456-426614174000 it is", ["123e4567-e89b-12d3-a456-426614174000", "426614174000"]),
    (r"open C:\Users\nina\report.txt please", [r"C:\Users\nina\report.txt", "nina", "report.txt"]),
    ("--dry-run is a flag", ["--dry-run", "dry-run"]),
]


@requirement("A-4", "I12")
@pytest.mark.parametrize(("text", "query"), [(text, query) for text, queries in IDENTIFIERS for query in queries])
def test_an_identifier_is_found_by_itself_and_by_its_parts(text: str, query: str) -> None:
    assert found(text, query)


@requirement("A-4", "I12")
@pytest.mark.parametrize(
    ("left", "right"), [("修改", "服务端的计划"), ("を", "を見る"), ("서버", "를"), ("（", "）。")]
)
@pytest.mark.parametrize(
    "name", ["youer", "src/foo_bar.py:42", "E0277", "sess_9f3", "db-host", "C++", "0x7ffe", "getUserName"]
)
def test_an_identifier_is_found_when_glued_to_cjk(left: str, right: str, name: str) -> None:
    assert found(left + name + right, name)


@requirement("A-4")
@pytest.mark.parametrize(
    "query", ["youer 服务端 修改", "youer", "服务端", "修改", "计划", "端", "修改youer服务端的计划"]
)
def test_the_words_of_the_bug_report(query: str) -> None:
    assert found("修改youer服务端的计划", query)


@requirement("A-4")
def test_parts_of_a_camel_case_name_glued_to_cjk() -> None:
    assert found("调用getUserName函数", "user name")


SENTENCES = [
    "我们决定把数据库迁移到新的服务器上",
    "明日の会議は午後三時に変更されました",
    "서버의포트번호를오천사백으로변경했습니다",
]


@requirement("A-4")
@pytest.mark.parametrize("sentence", SENTENCES)
def test_cjk_words_of_every_length_are_found(sentence: str) -> None:
    with Archive.memory() as archive:
        session = filled(archive, *FILLER[:20], user(sentence), *FILLER[20:])
        pieces = {
            sentence[at : at + size] for size in range(1, len(sentence) + 1) for at in range(len(sentence) - size + 1)
        }
        missed = [piece for piece in sorted(pieces) if not any(sentence in hit.text for hit in session.search(piece))]
        assert missed == []


@requirement("A-4")
def test_the_whole_cjk_word_ranks_before_its_characters() -> None:
    with Archive.memory() as archive:
        scattered = [user(f"数{n}据 库存 据数 服务 {n}") for n in range(6)]
        hits = filled(archive, *scattered, user("使用数据库服务"), *scattered).search("数据库服务", limit=1)
        assert hits[0].text == "使用数据库服务"


@requirement("A-4")
@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("a café in Zürich", "cafe"),
        ("a café in Zürich", "café"),
        ("a café in Zürich", "CAFÉ"),
        ("a café in Zürich", "zurich"),
        ("a cafe\u0301 in Zu\u0308rich", "café"),
        ("a café in Zürich", "cafe\u0301"),
        ("não há solução", "solucao"),
        ("Ελληνικά εδώ", "ΕΛΛΗΝΙΚΆ"),
        ("сервер перезапущен ёлка", "СЕРВЕР"),
        ("half width ﾃｽﾄﾃﾞｰﾀ here", "ﾃｽﾄ"),
        ("한국어 \u1112\u1161\u11ab\u1100\u1173\u11af", "한글"),
        ("ガギグ を使う", "ガ"),
        ("the ﬁle system", "ﬁle"),
    ],
)
def test_case_and_accents_do_not_matter(text: str, query: str) -> None:
    assert found(text, query)


@requirement("A-4")
def test_a_beginning_finds_longer_words() -> None:
    assert found("the kubernetes cluster", "kubern")


@requirement("A-5")
@pytest.mark.parametrize(
    "content",
    [
        '{"out": "first line\\nport 5433\\nsrc/app.py failed\\tbadly"}',
        'log: {"msg": "x\\nport 5433 is taken\\nsrc/app.py"}',
        '{"a": "' + "x y " * 900 + '\\nport 5433\\nsrc/app.py"}',
    ],
)
def test_words_after_json_escapes_are_words(content: str) -> None:
    with Archive.memory() as archive:
        session = filled(archive, *FILLER, calling("1", "bash", {}), result("1", content))
        for query in ("port", "5433", "src/app.py"):
            assert [hit.role for hit in session.search(query, limit=1)] == ["tool"], query


@requirement("A-5")
@pytest.mark.parametrize("query", ["café", "数据库", "naïve"])
def test_unicode_escapes_are_read(query: str) -> None:
    import json

    content = json.dumps({"text": "le café et 数据库 and naïve 😀"})
    assert "\\u" in content
    with Archive.memory() as archive:
        session = filled(archive, *FILLER, calling("1", "bash", {}), result("1", content))
        assert [hit.role for hit in session.search(query, limit=1)] == ["tool"]


@requirement("A-5")
@pytest.mark.parametrize(
    "arguments",
    [
        {"command": "first\nsecond line\nkubectl apply -f deploy/zebra.yaml"},
        {"edits": [{"new": "a\nkubectl apply -f deploy/zebra.yaml"}]},
        '{"command": "first\\nkubectl apply -f deploy/zebra.yaml", "broken',
        "*** Begin Patch\nkubectl apply -f deploy/zebra.yaml",
    ],
)
@pytest.mark.parametrize("query", ["kubectl", "deploy/zebra.yaml", "zebra"])
def test_tool_arguments_are_found(arguments: object, query: str) -> None:
    with Archive.memory() as archive:
        session = filled(archive, *FILLER, calling("1", "bash", arguments), result("1", "ok"))
        (hit, *_) = session.search(query, limit=1)
        assert hit.tool == "bash"
        assert hit.role == "assistant"
        assert "zebra" in hit.text


HOSTILE = [
    "",
    " ",
    "\0",
    "a\0b",
    "\ud83d",
    "x \udc00 y",
    '"unbalanced',
    "'",
    '""""',
    "a AND",
    "NOT x",
    "*",
    "a*",
    "^a",
    "text:a",
    "-a",
    "NEAR(a b)",
    "(a",
    "a OR OR b",
    "{a b}",
    "? ! . , ; / #",
    "a + b",
    "%_",
    "; DROP TABLE messages; --",
    "\u202e\u200b",
    "́",
    "゙",
    "\U0001f469‍\U0001f4bb",
    "x" * 100_000,
    "word " * 20_000,
    "a.b" * 30_000,
    "修" * 30_000,
    "(" * 100_000,
    "\n" * 100_000,
    "aB" * 50_000,
]


@pytest.fixture(scope="module")
def some():
    with Archive.memory() as archive:
        yield filled(
            archive, *FILLER[:5], user('a AND b "quoted" NEAR x* text:a 修改 C++'), assistant("word xxxx aBaB")
        )


@requirement("A-4", "I12")
@pytest.mark.parametrize("query", HOSTILE, ids=lambda query: ascii(query[:12]))
def test_hostile_strings_give_a_list(some, query: str) -> None:
    assert all(isinstance(hit, Hit) for hit in some.search(query))
    assert isinstance(some.archive.search(query), list)


@requirement("A-4", "I12")
@settings(max_examples=300)
@given(query=st.text(alphabet=st.characters(), max_size=80))
def test_any_string_gives_a_list(some, query: str) -> None:
    assert isinstance(some.search(query, limit=3, max_chars=50), list)


@requirement("A-4", "I12")
@settings(max_examples=150)
@given(
    name=st.from_regex(r"[a-z]{3,8}[_./-][a-z0-9]{2,8}([:_-][0-9]{1,4})?", fullmatch=True),
    left=st.sampled_from(["", " ", "(", "改", "は", "를", "`", '"', "\n", "é "]),
    right=st.sampled_from(["", " ", ")", "改", "は", "를", "`", '"', "\n", ","]),
)
def test_a_planted_identifier_is_found(name: str, left: str, right: str) -> None:
    with Archive.memory() as archive:
        session = filled(archive, *FILLER[:8], user(f"here is{left or ' '}{name}{right or ' '}there"), *FILLER[8:16])
        assert any(name in hit.text for hit in session.search(name)[:1])
