"""What an arm is: a function from a lineage's prefix to the context that it keeps."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, cast

from vademecum.bench.lineage import Lineage
from vademecum.core.messages import Message
from vademecum.core.pairing import pair, safe_cuts
from vademecum.core.tokens import TokenCounter
from vademecum.errors import ConfigError
from vademecum.summarizers import Summarizer


@dataclass(frozen=True)
class Job:
    """What an arm is given.

    Attributes:
        lineage: The transcript that is to be compacted.
        counter: Counts tokens; the same for all arms.
        window: The model's window in tokens.
        target: Where an arm that aims at a size is to end, in tokens, overhead included.
        options: What the arm's row sets beside that.
        seed: For arms that choose by chance.
        summarizer: Answers requests for summaries; None without a model.
    """

    lineage: Lineage
    counter: TokenCounter
    window: int
    target: int
    options: Mapping[str, Any] = field(default_factory=dict[str, Any])
    seed: int = 0
    summarizer: Summarizer | None = None

    @property
    def messages(self) -> tuple[Message, ...]:
        """The transcript."""
        return self.lineage.messages

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """Tokens of each message."""
        return self.counter.messages(self.messages)

    @cached_property
    def cuts(self) -> tuple[int, ...]:
        """Where the transcript may be cut: between complete rounds."""
        return safe_cuts(self.messages, pair(self.messages))

    @cached_property
    def head(self) -> int:
        """How many leading system rows there are; every arm keeps them."""
        return next((at for at, message in enumerate(self.messages) if message.role != "system"), len(self.messages))

    def tail_from(self, tokens: int) -> int:
        """Index of the first message of the longest tail of complete rounds that has at most so many tokens.

        Where a large round would leave less than half of that, the tail has the round too.
        """
        total, start = 0, len(self.messages)
        for at in range(len(self.messages) - 1, self.head - 1, -1):
            total += self.sizes[at]
            if total > tokens:
                break
            start = at
        cut = min((at for at in self.cuts if at >= start), default=len(self.messages))
        if sum(self.sizes[cut:]) < tokens // 2:
            cut = max((at for at in self.cuts if self.head <= at < cut), default=cut)
        return cut


@dataclass(frozen=True)
class Kept:
    """What an arm keeps.

    Attributes:
        messages: The context that a model would be sent.
        details: What else it has to say, for its row of the table.
    """

    messages: tuple[Message, ...]
    details: Mapping[str, Any] = field(default_factory=dict[str, Any])


Arm = Callable[[Job], Kept]


@dataclass(frozen=True)
class Row:
    """One row of the table of arms.

    Attributes:
        name: Its name.
        arm: The function.
        options: What it is given beside the job.
        searches: Whether it is shown with one search too; false for those that mean to keep everything.
        needs_model: Whether it asks for summaries. A function with an attribute `needs_model` says so itself.
    """

    name: str
    arm: Arm
    options: Mapping[str, Any] = field(default_factory=dict[str, Any])
    searches: bool = True
    needs_model: bool = False


def arm_of(dotted: str) -> Arm:
    """Somebody's own arm, by its dotted name (`package.module:function`).

    Raises:
        ConfigError: There is no such function.
    """
    module, _, name = dotted.partition(":")
    try:
        found = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError, ValueError) as error:
        raise ConfigError(
            f"there is no arm {dotted!r}: {error}", hint="write it as package.module:function"
        ) from error
    if not callable(found):
        raise ConfigError(f"{dotted!r} is no function", hint="an arm takes a Job and returns a Kept")
    return cast("Arm", found)
