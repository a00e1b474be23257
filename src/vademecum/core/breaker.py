"""The breaker: stops attempts that do not help, and tries again later."""

from __future__ import annotations

from dataclasses import dataclass, replace

from vademecum.core.preset import BreakerRule

_RULE = BreakerRule()


@dataclass(frozen=True, slots=True)
class Breaker:
    """What is remembered of attempts that did not help; kept with the session.

    Attributes:
        failures: How many there were in a row.
        size: Tokens of the context at the last of them.
        window: The window at the last of them.
    """

    failures: int = 0
    size: int = 0
    window: int = 0

    def allows(self, size: int, window: int, rule: BreakerRule = _RULE) -> bool:
        """Whether an attempt may be made at this size."""
        return self.failures < rule.failures or size > rule.growth * self.size or window > self.window

    def after(self, size: int, window: int, *, helped: bool) -> Breaker:
        """The state after an attempt: one failure at most is counted for it."""
        return Breaker() if helped else replace(self, failures=self.failures + 1, size=size, window=window)
