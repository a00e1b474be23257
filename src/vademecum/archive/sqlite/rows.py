"""Row ids: composed of run, position and number, so that a lineage is a few ranges in every table."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from functools import lru_cache

_POSITION_BITS = 24
_NUMBER_BITS = 16
#: More facts or passages than this of one message are not stored; the message itself always is.
MOST_NUMBERS = (1 << _NUMBER_BITS) - 1
MOST_POSITIONS = (1 << _POSITION_BITS) - 1


@dataclass(frozen=True, slots=True)
class Range:
    """Positions `start` to `stop` (exclusive) of a run."""

    run: int
    start: int
    stop: int

    @property
    def messages(self) -> tuple[int, int]:
        """First and last row id among messages, both inclusive."""
        return message_row(self.run, self.start), message_row(self.run, self.stop) - 1

    @property
    def numbered(self) -> tuple[int, int]:
        """First and last row id among facts and passages, both inclusive."""
        first, last = self.messages
        return first << _NUMBER_BITS, (last << _NUMBER_BITS) | MOST_NUMBERS


def message_row(run: int, position: int) -> int:
    """The row id of a message."""
    return run << _POSITION_BITS | position


def position_of(row: int) -> int:
    """The position of a message by its row id."""
    return row & MOST_POSITIONS


def run_of(row: int) -> int:
    """The run of a message by its row id."""
    return row >> _POSITION_BITS


def numbered_row(message: int, number: int) -> int:
    """The row id of a fact or passage."""
    return message << _NUMBER_BITS | number


def message_of(row: int) -> int:
    """The message's row id by that of its fact or passage."""
    return row >> _NUMBER_BITS


def number_of(row: int) -> int:
    """The number of a fact or passage within its message."""
    return row & MOST_NUMBERS


def short_int(node: bytes) -> int:
    """The 50 bits of a node's id that stand in its short id."""
    return int.from_bytes(node[:7], "big") >> 6


@lru_cache(maxsize=16_384)
def short_text(value: int) -> str:
    """The short id of those 50 bits."""
    return "t_" + base64.b32encode((value << 6).to_bytes(7, "big")).decode("ascii")[:10].lower()


def short_value(text: str) -> int:
    """The 50 bits of a short id `t_…`."""
    padded = text[2:].upper() + "A" * 6
    return int.from_bytes(base64.b32decode(padded)[:7], "big") >> 6
