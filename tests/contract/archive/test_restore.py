"""Restoring gives the exact bytes of what an id names."""

import json

import pytest

from contract.archive.build import append, assistant, calling, filled, follow, ids_of, result, user
from requirement import requirement
from vademecum.archive import Archive
from vademecum.core.identity import part_id
from vademecum.errors import ConfigError, PartNotFound
from vademecum.sessions import read_chat

TEXT = 'line one\r\n\ttabs "quotes" \\ back\u2028sep 日本語 👩\u200d💻 é é\n'
IMAGE = {"type": "image_url", "image_url": {"url": "data:image/png;base64," + "QUJD" * 3_000}}


def wire(data: bytes) -> object:
    return json.loads(data)


@requirement("A-7")
@pytest.mark.parametrize("text", [TEXT, "x", "a\x00b", "long \u00e9 " * 60_000, "{}", '"quoted"', " \n "])
@pytest.mark.parametrize(
    "shape", ["string", "one text", "result", "result with one text", "result with a bare string"]
)
def test_text_is_its_bytes(archive: Archive, text: str, shape: str) -> None:
    single = [{"type": "text", "text": text, "cache_control": {"type": "ephemeral"}}]
    row = {
        "string": user(text),
        "one text": user(single),
        "result": result("1", text),
        "result with one text": result("1", single),
        "result with a bare string": result("1", [text]),
    }[shape]
    session = filled(archive, user("go"), calling("1", "bash", {"command": "x"}), row)
    found = session.restore(ids_of(session)[2])
    assert found.data == text.encode()
    assert found.size == len(found.data)
    assert found.session == "s"


@requirement("A-7")
def test_what_is_not_plain_is_wire_json(archive: Archive) -> None:
    call = {"id": "1", "type": "function", "function": {"name": "bash", "arguments": '{"command":  "ls"}'}, "x": 1}
    mixed = [{"type": "text", "text": "see"}, IMAGE]
    session = filled(archive, user(mixed), assistant("I look", tool_calls=[call]), result("1", mixed), user([IMAGE]))
    nodes = session.nodes()
    assert session.restore(part_id(nodes[0], 0, 2)).data == b"see"
    assert wire(session.restore(part_id(nodes[0], 1, 2)).data) == IMAGE
    assert session.restore(part_id(nodes[1], 0, 2)).data == b"I look"
    found = session.restore(part_id(nodes[1], 1, 2))
    assert (wire(found.data), found.kind, found.tool, found.arguments) == (
        call,
        "tool_call",
        "bash",
        '{"command":  "ls"}',
    )
    found = session.restore(part_id(nodes[2], 0, 1))
    assert (wire(found.data), found.kind, found.tool) == (mixed, "tool_result", "bash")
    assert wire(session.restore(part_id(nodes[3], 0, 1)).data) == IMAGE


@requirement("A-7")
def test_a_whole_message_is_its_line(archive: Archive) -> None:
    line = b'{"role": "user",  "content": [{"type":"text","text":"a"}, {"type":"text","text":"b"}], "n": 1.10}'
    session = archive.session("s")
    session.append(read_chat(line).messages, [1])
    found = session.restore(ids_of(session)[0])
    assert (found.data, found.kind) == (line, "message")


@requirement("A-7")
def test_wire_forces_json(archive: Archive) -> None:
    session = filled(archive, user(TEXT), calling("1", "bash", {}), result("1", [{"type": "text", "text": "out"}]))
    ids = ids_of(session)
    assert wire(session.restore(ids[0], wire=True).data) == TEXT
    assert wire(session.restore(ids[2], wire=True).data) == [{"type": "text", "text": "out"}]


@requirement("A-7")
def test_anthropic_parts(archive: Archive) -> None:
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "QUJD" * 3_000}}
    call = {"type": "tool_use", "id": "1", "name": "bash", "input": {"command": "ls -la"}}
    answers = [
        {"type": "tool_result", "tool_use_id": "1", "content": TEXT},
        {"type": "tool_result", "tool_use_id": "2", "content": [{"type": "text", "text": TEXT}]},
        {"type": "tool_result", "tool_use_id": "3", "content": [{"type": "text", "text": "see"}, image]},
        {"type": "text", "text": "and?"},
    ]
    calls = [call, {**call, "id": "2"}, {**call, "id": "3"}]
    session = filled(archive, user("go"), assistant(calls), user(answers), user([image]), format="anthropic")
    nodes = session.nodes()
    found = [session.restore(part_id(nodes[2], part, 4)) for part in range(4)]
    assert [each.data for each in found[:2]] == [TEXT.encode()] * 2
    assert wire(found[2].data) == answers[2]
    assert found[3].data == b"and?"
    assert [each.tool for each in found] == ["bash"] * 3 + [""]
    assert wire(session.restore(part_id(nodes[1], 1, 3)).data) == calls[1]
    assert wire(session.restore(part_id(nodes[3], 0, 1)).data) == image


