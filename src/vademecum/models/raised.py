"""What an exception of a model's library means."""

from __future__ import annotations

from vademecum.errors import ModelError
from vademecum.models.clients.failure import sent_back, verdict_of
from vademecum.models.errors import Verdict, classify
from vademecum.models.errors.table import Table


def verdict_on(error: Exception, *, status: int | None = None, table: Table | None = None) -> Verdict | None:
    """What an exception means: by the verdict that it has, the body that it came with, or its text.

    Args:
        error: What was raised by an SDK, an HTTP library or one of our own clients.
        status: The HTTP status, where the exception does not have it.
        table: The wordings; None for the packaged ones.
    """
    if isinstance(error, ModelError) and isinstance(error.verdict, Verdict):
        return verdict_of(error)
    found, body = sent_back(error)
    if body is None and found is None and status is None and isinstance(error, OSError):
        return Verdict("unavailable", row="no answer")
    return classify(str(error) if body is None else body, status=status or found, table=table)
