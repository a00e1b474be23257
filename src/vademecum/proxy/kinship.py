"""Kinship of transcripts: whether one is another with changes inside, or a branch that only begins like it."""

from __future__ import annotations

from collections.abc import Sequence

from vademecum.core.alignment import Alignment, Key, align
from vademecum.core.messages import Message

#: The share of a known transcript that must be recognised.
_ENOUGH = 0.9
#: With so many messages that call tools or answer, these alone may tell.
_FEW = 8


def continues(known: Sequence[Message], sent: Sequence[Message]) -> bool:
    """Whether a transcript is a known one with changes inside: nearly all of it, its last message, and more.

    A request that only differs at its end is a branch: an answer asked for again, or a call aside.

    Args:
        known: The known transcript.
        sent: What is sent now.
    """
    if len(known) < 2 or len(sent) < len(known) * _ENOUGH:
        return False
    old, new = [Key.of(message) for message in known], [Key.of(message) for message in sent]
    alignment = align(old, new)
    if not alignment.pairs or alignment.pairs[-1][1] == len(sent) - 1:
        return False
    last_old, last_new = alignment.pairs[-1]
    if last_old == len(known) - 1:
        return _most(alignment, old, new)
    # A reminder at the end of the last message stands at the end of the newest one now.
    grown = last_old == len(known) - 2 and len(sent) > last_new + 2
    return grown and _rewritten(known[-1], sent[last_new + 1]) and _most(alignment, old[:-1], new)


def _most(alignment: Alignment, old: Sequence[Key], new: Sequence[Key]) -> bool:
    if alignment.share(len(old), old, new) >= _ENOUGH:
        return True
    # A client may render its texts anew, for another model: the ids of its calls are what stays.
    calling = [at for at, key in enumerate(old) if key.calls]
    pairs = dict(alignment.pairs)
    same = sum(at in pairs and new[pairs[at]].calls == old[at].calls for at in calling)
    return len(calling) >= _FEW and same >= _ENOUGH * len(calling)


def _rewritten(before: Message, now: Message) -> bool:
    """Whether a user's text is the same but for what follows it."""
    if before.role != "user" or now.role != "user":
        return False
    old, new = before.text().strip(), now.text().strip()
    return bool(old and new) and (old.startswith(new) or new.startswith(old))