@requirement("A-7")
def test_provenance_of_a_result(archive: Archive) -> None:
    session = filled(archive, user("go"), calling("c", "read", {"path": "a"}), result("c", "first", ts=1_700_000_000))
    append(session, calling("c", "read", {"path": "b"}), result("c", "second"), *[user(f"m{n}") for n in range(80)])
    append(session, result("c", "third, of a call long ago"))
    ids = ids_of(session)
    first, second = session.restore(ids[2]), session.restore(ids[4])
    assert (first.tool, wire(first.arguments.encode()), first.ts) == ("read", {"path": "a"}, 1_700_000_000)
    assert (second.tool, wire(second.arguments.encode()), second.ts) == ("read", {"path": "b"}, None)
    assert session.restore(ids[-1]).tool == "read"


@requirement("A-7")
def test_a_range_is_one_message_a_line(archive: Archive) -> None:
    rows = [user("a"), calling("1", "bash", {"command": "x\ny"}), result("1", TEXT), assistant("b"), user("c")]
    session = filled(archive, *rows)
    ids = ids_of(session)
    for start, stop in ((1, 3), (3, 1), (2, 2), (0, 4)):
        found = session.restore(f"{ids[start]}..{ids[stop]}")
        lines = found.data.split(b"\n")
        assert lines.pop() == b""
        low, high = sorted((start, stop))
        assert [wire(line) for line in lines] == rows[low : high + 1]
    assert archive.restore(f"{ids[0]}..{ids[4]}").data == session.restore(f"{ids[0]}..{ids[4]}").data


@requirement("A-7")
def test_a_range_of_an_indented_file_is_a_line_a_message_too(archive: Archive) -> None:
    rows = [user("a\nb"), assistant("c")]
    session = archive.session("s")
    session.append(read_chat(json.dumps(rows, indent=2).encode()).messages, [1, 1])
    ids = ids_of(session)
    lines = session.restore(f"{ids[0]}..{ids[1]}").data.splitlines()
    assert [wire(line) for line in lines] == rows


@requirement("A-7")
def test_a_range_names_what_it_named_when_it_was_written(archive: Archive) -> None:
    session = archive.session("s")
    rows = [user("a"), assistant("b"), user("c"), assistant("d")]
    follow(session, rows)
    ids = ids_of(session)
    follow(session, [*rows[:2], user("edited"), assistant("other")])
    new = ids_of(session)
    for range_, expected in (
        (f"{ids[1]}..{ids[3]}", ["b", "c", "d"]),
        (f"{ids[2]}..{ids[3]}", ["c", "d"]),
        (f"{new[1]}..{new[3]}", ["b", "edited", "other"]),
    ):
        lines = archive.restore(range_).data.splitlines()
        assert [json.loads(line)["content"] for line in lines] == expected
    with pytest.raises(ConfigError, match="not in one lineage"):
        archive.restore(f"{ids[2]}..{new[3]}")


@requirement("A-7")
def test_a_range_over_two_sessions_is_refused(archive: Archive) -> None:
    one, two = filled(archive, user("a"), user("b"), id="one"), filled(archive, user("c"), user("d"), id="two")
    with pytest.raises(ConfigError):
        archive.restore(f"{ids_of(one)[0]}..{ids_of(two)[1]}")


@requirement("A-7")
def test_a_range_of_a_common_beginning_is_the_same_in_both(archive: Archive) -> None:
    rows = [user("same start"), assistant("same answer")]
    one = filled(archive, *rows, user("one"), id="one")
    filled(archive, *rows, user("two"), id="two")
    found = archive.restore(f"{ids_of(one)[0]}..{ids_of(one)[2]}")
    assert [json.loads(line)["content"] for line in found.data.splitlines()] == ["same start", "same answer", "one"]


@requirement("A-7")
@pytest.mark.parametrize("suffix", [".2", ".9", ".999999"])
def test_a_part_that_a_message_does_not_have(archive: Archive, suffix: str) -> None:
    session = filled(archive, user("a"))
    (id,) = ids_of(session)
    assert session.restore(f"{id}.1").data == b"a"
    with pytest.raises(PartNotFound) as caught:
        session.restore(id + suffix)
    assert caught.value.nearest == (f"{id}.1",)
    with pytest.raises(ConfigError):
        session.restore(f"{id}.0")  # parts count from 1


@requirement("A-7")
def test_a_message_without_parts(archive: Archive) -> None:
    session = filled(archive, user("a"), assistant(None), assistant(""))
    ids = ids_of(session)
    assert wire(session.restore(ids[1]).data) == assistant(None)
    with pytest.raises(PartNotFound):
        session.restore(f"{ids[2]}.1")
