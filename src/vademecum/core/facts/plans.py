"""The agent's own plan: the steps and criteria that its plan and goal tools were given, with the state of each."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from functools import lru_cache
from typing import Literal, cast

from vademecum.core.facts.actions import arguments
from vademecum.core.facts.tool_names import (
    BEGUN,
    DONE,
    GIVEN_UP,
    GOAL_TEXT,
    GOAL_TOOLS,
    PLAN_TOOLS,
    STEP_CREATE,
    STEP_STATE,
    STEP_TEXT,
    STEP_UPDATE,
)
from vademecum.core.messages import Part
from vademecum.core.text import clean, one_line

PlanKey = Literal["goal", "plan", "step"]

_LONGEST_STEP = 300
_MOST_STEPS = 60
_BOX = re.compile(r"^\s*(?:[-*]|\d+[.)])?\s*\[( |x|X|~|>|-|/)\]\s+(.*\S)", re.MULTILINE)
_CREATED = re.compile(r"#(\w+)[^:\n]*:\s*(.+)")


def own_name(tool: str) -> str:
    """A tool's own name: without the MCP server before it, in lower case."""
    return re.split(r"__|[.:/]", tool)[-1].lower()


@lru_cache(maxsize=1_024)
def is_named(tool: str, patterns: tuple[str, ...]) -> bool:
    """Whether one of the patterns is meant by a tool's name."""
    name = own_name(tool)
    return any(fnmatchcase(name, pattern) for pattern in patterns)


def plan_of_call(call: Part) -> tuple[PlanKey, str] | None:
    """What a call says about the plan: (`goal`, `plan` or `step`, lines with a box for each step), or None."""
    if is_named(call.tool, STEP_UPDATE):
        given = arguments(call)
        number = given.get("taskId", given.get("task_id", given.get("id")))
        text = str(given.get("subject") or "")
        return ("step", _step(str(number), _state(given), text)) if number is not None else None
    key = _key(call.tool)
    if key is None:
        return None
    given = arguments(call)
    lines = list(_lines(given, goal=key == "goal"))
    if not lines and key == "goal" and _state(given) in "x-":
        lines = [f"- [{_state(given)}] the goal"]
    # An empty list says that there is no plan any more.
    says = bool(lines) or (key == "plan" and any(isinstance(value, list) for value in given.values()))
    return (key, "\n".join(lines[:_MOST_STEPS])) if says else None


def plan_of_result(result: Part, call: Part | None) -> tuple[PlanKey, str] | None:
    """What a plan tool answered: the whole list, where a call gave only a part of it."""
    if call is None or result.is_error:
        return None
    if is_named(call.tool, STEP_CREATE):
        found = _CREATED.search(result.text)
        text = str(arguments(call).get("subject") or (found[2] if found else ""))
        return ("step", _step(found[1], " ", text)) if found else None
    key = _key(call.tool)
    if key is None or not result.text.lstrip().startswith(("{", "[")):
        return None
    try:
        value: object = json.loads(result.text)
    except (ValueError, RecursionError):
        return None
    whole: object = {"items": cast("object", value)} if isinstance(value, list) else value
    lines = list(_lines(whole, goal=False))
    return (key, "\n".join(lines[:_MOST_STEPS])) if lines else None


def folded(steps: list[str]) -> str:
    """The list that single steps add up to, oldest first; a later one changes the state of an earlier one."""
    held: dict[str, tuple[str, str]] = {}
    for step in steps:
        number, state, text = step.split("\t", 2)
        known = held.get(number, (" ", ""))
        held[number] = (state, text or known[1])
    return "\n".join(f"- [{state}] {text or f'step {number}'}" for number, (state, text) in held.items())


def is_open(line: str) -> bool:
    """Whether a line of a checklist is still to be done."""
    return line.startswith(("- [ ]", "- [~]"))


def _key(tool: str) -> Literal["goal", "plan"] | None:
    if is_named(tool, GOAL_TOOLS):
        return "goal"
    return "plan" if is_named(tool, PLAN_TOOLS) else None


def _step(number: str, state: str, text: str) -> str:
    return f"{one_line(number, 40)}\t{state}\t{one_line(clean(text), _LONGEST_STEP)}"


def _lines(given: object, *, goal: bool) -> Iterator[str]:
    if not isinstance(given, dict):
        return
    fields = cast("dict[str, object]", given)
    if goal:
        text = next((fields[key] for key in GOAL_TEXT if isinstance(fields.get(key), str)), "")
        if isinstance(text, str) and text.strip():
            state = _state(fields)
            yield f"- [{state}] {one_line(clean(text), _LONGEST_STEP)}"
    for value in fields.values():
        if isinstance(value, list):
            yield from _items(cast("list[object]", value), strings=goal)
        elif isinstance(value, str):
            for box, text in _BOX.findall(value):
                state = "x" if box in "xX" else "~" if box in "~>/" else "-" if box == "-" else " "
                yield f"- [{state}] {one_line(clean(text), _LONGEST_STEP)}"


def _items(values: list[object], *, strings: bool) -> Iterator[str]:
    for value in values:
        if isinstance(value, str) and strings:
            yield f"- [ ] {one_line(clean(value), _LONGEST_STEP)}"
        elif isinstance(value, dict):
            item = cast("Mapping[str, object]", value)
            text = next((item[key] for key in STEP_TEXT if isinstance(item.get(key), str) and item[key]), None)
            if isinstance(text, str):
                yield f"- [{_state(item)}] {one_line(clean(text), _LONGEST_STEP)}"


def _state(item: Mapping[str, object]) -> str:
    """The mark in a step's box: `x` done, `~` begun, `-` given up, else a space."""
    value = next((item[key] for key in STEP_STATE if key in item), "")
    word = str(value).strip().lower()
    return "x" if word in DONE else "~" if word in BEGUN else "-" if word in GIVEN_UP else " "
