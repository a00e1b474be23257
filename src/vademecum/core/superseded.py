"""Superseded reads: results whose file was read again, or changed, since: they are the first to be stubbed (C-40)."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from vademecum.core.messages import Message
from vademecum.core.pairing import Pairing, Spot
from vademecum.core.reads import Access, ReadRule, accesses, refers_back


@dataclass(frozen=True, slots=True)
class Newer:
    """What makes a read stale.

    Attributes:
        spot: The newer result, or the call that changed the file.
        how: Whether the file was read again or changed.
    """

    spot: Spot
    how: Literal["read", "changed"]


#: A second read that brought less than this share of the first one has probably failed.
_LEAST_SHARE = 0.25


def superseded(messages: Sequence[Message], pairing: Pairing, rule: ReadRule) -> Mapping[Spot, Newer]:
    """Stale reads, each with the newest result that shows at least its lines, else with the newest change."""
    found: dict[Spot, Newer] = {}
    open_reads: dict[str, list[tuple[Spot, Access]]] = {}
    for result, call, access in accesses(messages, pairing, rule):
        text = messages[result[0]].parts[result[1]].text
        names = {posixpath.basename(path) for path in access.paths}
        earlier = [entry for name in names for entry in open_reads.get(name, ())]
        if not access.key:
            for spot, read in earlier:
                if access.touches(read) and (spot not in found or found[spot].how == "changed"):
                    found[spot] = Newer(call, "changed")
        elif not refers_back(text, rule):
            for spot, read in earlier:
                if access.covers(read) and len(text) >= _LEAST_SHARE * _length(messages, spot):
                    found[spot] = Newer(result, "read")
            for name in names:
                open_reads.setdefault(name, []).append((result, access))
    return found


def _length(messages: Sequence[Message], spot: Spot) -> int:
    return len(messages[spot[0]].parts[spot[1]].text)
