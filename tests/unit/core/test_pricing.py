"""What breaking the provider's prompt cache costs, and when it has paid for itself."""

from requirement import requirement
from vademecum import compact
from vademecum.core.pricing import Rates, cache_break
from vademecum.testing import sample


@requirement("C-40")
def test_a_warm_cache_breaks_at_a_cost_that_savings_pay_back() -> None:
    found = cache_break(100_000, 40_000, 10_000, Rates(read=0.1, write=1.25))
    # 0.1 × 10,000 stay cached, 1.25 × 30,000 are written; 0.1 × 100,000 would have been read.
    assert found.cost_now == 1_000 + 37_500 - 10_000
    assert found.saving_per_request == 6_000
    assert found.pays_back_after == 5
    assert (found.unchanged_tokens, found.rewritten_tokens) == (10_000, 30_000)


@requirement("C-40")
def test_a_cold_cache_breaks_for_nothing() -> None:
    assert cache_break(100_000, 40_000, 0, warm=False).pays_back_after == 0


@requirement("C-40")
def test_what_saves_nothing_never_pays() -> None:
    assert cache_break(40_000, 40_000, 0).pays_back_after == -1


@requirement("C-40", "C-36")
def test_the_receipt_says_so() -> None:
    done = compact(sample(turns=60), window=64_000)
    assert done.receipt.outcome == "compacted"
    assert done.receipt.cache is not None
    assert done.receipt.cache.saving_per_request > 0
