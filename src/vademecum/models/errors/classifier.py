"""The classifier: what an error means, by the table."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from vademecum.models.errors.envelope import Told, opened
from vademecum.models.errors.figures import Figures, beside, figures_of
from vademecum.models.errors.reactions import too_large
from vademecum.models.errors.table import Row, Table, packaged
from vademecum.models.errors.truncation import cut_or_ended
from vademecum.models.errors.verdict import Kind, LimitKind, Verdict
from vademecum.models.errors.wording import plain

_SIZES: AbstractSet[Kind] = {"context_overflow", "output_budget"}
_NUMBERED: AbstractSet[Kind] = {*_SIZES, "output_cap", "long_context_tier"}
#: A number in the body that is a status of HTTP.
_OWN_STATUS = range(400, 600)
#: Fields and codes of what is an error, whatever it says.
_ERRORS, _FAILED = ("error", "errors", "error_code", "error_msg"), frozenset({"error", "response.failed"})


@dataclass(frozen=True, slots=True)
class _Case:
    told: Told
    text: str
    codes: frozenset[str]
    status: int
    provider: str


def classify(
    body: object,
    *,
    status: int | None = None,
    provider: str = "",
    table: Table | None = None,
    expected_input: int | None = None,
    window: int | None = None,
) -> Verdict | None:
    """What an error means; None for what is no error.

    Never raises, whatever the body is.

    Args:
        body: The error: bytes, text, JSON data, or an event of a stream.
        status: The HTTP status; None where there is none.
        provider: The provider's name, where a row asks for it.
        table: Other wordings than the packaged ones.
        expected_input: Tokens that the input is thought to have, which shows a prompt that was cut silently.
        window: The window, which tells an output that ended at it from one that ended at its own limit.
    """
    table = table or packaged()
    told = opened(body)
    ended = cut_or_ended(told.fields, expected_input=expected_input, window=window)
    if ended is not None:
        return ended
    text = plain(told.texts)
    case = _Case(told, text, frozenset(told.codes), _status(told, text, status, table), provider.lower())
    row = next((row for row in table.rows if _holds(row, case)), None)
    if row is None:
        return _unknown(case)
    return _verdict(row, figures_of(told, case.text, table), case, table)


def _status(told: Told, text: str, status: int | None, table: Table) -> int:
    """The HTTP status, or where that says nothing (in a stream, in a log), the one in the body or its text."""
    if status is not None and status >= 400:
        return status
    own = (int(code) for code in told.codes if len(code) == 3 and code.isdigit())
    if (found := next((code for code in own if code in _OWN_STATUS), None)) is not None:
        return found
    said = (match for pattern in table.status if (match := pattern.search(text)) is not None)
    return next((int(match["status"]) for match in said), status or 0)


def _holds(row: Row, case: _Case) -> bool:
    if row.statuses and case.status not in row.statuses:
        return False
    if row.empty and not case.told.empty:
        return False
    if row.providers and not case.provider.startswith(row.providers):
        return False
    if row.codes and not row.codes & case.codes:
        return False
    if row.says is not None and row.says.search(case.text) is None:
        return False
    return row.unless is None or row.unless.search(case.text) is None


def _unknown(case: _Case) -> Verdict | None:
    """What no row tells: what calls itself an error, or is a bare text, may go away by itself."""
    named = any(case.told.fields.get(name) for name in _ERRORS)
    if named or not _FAILED.isdisjoint(case.codes):
        return Verdict("unavailable", row="an error that says nothing")
    if case.text and not case.told.fields and case.status in (0, 200):
        return Verdict("unavailable", certain=False, row="a text that says nothing known")
    return None


def _verdict(row: Row, figures: Figures, case: _Case, table: Table) -> Verdict:
    kind = row.kind
    if row.limit == "none":
        figures = Figures(retry_after=figures.retry_after)
    elif kind == "rate_limit" and figures.limit and figures.total and figures.total > figures.limit:
        kind = "rate_budget"
    elif kind == "context_overflow":
        figures = beside(figures, case.text, table)
    if kind in _SIZES:
        kind = too_large(kind, figures.limit, figures.observed, figures.output)
    limit, limit_kind = _limit(kind, row, figures)
    shown = kind in _SIZES or kind == "rate_budget"
    return Verdict(
        kind=kind,
        limit=limit,
        limit_kind=limit_kind,
        observed_input=(figures.observed or None) if shown else None,
        asked_output=figures.output if kind in _SIZES else None,
        excess=figures.excess if kind in _SIZES else None,
        retry_after=figures.retry_after,
        learnable=kind == "context_overflow" and limit is not None and row.certain,
        certain=row.certain,
        row=row.name,
    )


def _limit(kind: Kind, row: Row, figures: Figures) -> tuple[int | None, LimitKind]:
    """The limit that is named, and what it limits."""
    if kind == "output_cap":
        return figures.cap, "output" if figures.cap is not None else ""
    if kind not in _NUMBERED or figures.limit is None:
        return None, ""
    return figures.limit, "input" if row.limit == "input" else "window"
