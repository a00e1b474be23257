"""The tail: the newest rounds, kept verbatim within a budget of tokens."""

from __future__ import annotations

from vademecum.core.case import Case
from vademecum.core.draft import Draft, with_edits
from vademecum.core.edits import Edit, stub
from vademecum.core.oversized import cut_to
from vademecum.core.pairing import Spot
from vademecum.core.requests import Steps

#: What a stub is taken to cost while the tail is chosen; it is counted when it is written.
_STUB_TOKENS = 60


def tail_budget(case: Case) -> int:
    """Tokens of the tail: lean by the window, and never more than a share of the target (C-31).

    A tail that is counted in messages has that share of the target as its only bound in tokens.
    """
    rule, window = case.preset.tail, case.budget.window.tokens
    if rule.messages:
        return max(1, int(rule.target_share * case.room))
    wished = min(max(int(rule.fraction * window), rule.least), rule.most)
    return max(1, min(wished, int(rule.window_share * window), int(rule.target_share * case.room)))


def choose_tail(case: Case) -> Steps[Draft]:
    """Cuts at a complete round, and shrinks the tail inside where its newest round alone is too large."""
    budget = tail_budget(case)
    sizes, end = case.sizes, len(case.live)
    most = case.preset.tail.messages_at(case.budget.acting_trigger) or end
    start = end
    used = 0
    stubbed: dict[Spot, Edit] = {}
    for newer, cut in zip(reversed(case.cuts[1:]), reversed(case.cuts[:-1]), strict=True):
        size = sum(sizes[cut:newer])
        few = end - cut <= most
        if used + size <= budget and (few or start == end):
            start, used = cut, used + size
            continue
        results = stubbable(case, cut, newer)
        if start == end or (few and results and used + lean_size(case, cut, newer) <= budget):
            stubbed = {spot: stub_edit(case, spot) for spot in results}
            start = cut
        break
    draft = yield from with_edits(case, Draft(fold=0, cut=start, sizes=sizes), stubbed)
    return (yield from _shrink(case, draft, budget))


def stubbable(case: Case, start: int, stop: int) -> list[Spot]:
    """Results in a range that the model has answered already and that may become stubs, oldest first."""
    found: list[Spot] = []
    for index in range(start, min(stop, case.answered)):
        for number, part in enumerate(case.live[index].parts):
            if part.kind != "tool_result" or case.kept_tool(index, number) or (index, number) in case.pinned:
                continue
            if len(part.text) > 4 * _STUB_TOKENS or part.media:
                found.append((index, number))
    return found


def _shrink(case: Case, draft: Draft, budget: int) -> Steps[Draft]:
    """Cuts what is still too large: unanswered results only above half of the target's room."""
    if sum(draft.sizes[draft.cut :]) <= max(budget, case.room // 2):
        return draft
    return (yield from cut_to(case, draft, max(budget, case.room // 2)))


def stub_edit(case: Case, spot: Spot) -> Edit:
    """The stub of a result; that of a stale read says what is newer."""
    part, newer = case.live[spot[0]].parts[spot[1]], case.superseded.get(spot)
    since = ""
    if newer is not None:
        said = "read again, see" if newer.how == "read" else "the file was changed since by"
        since = f"{said} {case.id_of(*newer.spot)}"
    return Edit("stub", stub(part, case.bare_call(*spot), case.id_of(*spot), since))


def lean_size(case: Case, start: int, stop: int) -> int:
    """About how many tokens a range of live messages has once its results are stubbed."""
    gain = sum(max(0, _tokens_of(case, spot) - _STUB_TOKENS) for spot in stubbable(case, start, stop))
    return sum(case.sizes[start:stop]) - gain


def _tokens_of(case: Case, spot: Spot) -> int:
    # Good enough to choose by: the share of the message's tokens by its share of the characters.
    message = case.live[spot[0]]
    total = sum(len(part.text) for part in message.parts) or 1
    return case.sizes[spot[0]] * len(message.parts[spot[1]].text) // total
