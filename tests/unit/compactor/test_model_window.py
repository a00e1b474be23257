"""A compactor that is told its model instead of a window."""

import pytest

from requirement import requirement
from vademecum import Compactor
from vademecum.errors import ConfigError
from vademecum.models.catalog import Catalog
from vademecum.testing import sample


@requirement("M-2")
def test_the_window_is_the_catalogs_and_says_so() -> None:
    known = Catalog.of(None).find("anthropic:claude-sonnet-4-5")
    assert known is not None
    receipt = Compactor(model="anthropic:claude-sonnet-4-5").fit(sample(turns=2)).receipt
    assert (receipt.window.tokens, receipt.window.origin) == (known.window, "catalog")


@requirement("M-2")
def test_a_window_that_is_given_wins() -> None:
    receipt = Compactor(model="anthropic:claude-sonnet-4-5", window=9_000).fit(sample(turns=2)).receipt
    assert (receipt.window.tokens, receipt.window.origin) == (9_000, "user")


def test_without_either_and_with_a_model_that_nobody_knows_it_says_what_to_give() -> None:
    with pytest.raises(ConfigError, match="neither window nor model") as missing:
        Compactor()
    assert "window=200_000" in (missing.value.hint or "")
    with pytest.raises(ConfigError, match="'anthropic:claude-sonet-4-5' is not known") as wrong:
        Compactor(model="anthropic:claude-sonet-4-5")
    assert "claude-sonnet-4-5" in (wrong.value.hint or "")
