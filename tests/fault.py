"""Ties a test to a kind of fault that users have met: `@fault(51)`, after `from fault import fault`."""

import pytest


def fault(*numbers: int) -> pytest.MarkDecorator:
    """Names the faults that the test shows to be impossible."""
    if not numbers or any(isinstance(number, bool) or not 1 <= number <= 200 for number in numbers):
        raise ValueError(f"{numbers or 'nothing'} names no fault; they are whole numbers")
    return pytest.mark.fault(*numbers)
