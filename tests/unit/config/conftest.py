"""A home and a project of their own for every test about settings."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from vademecum.config import Settings, load


@dataclass
class Place:
    """A user's home, a project below it, and what the environment holds."""

    home: Path
    project: Path
    environ: dict[str, str] = field(default_factory=dict)

    def load(self, cwd: Path | None = None, /, **flags: object) -> Settings:
        return self.load_flags(flags, cwd)

    def load_flags(self, flags: Mapping[str, object], cwd: Path | None = None) -> Settings:
        return load(flags, environ=self.environ, cwd=cwd or self.project)

    def write_project(self, text: str) -> Path:
        path = self.project / "vademecum.toml"
        path.write_text(text, "utf-8")
        return path

    def write_user(self, text: str) -> Path:
        path = self.home / ".config/vademecum/config.toml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        return path


@pytest.fixture
def place(tmp_path: Path) -> Place:
    home = tmp_path / "home"
    project = home / "code/project"
    project.mkdir(parents=True)
    environ = {
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home / ".config"),
        "XDG_DATA_HOME": str(home / ".local/share"),
        "PATH": "/usr/bin",
    }
    return Place(home, project, environ)
