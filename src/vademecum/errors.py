"""The error tree of Vademecum, drawn before anything that raises.

Every text says what is wrong with which value; `hint` says what to do about it. Errors of other
libraries are wrapped at the border where they arise, so a caller needs to know this tree only.

    VademecumError
    ├── ConfigError                 a setting, flag or argument is wrong
    ├── WireError                   a message is not what its wire format allows
    ├── CannotFitError              even the smallest possible context exceeds the window
    ├── SummaryError                a summary was refused by its checks
    ├── ArchiveError
    │   ├── SessionNotFound
    │   ├── PartNotFound
    │   ├── AmbiguousId
    │   ├── SchemaTooNew
    │   ├── SessionGrew
    │   ├── ArchiveBusy
    │   ├── ArchiveReadOnly
    │   ├── ArchiveFull
    │   └── ArchiveCorrupt
    └── ModelError
        ├── RateLimited
        ├── ContextOverflow
        ├── OutputBudget
        ├── AuthFailed
        ├── Unavailable
        └── BadRequest
"""

from __future__ import annotations

from collections.abc import Sequence


class VademecumError(Exception):
    """Anything that Vademecum raises on purpose.

    Attributes:
        hint: The remedy, one sentence; empty when there is none to give.
    """

    def __init__(self, text: str, *, hint: str = "") -> None:
        super().__init__(text)
        self.hint = hint


class ConfigError(VademecumError):
    """A setting, a flag or an argument has a value that cannot be used."""


class WireError(VademecumError):
    """A message does not have the shape of its wire format.

    Attributes:
        index: Position of the message in the list, counted from 0; -1 for the list as a whole.
        reason: What is wrong with it.
    """

    def __init__(self, index: int, reason: str, *, hint: str = "") -> None:
        where = "the messages" if index < 0 else f"message {index}"
        super().__init__(f"{where}: {reason}", hint=hint)
        self.index = index
        self.reason = reason


class CannotFitError(VademecumError):
    """The smallest context that could be built is still larger than the window.

    Attributes:
        floor: Tokens of the smallest context that could be built.
        target: Tokens that it would have had to fit in.
    """

    def __init__(self, floor: int, target: int, *, hint: str = "") -> None:
        super().__init__(
            f"the smallest possible context has {floor:,} tokens, the window leaves {target:,}",
            hint=hint or "use a model with a larger window, or shorten the system prompt, tools or pinned parts",
        )
        self.floor = floor
        self.target = target


class SummaryError(VademecumError):
    """A summary did not pass its checks; `reason` is one of the names in `core.summary_check`."""

    def __init__(self, reason: str, *, hint: str = "") -> None:
        super().__init__(f"the summary was refused: {reason}", hint=hint)
        self.reason = reason


class ArchiveError(VademecumError):
    """The archive cannot do what was asked of it."""


class SessionNotFound(ArchiveError):
    """No session of that id; `nearest` are ids that resemble it."""

    def __init__(self, session: str, nearest: Sequence[str] = ()) -> None:
        hint = f"did you mean {', '.join(nearest)}?" if nearest else "`vademecum sessions` lists them"
        super().__init__(f"no session {session!r} in the archive", hint=hint)
        self.session = session
        self.nearest = tuple(nearest)


class PartNotFound(ArchiveError):
    """No message or part of that id; `nearest` are ids that resemble it."""

    def __init__(self, part: str, nearest: Sequence[str] = ()) -> None:
        hint = (
            f"the nearest ids are {', '.join(nearest)}" if nearest else "ids look like t_k3x5mq2v7a or t_k3x5mq2v7a.2"
        )
        super().__init__(f"no part {part!r} in the archive", hint=hint)
        self.part = part
        self.nearest = tuple(nearest)


class AmbiguousId(ArchiveError):
    """An id names several different messages; `candidates` tell them apart."""

    def __init__(self, part: str, candidates: Sequence[str]) -> None:
        super().__init__(
            f"{part!r} names {len(candidates)} different messages: {', '.join(candidates)}",
            hint="give the session too, with --session",
        )
        self.part = part
        self.candidates = tuple(candidates)


class SchemaTooNew(ArchiveError):
    """The archive was written by a later version of Vademecum."""

    def __init__(self, path: str, found: int, known: int) -> None:
        super().__init__(
            f"{path} has schema {found}, this version knows schemas up to {known}",
            hint="upgrade vademecum, or open another file with --db",
        )
        self.found = found
        self.known = known


class SessionGrew(ArchiveError):
    """Another process appended to the session meanwhile; read it again and append what is new."""

    def __init__(self, session: str, length: int, expected: int) -> None:
        super().__init__(
            f"session {session!r} has {length} messages now, {expected} were expected",
            hint="read it again and append what is new",
        )
        self.session = session


class ArchiveBusy(ArchiveError):
    """Another process held the archive's write lock for too long."""


class ArchiveReadOnly(ArchiveError):
    """The archive's file or folder cannot be written."""


class ArchiveFull(ArchiveError):
    """The disk has no room left for the archive."""


class ArchiveCorrupt(ArchiveError):
    """The file is not an archive, or its pages are damaged."""


class ModelError(VademecumError):
    """A model or its endpoint said no; `model` is the one that was asked, `verdict` what the error means."""

    def __init__(self, text: str, *, model: str = "", hint: str = "") -> None:
        super().__init__(text, hint=hint)
        self.model = model
        self.verdict: object | None = None


class RateLimited(ModelError):
    """Too many requests or tokens for now; `retry_after_s` when the provider said how long."""

    def __init__(self, text: str, *, model: str = "", retry_after_s: float | None = None) -> None:
        super().__init__(text, model=model)
        self.retry_after_s = retry_after_s


class ContextOverflow(ModelError):
    """The request has more tokens than the model's window."""


class OutputBudget(ModelError):
    """The output asked for does not fit beside the input."""


class AuthFailed(ModelError):
    """The key is missing, wrong or not allowed to use the model."""


class Unavailable(ModelError):
    """The endpoint did not answer, or answered that it cannot serve now."""


class BadRequest(ModelError):
    """The endpoint refused the request for what it contains."""
