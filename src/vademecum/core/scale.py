"""The scale between our own count of a context and the model's: an overhead is added, a ratio multiplies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from vademecum.core.budget import Budget, Window

#: No tokenizer counts less than half or more than twice as many tokens as another one on a whole context.
LEAST_RATIO, MOST_RATIO = 0.5, 2.0
#: What stands outside the messages, among the categories of a context.
_OUTSIDE = ("system", "tools")


@dataclass(frozen=True, slots=True)
class Scale:
    """How a context that was counted here comes out at the model: `overhead + ratio × messages`.

    Attributes:
        ratio: Tokens of the model's for one of ours.
        overhead: The model's tokens of what stands outside the messages: system text, tools, template.
        outside: Our count of the same.
    """

    ratio: float = 1.0
    overhead: float = 0.0
    outside: int = 0

    @property
    def is_own(self) -> bool:
        """Whether our count is the figure."""
        return self.ratio == 1.0 and self.overhead == self.outside

    def size(self, whole: int) -> int:
        """The model's tokens of a whole context that has so many by our count."""
        return round(self.overhead + self.ratio * (whole - self.outside))

    def counted(self, size: int) -> int:
        """How many tokens by our count a context of that size has; at least 1."""
        return max(1, round(self.outside + (size - self.overhead) / self.ratio))

    def share(self, tokens: int) -> int:
        """The model's tokens of a part of the messages."""
        return round(self.ratio * tokens)

    def through(self, whole: int, size: int) -> Scale:
        """The scale on which a context counted as `whole` has the size that was measured for it.

        So what a compaction frees is taken from a measured size, like from like. What a ratio cannot explain is
        overhead.
        """
        messages = whole - self.outside
        if self.size(whole) == size or messages <= 0:
            return self
        ratio = min(MOST_RATIO, max(LEAST_RATIO, (size - self.overhead) / messages))
        return Scale(ratio, size - ratio * messages, self.outside)

    def budget(self, real: Budget) -> Budget:
        """A budget of the model's tokens in ours, for a planner that counts."""
        if self.is_own:
            return real
        return replace(
            real,
            window=Window(self.counted(real.window.tokens), real.window.origin),
            trigger_tokens=self.counted(real.trigger_tokens),
            acting_trigger=self.counted(real.acting_trigger),
            target_cap=max(1, round(real.target_cap / self.ratio)),
            target_override=self.counted(real.target_override) if real.target_override else 0,
        )

    def categories(self, counted: Mapping[str, int]) -> dict[str, int]:
        """Tokens by category on this scale; they add up to the size of the whole."""
        if self.is_own:
            return dict(counted)
        outside = sum(counted[name] for name in _OUTSIDE)
        shares = {
            name: round(tokens * self.overhead / outside) if name in _OUTSIDE and outside else self.share(tokens)
            for name, tokens in counted.items()
        }
        largest = max(shares, key=lambda name: shares[name])
        shares[largest] += self.size(sum(counted.values())) - sum(shares.values())
        return shares


#: Our count as it is.
OWN_SCALE = Scale()
