"""Telling what a person typed from what a harness wrote into a user message.

A log that says so itself (an importer knows) is believed first; these are the marks that agent
programs put at the start of the text they inject.
"""

from __future__ import annotations

import re

_MARKS = re.compile(
    r"""\s*(?:
        <(?:system-reminder|command-(?:message|name|args|stdout)|local-command-[a-z-]+|bash-(?:stdout|stderr)
          |user-prompt-submit-hook|session-start-hook|environment_context|user_instructions
          |permissions\ instructions
          |collaboration_mode|turn_aborted|skill|task-notification|ide_[a-z_]+|EXTREMELY_IMPORTANT|INSTRUCTIONS)\b
        | \[(?:Request\ interrupted|SYSTEM|system)\b
        | \#\ AGENTS\.md\ instructions\ for\b
        | Caveat:\ The\ messages\ below\b
        | Base\ directory\ for\ this\ skill:
        | This\ session\ is\ being\ continued\ from\ a\ previous\ conversation\b
        | Stop\ hook\ feedback:
        | \[vademecum\b
        | <vademecum:carry\b
    )""",
    re.VERBOSE,
)
_BOOKKEEPING = re.compile(r"\s*<command-(?:message|name)>.*<command-args>(?=\s*\S)", re.DOTALL)


def by_a_person(text: str) -> bool:
    """Whether a user message's text was typed by a person, as far as its marks tell.

    The arguments of a slash command are the person's own words, so a command that has some counts.
    """
    if not text.strip():
        return False
    if _BOOKKEEPING.match(text):
        return not re.search(r"<command-args>\s*</command-args>", text)
    return _MARKS.match(text) is None
