"""Re-attachment: the agent's plan with the state of each step, and the files it works on as they are now."""

from __future__ import annotations

from vademecum.core.carry.scope import Scope
from vademecum.core.carry.wording import neutral
from vademecum.core.case import Case
from vademecum.core.facts.edited import written_text
from vademecum.core.facts.plans import folded, is_open
from vademecum.core.identity import parse_part_id
from vademecum.core.messages import Part
from vademecum.core.pairing import Spot
from vademecum.core.requests import FileContent, QueryFacts, ReadFile, Steps, StoredFact, Unavailable, count, facts
from vademecum.core.text import clean, head, one_line, tail

#: Tokens at most, whatever the target.
MOST_TOKENS = 10_000
#: Share of what lies between overhead and target.
SHARE = 4
_MOST_FILES = 5
_MOST_CHARS = 8_000
_LOOKED_AT = 300
#: A file of which fewer tokens than this could be shown is named only.
_LEAST = 120


def reattach_budget(case: Case) -> int:
    """Tokens that the section may have."""
    return min(MOST_TOKENS, case.room // SHARE)


def reattach(scope: Scope, budget: int) -> Steps[str]:
    """The open goal, the plan while a step of it is open, and up to five edited files where there is a workspace."""
    plans = yield from _plans(scope)
    sizes = yield from count(tuple(plans))
    blocks, left = list[str](), budget
    for text, size in zip(plans, sizes, strict=True):
        if size <= left:
            blocks.append(text)
            left -= size
    if scope.case.workspace:
        blocks += yield from _files(scope, left)
    return "\n".join(blocks)


def _plans(scope: Scope) -> Steps[list[str]]:
    case = scope.case
    found = yield from facts(QueryFacts(("plan",), case.positions[-1], _LOOKED_AT, newest_first=True))
    blocks: list[str] = []
    goal = _newest(found, "goal")
    if goal is not None and not _stands(scope, goal):
        still = [line for line in goal.text.splitlines() if is_open(line)]
        blocks += [f"Goal, what of it is still open ({goal.id}):\n{neutral(chr(10).join(still))}"] if still else []
    plan = _newest(found, "plan")
    if plan is not None and not _stands(scope, plan) and any(map(is_open, plan.text.splitlines())):
        blocks.append(f"Plan as it stands ({plan.id}):\n{neutral(plan.text)}")
    steps = [fact for fact in reversed(found) if fact.key == "step"]
    text = folded([fact.text for fact in sorted(steps, key=lambda fact: (fact.position, fact.number))])
    if any(map(is_open, text.splitlines())):
        blocks.append(f"Steps as they stand:\n{neutral(text)}")
    return blocks


def _newest(found: tuple[StoredFact, ...], key: str) -> StoredFact | None:
    held = [fact for fact in found if fact.key == key]
    return max(held, key=lambda fact: (fact.position, fact.number), default=None)


def _stands(scope: Scope, fact: StoredFact) -> bool:
    """Whether the call or result that says it goes out as it is."""
    spot = _spot(scope.case, fact)
    return spot is not None and spot[0] >= scope.draft.fold and spot not in scope.draft.edits


def _spot(case: Case, fact: StoredFact) -> Spot | None:
    parsed = parse_part_id(fact.id)
    at = next((index for index in range(len(case.live)) if case.positions[index] == fact.position), None)
    return None if parsed is None or at is None else (at, parsed[1] or 0)


def _files(scope: Scope, budget: int) -> Steps[list[str]]:
    """The files edited last, newest first; what cannot be shown is named with the reason."""
    case = scope.case
    found = yield from facts(QueryFacts(("edit",), case.positions[-1], _LOOKED_AT, newest_first=True))
    newest: dict[str, StoredFact] = {}
    for fact in found:
        newest.setdefault(fact.text.removeprefix("./"), fact)
    blocks, left = list[str](), budget
    for path, fact in list(newest.items())[:_MOST_FILES]:
        answer: FileContent | Unavailable = yield ReadFile(path)
        named = neutral(one_line(path, 300))
        if isinstance(answer, Unavailable):
            block = f"- {named}: {answer.reason}"
        else:
            block = yield from _shown(case, named, fact, answer, left)
        (size,) = yield from count((block,))
        if size <= left:
            blocks.append(block)
            left -= size
    return blocks


def _shown(case: Case, named: str, fact: StoredFact, file: FileContent, room: int) -> Steps[str]:
    """A file between two lines that name it, cut to 8,000 characters and to what there is room for."""
    text = neutral(clean(file.text))
    note = ""
    call = _call(case, fact)
    written = written_text(call) if call is not None else ""
    if written.strip() and file.whole and written.strip() not in file.text:
        note = "; it differs from what was last written to it here"
    body, most = _cut(text, _MOST_CHARS, whole=file.whole), _MOST_CHARS
    first, last = f"--- {named}, as it is now ({file.size:,} bytes{note}):", f"--- end of {named}"
    while True:
        block = f"{first}\n{body}\n{last}"
        (size,) = yield from count((block,))
        if size <= room:
            return block
        most = min(most - 1, int(most * room / size * 0.9)) if room >= _LEAST else 0
        if most < _LEAST:
            return f"- {named}: {file.size:,} bytes{note}; no room to show it, read it again"
        body = _cut(text, most, whole=file.whole)


def _call(case: Case, fact: StoredFact) -> Part | None:
    spot = _spot(case, fact)
    if spot is None or spot[1] >= len(case.live[spot[0]].parts):
        return None
    return case.live[spot[0]].parts[spot[1]]


def _cut(text: str, most: int, *, whole: bool) -> str:
    if len(text) <= most:
        return text if whole else f"{text}\n[the file goes on; read it for the rest]"
    first = head(text, most * 2 // 3)
    last = tail(text, most - len(first)) if whole else ""
    rest = "" if whole else "; read the file for the rest"
    return f"{first}\n[{len(text) - len(first) - len(last):,} characters left out here{rest}]\n{last}"
