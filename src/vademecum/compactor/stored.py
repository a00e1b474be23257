"""Compacting a session as the archive has it, between two requests of its caller."""

from __future__ import annotations

import json

from vademecum.archive import Archive, StoredCompaction
from vademecum.compactor.calibrations import Calibrations
from vademecum.compactor.envelope import Envelope
from vademecum.compactor.flow import Job, brought_under
from vademecum.compactor.intake import known_of
from vademecum.compactor.memory import view_of
from vademecum.compactor.once import outside_tokens
from vademecum.compactor.options import Compaction, Options
from vademecum.core.transcript import Transcript
from vademecum.sessions import read_chat


def compact_stored(archive: Archive, session: str, options: Options) -> Compaction:
    """Compacts a session now, whether or not its trigger is reached.

    It is committed where every request looks before it goes out, so a running caller of the library or the proxy
    has it with its next one; should that be first, the caller's own compaction counts.

    Args:
        archive: The archive.
        session: The session's id.
        options: How to compact.

    Raises:
        SessionNotFound: There is no such session.
        CannotFitError: Even the smallest context exceeds the window.
    """
    held = archive.existing(session)
    known = known_of(held)
    envelope = read_chat(Envelope.loaded(archive.envelope(session)).around([]), held.dialect.name)
    outside = outside_tokens(options.counter, envelope.system, envelope.tools)
    view = view_of(held, options.budget.window.tokens)
    if not sum(outside):
        learned = Calibrations(held).outside()
        outside = (_overhead_before(held.compaction(view), known.transcript) if learned is None else learned, 0)
    return brought_under(Job(held, known.transcript, outside, options, view=view, forced=True))


def _overhead_before(standing: StoredCompaction | None, transcript: Transcript) -> int:
    """What stood outside the messages when the session was compacted last; a proxy's requests have no envelope."""
    if standing is None:
        return 0
    receipt = json.loads(standing.receipt)
    overhead = receipt.get("overhead_tokens", 0) / receipt.get("ratio", 1.0)
    return max(0, round(overhead) - sum(transcript.sizes[: transcript.head]))
