"""The five tools of the demo's agent: each really does what it says and returns what really came out.

Everything happens in a scratch copy of the repository, never in the repository itself. A tool never
raises: like in any real agent, a mistake comes back as the text of the result.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

Argument = str | int

RESULT_CHARS = 16_000
SHELL_SECONDS = 45
SEARCH_HITS = 60
STDLIB = "stdlib/"
TEXT_SUFFIXES = frozenset((".py", ".md", ".toml", ".cfg", ".sql", ".txt", ".yml", ".yaml", ".json", ""))
NEVER_COPIED = ("__pycache__", "*.pyc", "node_modules", "dist", "build", "*.egg-info", "*.db*", "*.gz")
LARGEST_COPIED = 400_000


@dataclass(frozen=True)
class Workspace:
    """Where the agent may work.

    Attributes:
        root: The scratch copy; the only place that is written to.
        stdlib: Python's own sources, readable as `stdlib/json/decoder.py`.
    """

    root: Path
    stdlib: Path


def scratch_copy(repository: Path, into: Path) -> Workspace:
    """Copies the repository's text into `into` and puts it under git, so that diffs are real."""
    by_name = shutil.ignore_patterns(*NEVER_COPIED)

    def unwanted(folder: str, names: list[str]) -> set[str]:
        hidden = {name for name in names if name.startswith(".") and name not in (".gitignore", ".github")}
        large = {name for name in names if _size(Path(folder, name)) > LARGEST_COPIED}
        links = {name for name in names if Path(folder, name).is_symlink()}
        return by_name(folder, names) | hidden | large | links

    shutil.copytree(repository, into, ignore=unwanted)
    workspace = Workspace(into.resolve(), Path(sysconfig.get_paths()["stdlib"]))
    for command in ("git init -q", "git add -A", "git commit -q -m start"):
        shell(workspace, command)  # without git the agent's own git commands fail later, truthfully
    return workspace


def list_files(workspace: Workspace, path: str = ".") -> str:
    """One line per file: path and size."""
    base = _locate(workspace, path)
    lines = [f"{_shown(workspace, file)}  {_size(file)} bytes" for file in _files(base)]
    return "\n".join(lines) or f"{path}: no files"


def read_file(workspace: Workspace, path: str, start: int = 1, end: int = 150) -> str:
    """Lines `start` to `end`, numbered, under a header that tells how many there are."""
    lines = _locate(workspace, path).read_text(encoding="utf-8", errors="replace").splitlines()
    last = min(end, len(lines))
    body = [f"{number:>5}  {lines[number - 1]}" for number in range(start, last + 1)]
    return "\n".join([f"{path}: lines {start}-{last} of {len(lines)}", *body])


def search(workspace: Workspace, pattern: str, path: str = ".") -> str:
    """Every line that the regular expression matches, as `path:line: text`."""
    wanted = re.compile(pattern)
    hits: list[str] = []
    for file in _files(_locate(workspace, path)):
        for number, line in enumerate(file.read_text(encoding="utf-8", errors="replace").splitlines(), 1):
            if wanted.search(line):
                hits.append(f"{_shown(workspace, file)}:{number}: {line.strip()[:200]}")
    more = [f"... and {len(hits) - SEARCH_HITS} more"] if len(hits) > SEARCH_HITS else []
    return "\n".join(hits[:SEARCH_HITS] + more) or f"no match for {pattern!r} in {path}"


def edit_file(workspace: Workspace, path: str, old: str, new: str) -> str:
    """Replaces the single occurrence of `old`; with an empty `old`, writes a new file."""
    file = (workspace.root / path).resolve()
    if not file.is_relative_to(workspace.root):
        return f"error: {path} lies outside of the workspace"
    if not old:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(new, encoding="utf-8")
        return f"wrote {path} ({len(new.splitlines())} lines)"
    text = file.read_text(encoding="utf-8")
    if text.count(old) != 1:
        return f"error: the text to replace occurs {text.count(old)} times in {path}, not once"
    file.write_text(text.replace(old, new), encoding="utf-8")
    return f"edited {path}: line {text[: text.index(old)].count(chr(10)) + 1}"


def shell(workspace: Workspace, command: str) -> str:
    """Runs one command without a shell; `python` is this interpreter."""
    words = shlex.split(command)
    if words[0] == "python":
        words[0] = sys.executable
    try:
        done = subprocess.run(
            words,
            cwd=workspace.root,
            env=_environment(workspace),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=SHELL_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"error: stopped after {SHELL_SECONDS} seconds: {command}"
    return f"{done.stdout.decode('utf-8', errors='replace').rstrip()}\n[exit code {done.returncode}]".lstrip()


TOOLS: Mapping[str, Callable[..., str]] = {
    "list_files": list_files,
    "read_file": read_file,
    "search": search,
    "edit_file": edit_file,
    "shell": shell,
}


def call(workspace: Workspace, name: str, arguments: Mapping[str, Argument]) -> str:
    """Runs one tool; what goes wrong is told in the result."""
    try:
        result = TOOLS[name](workspace, **arguments)
    except (OSError, TypeError, ValueError, KeyError, re.error) as error:
        result = f"error: {type(error).__name__}: {error}"
    if len(result) > RESULT_CHARS:
        return f"{result[:RESULT_CHARS]}\n... {len(result) - RESULT_CHARS} more characters"
    return result


def _locate(workspace: Workspace, path: str) -> Path:
    if path.startswith(STDLIB):
        return workspace.stdlib / path.removeprefix(STDLIB)
    return workspace.root / path


def _shown(workspace: Workspace, file: Path) -> str:
    if file.is_relative_to(workspace.root):
        return file.relative_to(workspace.root).as_posix()
    return STDLIB + file.relative_to(workspace.stdlib).as_posix()


def _files(base: Path) -> Iterator[Path]:
    if base.is_file():
        yield base
        return
    if not base.is_dir():
        raise FileNotFoundError(f"no such file or folder: {base.name}")
    for folder, folders, names in os.walk(base):
        # Python's own test suite and installed packages are no reference reading.
        folders[:] = sorted(set(folders) - {".git", "__pycache__", "test", "site-packages", "lib-dynload"})
        yield from (Path(folder, name) for name in sorted(names) if Path(name).suffix in TEXT_SUFFIXES)


def _size(path: Path) -> int:
    return path.stat().st_size if path.is_file() else 0


def _environment(workspace: Workspace) -> dict[str, str]:
    # Nothing of the user's settings, keys or home reaches what the agent runs.
    return {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": str(workspace.root.parent),
        "PYTHONPATH": str(workspace.root / "src"),
        "PYTHONDONTWRITEBYTECODE": "1",
        "LANG": "C.UTF-8",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_AUTHOR_NAME": "demo",
        "GIT_AUTHOR_EMAIL": "demo@example.invalid",
        "GIT_COMMITTER_NAME": "demo",
        "GIT_COMMITTER_EMAIL": "demo@example.invalid",
    }
