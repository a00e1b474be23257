"""Where Vademecum keeps its files when the user does not say where.

The environment comes in as an argument: only `vademecum.config` and the CLI look at the real one. An XDG
variable that is set wins on every platform, so one setting moves the files on macOS as well; otherwise the
platform's own convention decides.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

APP = "vademecum"


def default_data_dir(environ: Mapping[str, str]) -> Path:
    """The folder of the archive: `$XDG_DATA_HOME/vademecum` or what the platform uses."""
    found = _from_environ(environ, "XDG_DATA_HOME", ".local/share")
    if found is not None:
        return found
    import platformdirs  # slow to import and seldom needed

    return platformdirs.user_data_path(APP, appauthor=False)


def default_archive_path(environ: Mapping[str, str]) -> Path:
    """The archive that is opened when neither `--db` nor a setting names one."""
    return default_data_dir(environ) / "archive.db"


def user_config_path(environ: Mapping[str, str]) -> Path:
    """The user's own configuration file; it need not exist."""
    found = _from_environ(environ, "XDG_CONFIG_HOME", ".config")
    if found is None:
        import platformdirs

        found = platformdirs.user_config_path(APP, appauthor=False)
    return found / "config.toml"


def expand_home(path: str, environ: Mapping[str, str]) -> Path:
    """`path` with a leading `~` replaced by the home folder that `environ` names."""
    home = environ.get("HOME", "")
    if home and (path == "~" or path.startswith("~/")):
        return Path(home, path[2:])
    if path.startswith("~"):
        try:
            return Path(path).expanduser()
        except RuntimeError:  # no such user: then it is a file's name like any other
            return Path(path)
    return Path(path)


def make_private(folder: Path) -> None:
    """Makes a folder, and those above it that are not there yet, for their owner alone, whatever the umask is.

    Raises:
        OSError: One of them cannot be made.
    """
    missing = [each for each in (folder, *folder.parents) if not each.exists()]
    for each in reversed(missing):
        each.mkdir(mode=0o700, exist_ok=True)


def _from_environ(environ: Mapping[str, str], variable: str, below_home: str) -> Path | None:
    """The folder by the XDG rules, or None where those do not hold (a relative value does not count)."""
    base = environ.get(variable, "")
    if base and Path(base).is_absolute():
        return Path(base, APP)
    home = environ.get("HOME", "")
    if home and sys.platform not in {"darwin", "win32"}:
        return Path(home, below_home, APP)
    return None
