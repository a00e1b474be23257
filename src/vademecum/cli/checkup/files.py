"""The files: settings and archive."""

from __future__ import annotations

from pathlib import Path

from vademecum.archive.sqlite.health import Health, health
from vademecum.cli.checkup.finding import Finding
from vademecum.cli.policy import settings
from vademecum.cli.verb import Common
from vademecum.errors import ConfigError


def files(shared: Common) -> tuple[Finding, ...]:
    """The settings, and the archive that they name."""
    try:
        config = settings(shared.flags())
    except ConfigError as error:
        return (Finding("settings", "fail", str(error), error.hint),)
    given = [setting.name for setting in config if setting.given]
    return (
        Finding("settings", "ok", f"{len(given)} given: {', '.join(given)}" if given else "the defaults"),
        archive(config.db),
    )


def archive(path: Path) -> Finding:
    """The archive's file."""
    try:
        seen = health(path)
    except OSError as error:
        text = f"{path}: {error.strerror or error}"
        return Finding("archive", "fail", text, "name another file with --db")
    problem = _problem(path, seen)
    if problem is not None:
        return problem
    if not seen.exists:
        return Finding("archive", "ok", f"none yet; {path} is made when the first session is archived")
    text = f"{path}: {seen.size:,} bytes, schema {seen.schema}, pages sound"
    if not seen.private:
        return Finding("archive", "warn", f"{text}; others may read it", f"chmod 600 '{path}'")
    return Finding("archive", "ok", text)


def _problem(path: Path, seen: Health) -> Finding | None:
    """What makes it unusable, the worst first."""
    if seen.exists and not seen.ours:
        text = f"{path} is damaged or not an archive" + (f": {seen.damage}" if seen.damage else "")
        return Finding("archive", "fail", text, "restore it from a backup, or name another file with --db")
    if seen.damage:
        return Finding("archive", "fail", f"{path} is damaged: {seen.damage}", "restore it from a backup")
    if seen.schema > seen.known:
        text = f"{path} has schema {seen.schema}, this version knows schemas up to {seen.known}"
        return Finding("archive", "fail", text, "upgrade vademecum, or open another file with --db")
    if not seen.writable:
        return Finding("archive", "fail", f"{path} cannot be written", "name a writable file with --db")
    return None
