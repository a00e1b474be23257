"""What can be read of a JSON document that breaks off: the elements of its lists that are whole."""

from __future__ import annotations

import json
import re
from typing import Any

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{},]', re.DOTALL)
_CLOSING = {"[": "]", "{": "}"}
#: Elements of a list this deep (the document is 0) are read whole or not at all.
_DEPTH = 2


def salvaged(text: str, end: int) -> Any:
    """The document up to the last whole element of a list near its top, closed there.

    Args:
        text: The document.
        end: Where it ceases to be JSON.

    Returns:
        The value; None when there is no such element.
    """
    stack: list[str] = []
    safe, closing = 0, ""
    for found in _TOKEN.finditer(text, 0, end):
        sign = found[0]
        match sign:
            case "[" | "{":
                stack.append(sign)
                continue
            case "]" | "}":
                if not stack:
                    break
                stack.pop()
            case ",":
                pass
            case _:
                continue
        if 1 <= len(stack) <= _DEPTH and stack[-1] == "[":
            safe = found.start() if sign == "," else found.end()
            closing = "".join(_CLOSING[opened] for opened in reversed(stack))
    if not safe:
        return None
    try:
        return json.loads(text[:safe] + closing)
    except (ValueError, RecursionError):
        return None
