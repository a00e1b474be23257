"""Whether what a tool once read has changed since."""

from __future__ import annotations

import json
from pathlib import Path
from typing import cast

from vademecum.archive import Restored

#: Argument names under which tools take the file that they read.
_PATHS = ("file_path", "path", "filename", "file")


def is_stale(found: Restored, workspace: Path | None) -> bool | None:
    """Whether the file that a result came from has changed since; None where that cannot be told.

    Only files inside the given workspace are looked at: a session must not make other files be read.
    """
    if workspace is None or found.ts is None or found.kind != "tool_result":
        return None
    try:
        given: object = json.loads(found.arguments)
    except ValueError:
        return None
    if not isinstance(given, dict):
        return None
    fields = cast("dict[str, object]", given)
    named = next((fields[key] for key in _PATHS if isinstance(fields.get(key), str)), None)
    if named is None:
        return None
    root = workspace.resolve()
    try:
        path = (root / str(named)).resolve()
    except (OSError, RuntimeError, ValueError):  # a loop of links, or a NUL: no file that was ever read
        return None
    if not path.is_relative_to(root):
        return None
    try:
        return path.stat().st_mtime > found.ts
    except OSError:
        return True
