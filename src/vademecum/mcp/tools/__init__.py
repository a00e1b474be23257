"""One file per tool; `call` finds the one that is named, and says what went wrong in words."""

from __future__ import annotations

import difflib
import logging
from collections.abc import Callable, Mapping
from typing import Any

from vademecum.core.text import clean
from vademecum.errors import VademecumError
from vademecum.mcp.arguments import Given, tools
from vademecum.mcp.desk import Answer, Desk
from vademecum.mcp.tools import compact, context, restore_tool_result, session_search, sessions

_log = logging.getLogger("vademecum.mcp")

#: Name → function; the table `tools.toml` has the same names.
TOOLS: Mapping[str, Callable[[Desk, Given], Answer]] = {
    "session_search": session_search.answer,
    "restore_tool_result": restore_tool_result.answer,
    "context": context.answer,
    "compact": compact.answer,
    "sessions": sessions.answer,
}


def call(desk: Desk, name: str, given: Mapping[str, Any]) -> Answer:
    """Calls a tool. Whatever goes wrong is an answer that says what, and what to do about it."""
    tool = TOOLS.get(name)
    if tool is None:
        near = difflib.get_close_matches(name[:100], TOOLS, n=1)
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(TOOLS)}"
        return _failed(f"there is no tool {name!r:.60}", hint)
    try:
        found = tool(desk, tools()[name].read(given))
    except VademecumError as error:
        return _failed(str(error), error.hint)
    except Exception as error:  # noqa: BLE001
        # The last line of defence: a client gets one line, the server's log the traceback.
        _log.exception("%s failed", name)
        return _failed(f"{name} failed: {type(error).__name__}: {error!s:.300}", "this is a bug of vademecum")
    return Answer(tuple(map(clean, found.texts)), found.failed)


def _failed(text: str, hint: str) -> Answer:
    return Answer((clean(f"error: {text}" + (f"\nhint: {hint}" if hint else "")),), failed=True)
