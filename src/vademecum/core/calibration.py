"""Learning what counting misses from reported sizes: overhead by difference, a tokenizer's error as a ratio (C-13).

A report is one equation, `reported = overhead + ratio × messages`, with two unknowns. Both are kept with how
uncertain they are (a Kalman filter of two states): the first report moves whichever is less certain, and each report
of the same session at another size tells them further apart, because only the messages have grown in between.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from vademecum.core.scale import LEAST_RATIO, MOST_RATIO, Scale

#: What another tokenizer may count for one token of ours, where nothing was learned yet (C-12).
UNKNOWN_RATIO = 1.25
#: How far off a ratio may be, as a standard deviation: of the model's own vocabulary, of one that was learned from
#: other sessions (prose, code and scripts differ), of one that nothing is known of.
OWN_SPREAD, LEARNED_SPREAD, UNKNOWN_SPREAD = 0.03, 0.08, 0.2
#: How far off the overhead may be: by a share of what was counted, as tools are rendered in another way, and by some
#: tokens that templates add.
_OVERHEAD_SHARE, _OVERHEAD_TOKENS = 0.25, 100.0
#: How far a report may be off the line: by a share of the messages, and by some tokens.
_NOISE_SHARE, _NOISE_TOKENS = 0.01, 5.0
#: The most that a gateway adds to a request on its own; a report that is further off is about something else.
_MOST_HIDDEN = 120_000
#: What a ratio may drift from one report to the next, as the content of a session changes.
_DRIFT = 0.002


@dataclass(frozen=True, slots=True)
class Ratio:
    """A tokenizer's error, and how far off it may be (a standard deviation)."""

    value: float = 1.0
    spread: float = UNKNOWN_SPREAD


#: Of the model's own vocabulary, of another one that nothing is known of, and where no model is named.
OWN = Ratio(1.0, OWN_SPREAD)
UNKNOWN = Ratio(UNKNOWN_RATIO, UNKNOWN_SPREAD)
UNNAMED = Ratio(1.0, UNKNOWN_SPREAD)


@dataclass(frozen=True, slots=True)
class Calibration:
    """What is known of a model's sizes in one session.

    Attributes:
        ratio: Tokens of the model's for one of ours.
        overhead: The model's tokens of what stands outside the messages.
        outside: Our count of the same.
        variance: Of the ratio.
        shared: Covariance of ratio and overhead.
        overhead_variance: Of the overhead.
        reports: How many reports it was learned from.
    """

    ratio: float
    overhead: float
    outside: int
    variance: float
    shared: float
    overhead_variance: float
    reports: int = 0

    @classmethod
    def of(cls, ratio: Ratio, outside: int) -> Calibration:
        """What is assumed before the first report: the overhead is counted as far off as the rest, and some."""
        variance = ratio.spread**2
        own = (_OVERHEAD_SHARE * outside) ** 2 + _OVERHEAD_TOKENS**2
        return cls(
            ratio.value, ratio.value * outside, outside, variance, variance * outside, variance * outside**2 + own
        )

    @property
    def scale(self) -> Scale:
        """The same to measure by."""
        return Scale(self.ratio, self.overhead, self.outside)

    @property
    def learned(self) -> Ratio:
        """The ratio, for other sessions."""
        return Ratio(self.ratio, self.variance**0.5)

    def beside(self, outside: int) -> Calibration:
        """The same beside another system text or other tools: the overhead changes by what we count more or less."""
        more = outside - self.outside
        if not more:
            return self
        return replace(
            self,
            overhead=max(0.0, self.overhead + self.ratio * more),
            outside=outside,
            shared=self.shared + self.variance * more,
            overhead_variance=self.overhead_variance
            + 2 * self.shared * more
            + self.variance * more**2
            + (_OVERHEAD_SHARE * more) ** 2,
        )

    def after(self, reported: int, messages: int) -> Calibration:
        """What is known after a report; one that no tokenizer and no gateway explains teaches nothing.

        Args:
            reported: All prompt tokens that the provider reported.
            messages: Our count of the messages that it read, without what stands outside of them.
        """
        if reported > MOST_RATIO * (messages + self.outside) + _MOST_HIDDEN:
            return self
        of_ratio = self.variance * messages + self.shared
        of_overhead = self.shared * messages + self.overhead_variance
        noise = (_NOISE_SHARE * messages) ** 2 + _NOISE_TOKENS**2
        total = of_ratio * messages + of_overhead + noise
        miss = reported - self.overhead - self.ratio * messages
        ratio = self.ratio + of_ratio / total * miss
        overhead = self.overhead + of_overhead / total * miss
        if not LEAST_RATIO <= ratio <= MOST_RATIO or overhead < 0:
            return self._bounded(reported, messages, ratio)
        return Calibration(
            ratio,
            overhead,
            self.outside,
            self.variance - of_ratio**2 / total + _DRIFT**2,
            self.shared - of_ratio * of_overhead / total,
            self.overhead_variance - of_overhead**2 / total,
            self.reports + 1,
        )

    def _bounded(self, reported: int, messages: int, ratio: float) -> Calibration:
        """No tokenizer is that far off: what it cannot explain is overhead, such as a prompt that a gateway adds."""
        bound = min(MOST_RATIO, max(LEAST_RATIO, self.ratio if reported > messages * self.ratio else ratio))
        return replace(self, ratio=bound, overhead=max(0.0, reported - bound * messages), reports=self.reports + 1)
