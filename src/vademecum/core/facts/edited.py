"""Which files a call writes, by the tools' names and arguments."""

from __future__ import annotations

import re

from vademecum.core.facts.actions import arguments
from vademecum.core.facts.plans import is_named
from vademecum.core.facts.tool_names import LOOKING, PATH_ARGUMENTS, WRITING_TOOLS, WRITTEN_ARGUMENTS
from vademecum.core.messages import Part
from vademecum.core.text import clean

_LONGEST_PATH = 400
_MOST = 20
#: The patch format in which a call may name several files, in arguments or in a shell command.
_IN_PATCH = re.compile(r"\*\*\* (?:Update File|Add File|Move to): ([^\n\\\"]+)")


def edited_files(call: Part) -> list[str]:
    """The paths that a call writes to, as it names them; none for one that does not write."""
    if "*** " in call.text:
        found = [path.strip() for path in _IN_PATCH.findall(call.text)]
        if found:
            return _kept(found)
    if not is_named(call.tool, WRITING_TOOLS):
        return []
    given = arguments(call)
    if given.get("command") in LOOKING:
        return []
    return _kept([path for key in PATH_ARGUMENTS if isinstance(path := given.get(key), str)][:1])


def written_text(call: Part) -> str:
    """What a call put into its file, empty where that cannot be told."""
    given = arguments(call)
    return next((text for key in WRITTEN_ARGUMENTS if isinstance(text := given.get(key), str) and text.strip()), "")


def _kept(paths: list[str]) -> list[str]:
    sound = [clean(path) for path in paths if path and len(path) <= _LONGEST_PATH and "\n" not in path]
    return list(dict.fromkeys(sound))[:_MOST]
