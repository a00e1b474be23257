"""Pages, patterns, and ids that name nothing or too much."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contract.archive.build import append, assistant, filled, ids_of, user
from requirement import requirement
from vademecum.archive import Archive
from vademecum.archive.sqlite.rows import short_text
from vademecum.core.identity import parse_part_id
from vademecum.errors import AmbiguousId, ArchiveError, ConfigError, PartNotFound

TEXT = "abc é 日本語 👩\u200d💻 \n" * 7


@pytest.fixture(scope="module")
def held():
    with Archive.memory() as archive:
        session = filled(archive, user(TEXT), user("second"))
        yield session, ids_of(session)[0]


@requirement("A-7")
@settings(max_examples=200)
@given(limit=st.integers(4, 60))
def test_pages_make_up_the_whole(held, limit: int) -> None:
    session, id = held
    data = TEXT.encode()
    out = b""
    while len(out) < len(data):
        page = session.restore(id, offset=len(out), limit=limit)
        assert page.size == len(data)
        assert 0 < len(page.data) <= limit
        page.data.decode()  # never cut inside a character
        out += page.data
    assert out == data


@requirement("A-7")
@settings(max_examples=200)
@given(offset=st.integers(0, 400), limit=st.one_of(st.none(), st.integers(0, 400)))
def test_a_page_at_any_offset_is_text(held, offset: int, limit: int | None) -> None:
    session, id = held
    page = session.restore(id, offset=offset, limit=limit)
    page.data.decode()
    assert page.data in TEXT.encode()
    if limit is None:
        assert TEXT.encode().endswith(page.data)


@requirement("A-7")
@pytest.mark.parametrize("limit", [1, 2, 3])
def test_a_limit_below_a_character_is_taken_for_one_character(held, limit: int) -> None:
    session, id = held
    at = TEXT.encode().index("日".encode())
    assert session.restore(id, offset=at, limit=limit).data.decode() in ("日", "")


@requirement("A-7")
@pytest.mark.parametrize("wrong", [{"offset": -1}, {"limit": -1}, {"pattern": "("}])
def test_wrong_pages_are_refused(held, wrong: dict) -> None:
    session, id = held
    with pytest.raises(ConfigError):
        session.restore(id, **wrong)


@requirement("A-7")
def test_a_pattern_keeps_the_lines_that_it_finds(archive: Archive) -> None:
    text = "first port 1\nsecond\r\nthird PORT 2\nport 3 at the end"
    session = filled(archive, user(text))
    (id,) = ids_of(session)
    assert session.restore(id, pattern="port").data == b"first port 1\nport 3 at the end"
    assert session.restore(id, pattern="(?i)port [12]").data == b"first port 1\nthird PORT 2\n"
    assert session.restore(id, pattern="^nothing$").data == b""
    assert session.restore(id, pattern="port", offset=6, limit=4).data == b"port"


@requirement("A-7")
def test_a_pattern_over_bytes_that_are_no_text(archive: Archive) -> None:
    from vademecum.sessions import read_chat

    session = archive.session("s")
    line = b'{"role":"user","content":["a port", "\xff\xfe"]}'
    session.append(read_chat(line).messages, [1])
    assert session.restore(ids_of(session)[0], pattern="port").data == line


@requirement("A-7")
def test_a_large_result_in_pages(archive: Archive) -> None:
    text = "".join(f"line {number} ü\n" for number in range(200_000))
    session = filled(archive, user(text))
    (id,) = ids_of(session)
    page = session.restore(id, offset=1_000_000, limit=10_000)
    assert page.size == len(text.encode())
    assert len(page.data) <= 10_000
    assert page.data.decode() in text


@requirement("A-7")
@pytest.mark.parametrize(
    "text",
    [
        "",
        "x",
        "t_",
        "t_short",
        "t_ABCDEFGHIJ",
        "t_abcdefghi1",
        "t_abcdefghij.",
        "42",
        "\0",
        "t_abcdefghij..",
        "..",
        "\ud83d",
    ],
)
def test_what_is_no_id_is_refused(archive: Archive, text: str) -> None:
    with pytest.raises((ConfigError, PartNotFound)):
        filled(archive, user("a")).restore(text)


@requirement("A-7")
def test_an_unknown_id_names_the_nearest(archive: Archive) -> None:
    session = filled(archive, *[user(f"m{number}") for number in range(200)])
    for id in ids_of(session)[::20]:
        wrong = id[:-1] + ("a" if id[-1] != "a" else "b")
        with pytest.raises(PartNotFound) as caught:
            session.restore(wrong)
        assert id in caught.value.nearest
        assert len(caught.value.nearest) <= 4
        assert all(parse_part_id(near) for near in caught.value.nearest)


@requirement("A-7")
def test_an_empty_archive_has_no_nearest(archive: Archive) -> None:
    with pytest.raises(PartNotFound) as caught:
        archive.restore("t_abcdefghij")
    assert caught.value.nearest == ()
    assert caught.value.hint


def collide(archive: Archive, row: int, short: int) -> None:
    with archive.connection.transaction() as db:
        db.execute("UPDATE messages SET short = ? WHERE id = ?", (short, row))


@requirement("A-7")
def test_an_ambiguous_id_names_its_candidates(archive: Archive) -> None:
    one = filled(archive, user("first"), id="one")
    two = filled(archive, user("second"), id="two")
    with archive.connection.reading() as db:
        ((_, short), (row, _)) = db.execute("SELECT id, short FROM messages ORDER BY id").fetchall()
    collide(archive, row, short)
    id = short_text(short)
    with pytest.raises(AmbiguousId) as caught:
        archive.restore(id)
    assert len(caught.value.candidates) == 2
    assert "--session" in caught.value.hint
    assert one.restore(id).data == b"first"
    assert two.restore(id).data == b"second"


@requirement("A-7")
def test_the_same_message_in_two_sessions_is_not_ambiguous(archive: Archive) -> None:
    filled(archive, user("same"), assistant("a"), id="one")
    two = filled(archive, user("same"), assistant("b"), id="two")
    assert archive.restore(ids_of(two)[0]).data == b"same"


@requirement("A-7")
def test_a_session_does_not_restore_from_another(archive: Archive) -> None:
    one, two = filled(archive, user("mine"), id="one"), filled(archive, user("other"), id="two")
    append(two, user("more"))
    with pytest.raises(ArchiveError):
        two.restore(ids_of(one)[0])
