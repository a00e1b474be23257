"""Tool calls: what they act on, and whether they change something."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import cast

from vademecum.core.messages import Part
from vademecum.core.text import clean, one_line

#: Argument names that say what a call acts on, the most telling first.
_TARGETS = (
    "command", "cmd", "file_path", "path", "notebook_path", "filename", "file", "url", "pattern", "query",
    "description", "prompt", "skill", "name", "id", "script", "code", "input", "message",
)  # fmt: skip
_WRITERS = re.compile(
    r"(?:^|[_\W])(?:write|edit|multiedit|create|update|delete|remove|move|rename|apply|patch|insert|replace|str_replace"
    r"|commit|push|merge|deploy|install|publish|send|post|put|set|save|upload|notebookedit)",
    re.IGNORECASE,
)
_SHELLS = re.compile(r"(?:^|[_\W])(?:bash|shell|exec|exec_command|terminal|run|command|zsh|powershell|execute)", re.I)
_CHANGING = re.compile(
    r"""(?:^|[;&|(\n]|\bsudo\ |\bxargs\ )\s*
    (?:git\s+(?:-C\s+\S+\s+)?(?:commit|push|merge|rebase|reset|checkout|switch|branch|tag|stash|cherry-pick|revert|rm|mv|apply|am|worktree|add)
      |rm|mv|cp|mkdir|touch|chmod|chown|ln|tee|sed\s+-i|patch|dd|truncate|kill|pkill
      |(?:pip3?|npm|pnpm|yarn|bun|cargo|go|apt|apt-get|brew|uv|poetry)\s+(?:install|add|remove|uninstall|update|upgrade|get|publish|mod)
      |gh\s+(?:pr|issue|release)\s+(?:create|merge|close|edit|comment|reopen|review)|bd\s+(?:create|update|close|remember)
      |docker\s+(?:run|build|rm|stop|start|push)|docker-compose|kubectl\s+(?:apply|delete|create|patch|scale)
      |systemctl|terraform\s+(?:apply|destroy)|make\s+(?:install|deploy|clean)|psql|alembic|prisma)\b
    |(?<![0-9&>])>{1,2}\s*[\w./~$]""",
    re.VERBOSE,
)


#: Longer arguments are read anew each time, so that none are held on to.
_LONG = 200_000


def arguments(call: Part) -> Mapping[str, object]:
    """A call's arguments as a mapping; `{}` when they are not a JSON object."""
    return _lately_read(call.text) if len(call.text) <= _LONG else _read(call.text)


def _read(text: str) -> Mapping[str, object]:
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return cast("dict[str, object]", value) if isinstance(value, dict) else {}


#: All that is asked about a call asks for its arguments, one question after the other.
_lately_read = lru_cache(maxsize=32)(_read)


def strings_in(call: Part) -> list[str]:
    """The strings in a call's arguments, in their order; the arguments themselves where they are no JSON object."""
    waiting: list[object] = [arguments(call)]
    if not waiting[0]:
        return [call.text]
    found: list[str] = []
    while waiting:
        value = waiting.pop(0)
        if isinstance(value, str):
            found.append(clean(value))
        elif isinstance(value, dict):
            waiting[:0] = list(cast("dict[str, object]", value).values())
        elif isinstance(value, list):
            waiting[:0] = cast("list[object]", value)
    return found


def target(call: Part, length: int = 120) -> str:
    """What a call acts on, on one line of at most `length` characters, safe to send."""
    # JSON escapes may hide lone surrogates, so the arguments are cleaned once they are read.
    return clean(_target(call, length))


def _target(call: Part, length: int) -> str:
    given = arguments(call)
    for key in _TARGETS:
        value = given.get(key)
        if isinstance(value, str) and value.strip():
            return one_line(value, length)
        if isinstance(value, list) and value and all(isinstance(item, str) for item in cast("list[object]", value)):
            return one_line(" ".join(cast("list[str]", value)), length)
    if not given:
        return one_line(call.text, length) if call.text.strip() not in ("", "{}") else ""
    first = next((value for value in given.values() if isinstance(value, str) and value.strip()), None)
    return one_line(first, length) if first else one_line(call.text, length)


def runs_commands(call: Part) -> bool:
    """Whether a call, by its tool's name, runs a command, whose exit status then stands in its result."""
    return _SHELLS.search(call.tool) is not None


def changes_something(call: Part) -> bool:
    """Whether a call, by its name or its command, changes files or other state."""
    if call.tool == "write_stdin":  # keystrokes for a running command, which was listed when it began
        return False
    if _WRITERS.search(call.tool):
        return True
    if not runs_commands(call):
        return False
    given = arguments(call)
    command = given.get("command", given.get("cmd", call.text))
    if isinstance(command, list):  # `["bash", "-lc", "git push"]`: each word may begin a command of its own
        command = "\n".join(map(str, cast("list[object]", command)))
    return _CHANGING.search(command if isinstance(command, str) else call.text) is not None
