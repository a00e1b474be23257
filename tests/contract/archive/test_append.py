"""What is appended comes back byte for byte, large things are stored once."""

import gzip
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contract.archive.build import append, assistant, calling, filled, ids_of, raws, result, sizes, user
from requirement import requirement
from vademecum.archive import Archive
from vademecum.core.identity import chain
from vademecum.sessions import read_chat
from vademecum.testing import transcripts
from vademecum.wire import dialect

PICTURE = "data:image/png;base64," + "iVBORw0KGgo" * 2_000


def blobs(archive: Archive) -> list[tuple[int, int]]:
    """Size and stored size of each shared string."""
    with archive.connection.reading() as db:
        return db.execute("SELECT size, length(data) FROM blobs").fetchall()


@requirement("A-1", "I10")
@pytest.mark.parametrize(
    "line",
    [
        b'{"role": "user", "content": "a  b"}',
        b'{"content":"\\u00e9\\n\\ud83d","role":"user"}',
        b'{"role":"user","content":"x","n":123456789012345678901234567890,"f":1e400,"z":1.10}',
        b'{"role":"user","content":"' + b'long \\\\ \\" text ' * 1_000 + b'"}',
        b'{"role":"user","content":"' + b"\\u0000" * 1_000 + b'"}',
        b'{"role":"user","content":"dup","content":"second"}',
        '{"role":"user","content":"日本語 '.encode() + "語".encode() * 3_000 + b'"}',
        b'{"role":"user" , "content":"\xff\xfe bytes that are no UTF-8 ' + b"\xc3" * 5_000 + b'"}',
        b'{"role":"user","content":"' + b"\\\\" * 4_096 + b'"}',
    ],
)
def test_a_line_comes_back_as_it_was_spelled(archive: Archive, line: bytes) -> None:
    log = read_chat(line + b"\n")
    session = archive.session("s")
    session.append(log.messages, [1])
    assert raws(session) == [line]
    assert session.messages()[0].identity == log.messages[0].identity
    assert session.context() == [line]


@requirement("A-1", "I10")
@settings(max_examples=25)
@given(rows=transcripts("openai-chat", most_turns=3))
def test_any_transcript_is_taken_in_and_comes_back(rows: list[object]) -> None:
    with Archive.memory() as archive:
        session = filled(archive, *rows)
        assert [json.loads(raw) for raw in raws(session)] == rows
        assert len(session.context()) == len(rows)


@requirement("A-1", "I10")
@settings(max_examples=15)
@given(rows=transcripts("anthropic", most_turns=3))
def test_any_anthropic_transcript_is_taken_in_and_comes_back(rows: list[object]) -> None:
    with Archive.memory() as archive:
        assert [json.loads(raw) for raw in raws(filled(archive, *rows, format="anthropic"))] == rows


@requirement("A-2")
@settings(max_examples=80)
@given(text=st.text(alphabet=st.characters(), max_size=60), name=st.text(alphabet=st.characters(), max_size=20))
def test_no_characters_stop_an_append(text: str, name: str) -> None:
    odd = f"\ud83d`{text}\x00`\udc00 http://\ud800x src/\ud83d/a.py PORT={text}"
    with Archive.memory() as archive:
        session = filled(
            archive,
            user(odd),
            calling(f"c{name}\ud83d", f"tool\n\ud83d{name}", {"command": f"rm \ud83d{odd}", "path": name}),
            result(f"c{name}\ud83d", f"error: exit code 1 \ud83d {odd}", name=name),
            assistant(odd),
            {"role": "system", "content": odd},
        )
        assert len(session) == 5
        session.search(odd)


@requirement("A-1")
def test_a_large_string_is_stored_once_and_compressed(archive: Archive) -> None:
    text = "the same long output\n" * 5_000
    filled(
        archive, user("a"), calling("1", "bash", {}), result("1", text), calling("2", "bash", {}), result("2", text)
    )
    filled(archive, user("b"), calling("3", "bash", {}), result("3", text), id="another")
    ((size, stored),) = blobs(archive)
    assert size >= len(text)
    assert stored < size / 10


@requirement("A-1")
def test_an_image_is_stored_once(archive: Archive) -> None:
    image = {"type": "image_url", "image_url": {"url": PICTURE}}
    session = filled(archive, user([{"type": "text", "text": "look"}, image]), assistant("ok"), user([image, image]))
    assert len(blobs(archive)) == 1
    assert json.loads(raws(session)[2])["content"] == [image, image]


@requirement("A-1")
def test_ids_do_not_depend_on_how_messages_arrive(archive: Archive) -> None:
    rows = [user("a"), assistant("b"), user("c")]
    at_once = filled(archive, *rows, id="at once")
    one_by_one = archive.session("one by one")
    for row in rows:
        append(one_by_one, row)
    assert ids_of(at_once) == ids_of(one_by_one)
    messages = at_once.messages()
    assert tuple(at_once.nodes()) == chain(messages)


@requirement("A-1")
def test_ids_stay_when_the_file_is_opened_again(path: Path) -> None:
    with Archive.open(path) as archive:
        first = ids_of(filled(archive, user("a"), assistant("b")))
    with Archive.open(path) as archive:
        session = archive.session("s")
        assert ids_of(session) == first
        append(session, user("c"))
        assert ids_of(session)[:2] == first


@requirement("A-1")
def test_more_messages_than_one_transaction_takes(archive: Archive) -> None:
    rows = [user(f"message {number}") for number in range(450)]
    session = filled(archive, *rows)
    assert [json.loads(raw) for raw in raws(session)] == rows
    assert [message.position for message in session.stored(198, 203)] == [198, 199, 200, 201, 202]


@requirement("A-10")
def test_appending_reads_none_of_the_messages_before(path: Path) -> None:
    steps = {}
    for length in (10, 2_000):
        with Archive.memory() as archive:
            session = filled(archive, *[user(f"message {number}") for number in range(length)])
            append(session, user("warm"))
            messages = (dialect("openai-chat").load(user("one more"), 0),)
            count = 0

            def count_up() -> int:
                nonlocal count
                count += 1
                return 0

            archive.connection.db.set_progress_handler(count_up, 10)
            session.append(messages, sizes(messages))
            archive.connection.db.set_progress_handler(None, 0)
            steps[length] = count
    assert steps[2_000] < 2 * steps[10] + 50


@requirement("A-8")
def test_a_zipped_log_is_taken_in(archive: Archive) -> None:
    line = b'{"role": "user", "content": "x"}'
    log = read_chat(gzip.compress(line + b"\n"))
    session = archive.session("s")
    session.append(log.messages, [1])
    assert raws(session) == [line]


@requirement("A-1")
def test_appending_nothing_changes_nothing(archive: Archive) -> None:
    session = filled(archive, user("a"))
    append(session)
    assert len(session) == 1
