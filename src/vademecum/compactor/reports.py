"""Taking what a provider reported for a request: recorded, anchored, learned from; or found to be no size at all."""

from __future__ import annotations

from dataclasses import replace

from vademecum.archive import Session
from vademecum.compactor.calibrations import Calibrations
from vademecum.compactor.memory import Memory, Sent
from vademecum.compactor.options import Options
from vademecum.wire.usage import Usage

#: Formats whose servers cut a prompt that is too long without a word and report the size of the rest, and how many
#: times that has to be in what was sent for it to be one.
_CUT_SILENTLY = frozenset({"ollama"})
_SUSPECT = 1.5
#: Tokens by our count of which no server can say that there are none.
_GROWN = 32


def taken(session: Session, view: str, sent: Sent, usage: Usage, options: Options) -> bool:
    """Takes a report.

    Args:
        session: The session.
        view: The view whose context was sent.
        sent: What was sent.
        usage: What was reported for it.
        options: How the session is compacted.

    Returns:
        False where the server has cut the prompt without a word.
    """
    memory, at = Memory(session, view), options.now()
    usage = usage if usage.model else replace(usage, model=sent.model)
    with session.archive.connection.transaction():
        session.record_usage(usage, cycle=sent.cycle, at=at)
        if was_cut(session, view, sent, usage):
            memory.remember_cut(usage.prompt_tokens, sent.context)
            return False
        memory.forget_cut()
        # A figure above the window is the sum over several requests; the anchor before it is still true.
        if usage.prompt_tokens > options.budget.window.tokens:
            return True
        memory.remember_anchor(sent.reported(usage))
        Calibrations(session).take(
            sent.model or usage.model,
            reported=usage.prompt_tokens,
            messages=sent.counted,
            outside=sent.outside,
            at=at,
            cached=usage.cached_tokens + usage.written_tokens,
        )
    return True


def was_cut(session: Session, view: str, sent: Sent, usage: Usage) -> bool:
    """Whether a server that cuts prompts without a word has reported what it left of one (M-7).

    A context that grows slowly past the window is never far above what was read of it the time before. But then the
    figure stays the same while the context has grown.
    """
    if session.dialect.name not in _CUT_SILENTLY:
        return False
    if sent.context > _SUSPECT * usage.prompt_tokens:
        return True
    known = Memory(session, view).anchor()
    if known is None or (known.cycle, known.model) != (sent.cycle, sent.model or usage.model):
        return False
    return known.tokens == usage.prompt_tokens and sent.counted - known.counted >= _GROWN
