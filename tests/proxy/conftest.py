"""Fixtures: where the archive is, and the recordings of real clients."""

from __future__ import annotations

from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "../shared/cases/clients"
RECORDINGS = sorted(FOLDER.glob("*.jsonl.xz"))


#: Those of clients that send ids of their sub-agents, and had some.
WITH_AGENTS = (
    "claude-code-2.1.197-opus48",
    "claude-code-2.1.197-parallel",
    "claude-code-2.1.197-sonnet45",
    "codex-0.171.0-openai",
    "codex-0.171.0-session",
    "opencode-1.18.33-anthropic",
    "opencode-1.18.33-chat",
    "opencode-1.18.33-chat-big",
    "opencode-1.18.33-responses",
)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    _over(metafunc, "recording", RECORDINGS)
    _over(metafunc, "recording_with_agents", [path for path in RECORDINGS if _name(path) in WITH_AGENTS])


def _over(metafunc: pytest.Metafunc, fixture: str, recordings: list[Path]) -> None:
    if fixture not in metafunc.fixturenames:
        return
    if recordings:
        metafunc.parametrize(fixture, recordings, ids=_name)
    else:
        absent = pytest.mark.skip(reason="data: there is no ../shared/cases/clients")
        metafunc.parametrize(fixture, [pytest.param(FOLDER, marks=absent)], ids=["absent"])


def _name(path: Path) -> str:
    return path.name.removesuffix(".jsonl.xz")


@pytest.fixture
def db(tmp_path: Path) -> Path:
    return tmp_path / "sessions.db"
