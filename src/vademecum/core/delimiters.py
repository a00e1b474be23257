"""Delimiters: what content may say about turns, systems and the borders of what we write is data (C-28)."""

from __future__ import annotations

import re


def neutral(text: str) -> str:
    """A text whose marks cannot end the carry, nor pass for a turn, a harness's word or a template's token.

    Of each such mark one character is replaced by a look-alike; the words stay as they were.
    """
    if "<" not in text and "[" not in text and "vademecum:carry" not in text:
        return text
    return _DELIMITERS.sub(_defused, text.replace("vademecum:carry", "vademecum·carry"))


#: What models are trained or told to take for the border of a turn, a system text or a call.
_DELIMITERS = re.compile(
    r"<\|[A-Za-z_][\w.-]{0,40}\|>|</?s>|\[/?INST\]|<</?SYS>>|<(?:start|end)_of_turn>|<\uff5c[^<>\uff5c]{1,40}\uff5c>"
    r"|</?(?:system|system-reminder|system_reminder|system-prompt|system_prompt|assistant|user|human|instructions"
    r"|tool_call|tool_calls|tool_result|tool_response|function_call|function_calls|function_results|antml:[a-z_]{1,30}"
    r"|environment_context|user_instructions|thinking|think)(?=[\s>/])",
    re.IGNORECASE,
)


def _defused(found: re.Match[str]) -> str:
    mark = found[0]
    return ("‹" if mark[0] == "<" else "⟦") + mark[1:]
