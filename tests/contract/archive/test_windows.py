"""What an archive keeps of models' windows."""

from pathlib import Path

from requirement import requirement
from vademecum.archive import Archive
from vademecum.core.windows import Sources, Told

HERE, MODEL = "http://127.0.0.1:8080", "m"
ANSWER = Told(8_192, "runtime", "llama.cpp GET /props", 10.0)


def sources(archive: Archive, endpoint: str = HERE, model: str = MODEL) -> Sources:
    held = archive.windows.of(endpoint, model)
    return Sources(probed=held.probed, learned=held.learned)


@requirement("M-2", "M-6")
def test_what_was_learned_survives_a_restart(tmp_path: Path) -> None:
    with Archive.open(tmp_path / "a.db") as archive:
        archive.windows.remember(HERE, MODEL, ANSWER)
        archive.windows.remember(HERE, MODEL, sources(archive).learning(6_000, source="an error", at=20.0))
    with Archive.open(tmp_path / "a.db", owner="another") as archive:
        assert sources(archive).window.tokens == 6_000
        assert sources(archive, "http://127.0.0.1:8081").window.origin == "default"
        assert sources(archive, HERE, "n").window.origin == "default"
        assert [(held.endpoint, held.model) for held in archive.windows.all()] == [(HERE, MODEL)]


@requirement("M-2", "M-3")
def test_an_answer_that_says_otherwise_ends_it_for_good() -> None:
    archive = Archive.memory()
    archive.windows.remember(HERE, MODEL, ANSWER)
    archive.windows.remember(HERE, MODEL, sources(archive).learning(6_000, source="an error", at=20.0))
    archive.windows.remember(HERE, MODEL, Told(8_192, "runtime", at=30.0))
    assert sources(archive).window.tokens == 6_000
    archive.windows.remember(HERE, MODEL, Told(4_096, "runtime", at=40.0))
    assert sources(archive).window.tokens == 4_096
    archive.windows.remember(HERE, MODEL, Told(8_192, "runtime", at=50.0))
    assert sources(archive).window.tokens == 8_192


def test_an_output_limit_that_was_learned_stays() -> None:
    archive = Archive.memory()
    archive.windows.remember(HERE, MODEL, Told(6_000, "learned", "an error", 20.0, max_output=1_000))
    held = archive.windows.remember(HERE, MODEL, Told(8_192, "runtime", at=40.0))
    assert held.learned is not None
    assert (held.learned.window, held.learned.max_output) == (None, 1_000)
    assert sources(archive).window.tokens == 8_192
