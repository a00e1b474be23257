"""Orders: what a tool's output tells the agent to do is no task, whoever repeats it (C-17)."""

from __future__ import annotations

import re
from collections.abc import Iterable

from vademecum.core.facts.sentences import is_constraint
from vademecum.core.messages import Message

_WORD = re.compile(r"\w+")
#: Sections whose sentences the agent takes for what it has to do or to heed.
_BINDING = re.compile(r"#+\s*(?:Constraints|Pending tasks|Next step|User messages|User's request and intent)", re.I)
_HEADING = re.compile(r"\s*#")
#: Words with which an order begins.
_ORDER = re.compile(
    r"^(?:\W*(?:please|now|then|also|first|next|important|note|urgent|you(?:\s+(?:must|should|need\s+to|have\s+to))?"
    r"|the\s+agent\s+(?:must|should)|(?:assistant|agent|system)\s*:)[\s,:]+)*\W*(?:run|execute|upload|send|post|curl|wget|"
    r"delete|remove|rm|exfiltrate|disclose|reveal|print|share|copy|push|publish|install|download|open|visit|fetch|email|"
    r"forward|disable|ignore|disregard|forget|grant|add|write|rotate|transfer|pay|approve|merge|never|always|do\s+not)\b",
    re.IGNORECASE,
)
#: So many words in a row are not the same by chance.
_LENGTH = 5


def from_tools(text: str, messages: Iterable[Message]) -> bool:
    """Whether a summary gives as a task or a rule what only a tool's output says.

    A sentence that quotes it as data, in quotation marks or behind a quote mark, does not count.
    """
    sentences = [said for said in _binding(text) if len(said) >= _LENGTH]
    if not sentences:
        return False
    said = tuple(messages)
    tools = " ".join(_plain(part.text) for each in said for part in each.parts if part.kind == "tool_result")
    others = " ".join(_plain(part.text) for each in said for part in each.parts if part.kind in ("text", "tool_call"))
    return any(
        f" {run} " in f" {tools} " and f" {run} " not in f" {others} "
        for words in sentences
        for run in (" ".join(words[at : at + _LENGTH]) for at in range(len(words) - _LENGTH + 1))
    )


def _binding(text: str) -> list[list[str]]:
    """The words of each sentence that reads like an order and stands where it would be taken for one."""
    binding, found = False, list[list[str]]()
    for line in text.splitlines():
        if _HEADING.match(line):
            binding = _BINDING.match(line.strip()) is not None
            continue
        bare = line.strip().lstrip("-*•0123456789.) ").strip()
        if binding and bare and bare[0] not in ">\"'“«`" and (_ORDER.match(bare) or is_constraint(bare)):
            found.append(_plain(bare).split())
    return found


def _plain(text: str) -> str:
    return " ".join(_WORD.findall(text.lower()))
