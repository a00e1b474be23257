"""Real logs in their native formats: read whole, counted, taken in once, found and restored byte for byte."""

import re
from pathlib import Path

import pytest

from contract.sessions.counted import REFUSED, expected, logs
from requirement import requirement
from vademecum.archive import Archive
from vademecum.cli.taking_in import take_in
from vademecum.core.identity import part_id
from vademecum.core.tokens import TokenCounter
from vademecum.errors import ConfigError
from vademecum.models.tokenizer import count_tokens
from vademecum.sessions import Source, readings


def trimmed(path: Path) -> bool:
    """Fixtures whose ids were all replaced by one text: calls and results cannot be told apart by id."""
    return path.name == "fixture-small.jsonl" and "[trimmed" in path.read_text("utf-8")


@requirement("A-8")
def test_calls_and_results_are_those_that_the_files_have(data_folder: Path) -> None:
    seen = 0
    for path in logs(data_folder):
        if path.name in REFUSED:
            continue
        kind, counts = expected(path, data_folder)
        calls = results = 0
        with Source.open(path) as source:
            for one in readings(source):
                assert one.kind == kind, path
                said = [message for each in (one, *(one.branches if trimmed(path) else ())) for message in each]
                calls += sum(len(message.calls()) for message in said)
                results += sum(len(message.results()) for message in said)
                seen += len(said)
        if not trimmed(path):
            assert (calls, results) == counts, path
    assert seen > 5_000


@requirement("A-8")
def test_what_is_no_session_log_is_refused_by_name(data_folder: Path) -> None:
    refused = [path for path in logs(data_folder) if path.name in REFUSED]
    assert len(refused) == len(REFUSED)
    for path in refused:
        with Source.open(path) as source, pytest.raises(ConfigError, match=REFUSED[path.name]) as caught:
            list(readings(source))
        assert "\n" not in str(caught.value)
        assert caught.value.hint


@requirement("A-8")
def test_earlier_compactions_are_no_transcript(data_folder: Path) -> None:
    for path in logs(data_folder):
        if path.parent.parent.name != "claude_code":
            continue
        boundaries = path.read_text("utf-8").count('"isCompactSummary": true')
        with Source.open(path) as source:
            (one, *_) = readings(source)
            texts = "\n".join(part.text for message in one for part in message.parts if part.kind == "text")
            assert one.dropped >= 2 * boundaries
            assert not re.search(r"^This session is being continued from a previous", texts, re.M)


@requirement("A-7", "A-8")
def test_everything_is_taken_in_once_found_and_restored(data_folder: Path) -> None:
    counter = TokenCounter(count_tokens)
    with Archive.memory() as archive:
        first = {path: imported(archive, path, counter) for path in logs(data_folder) if path.name not in REFUSED}
        before = counted(archive)
        for path, sessions in first.items():
            again = imported(archive, path, counter)
            assert sum(new for _, _, new in again) == 0, path
            assert [(name, messages) for name, messages, _ in again] == [(n, m) for n, m, _ in sessions], path
        assert counted(archive) == before
        for path, sessions in first.items():
            with Source.open(path) as source:
                for one, (name, _, new) in list(zip(readings(source), sessions, strict=True))[:3]:
                    if new:  # else it is the same session as another file's
                        found_and_restored(archive, name, list(one))


def imported(archive: Archive, path: Path, counter: TokenCounter) -> list[tuple[str, int, int]]:
    with Source.open(path) as source:
        taken = [take_in(archive, one, None, counter, path.name) for one in readings(source)]
    return [(each.session, each.messages, each.new) for each in taken]


def counted(archive: Archive) -> list[tuple[str, int]]:
    return sorted((info.id, info.messages) for info in archive.sessions())


def found_and_restored(archive: Archive, name: str, said: list) -> None:
    session = archive.existing(name)
    stored = session.stored()
    assert [held.raw for held in stored] == [message.raw for message in said]
    for held, message in list(zip(stored, said, strict=True))[:: max(1, len(said) // 20)]:
        for number, part in enumerate(message.parts):
            if part.plain and part.text:
                id = part_id(held.node, number, len(message.parts))
                assert session.restore(id).data == part.text.encode("utf-8", "surrogatepass")
    texts = [part.text for message in said for part in message.parts if part.kind == "text"]
    words = re.findall(r"[A-Za-z]{5,}", " ".join(texts))
    if words:
        assert session.search(max(set(words), key=lambda word: (len(word), word)))
