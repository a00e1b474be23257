"""Between our count and the model's: sizes, budgets and categories."""

import pytest

from requirement import requirement
from vademecum.core.budget import Window, budget
from vademecum.core.meter import CATEGORIES
from vademecum.core.scale import Scale
from vademecum.presets import preset

SCALE = Scale(1.4, 9_000, 5_000)


@requirement("C-13")
def test_a_size_and_back() -> None:
    assert SCALE.size(5_000) == 9_000
    assert SCALE.size(15_000) == 23_000
    assert SCALE.counted(23_000) == 15_000
    assert Scale().size(77) == Scale().counted(77) == 77
    assert SCALE.counted(10) == 1


@requirement("C-13")
def test_a_planner_that_counts_ends_where_the_model_is_at_its_target() -> None:
    real = budget(preset("half"), window=Window(200_000))
    ours = SCALE.budget(real)
    for overhead in (5_000, 7_000):
        assert SCALE.size(ours.target(overhead)) == pytest.approx(real.target(SCALE.size(overhead)), abs=2)
    assert SCALE.size(ours.trigger_with(5_000)) == pytest.approx(real.trigger_with(9_000), abs=1)
    assert SCALE.size(ours.usable) <= real.usable
    assert Scale().budget(real) is real
    explicit = budget(preset("half"), window=Window(200_000), trigger=90_000, target=50_000)
    assert SCALE.size(SCALE.budget(explicit).target(5_000)) == pytest.approx(50_000, abs=1)


@requirement("C-13")
def test_what_was_measured_is_on_the_scale_and_what_leaves_is_taken_from_it() -> None:
    through = SCALE.through(15_000, 24_000)
    assert through.size(15_000) == 24_000
    assert (through.ratio, through.overhead) == (1.5, 9_000)
    far = SCALE.through(15_000, 90_000)
    assert (far.ratio, far.size(15_000)) == (2.0, 90_000)
    assert SCALE.through(5_000, 1) is SCALE


@requirement("C-8", "C-13")
def test_categories_add_up_on_a_scale() -> None:
    counted = dict.fromkeys(CATEGORIES, 0) | {"system": 1_000, "tools": 4_000, "user": 333, "tool_results": 7_777}
    found = SCALE.categories(counted)
    assert sum(found.values()) == SCALE.size(sum(counted.values()))
    assert (found["system"], found["tools"], found["user"]) == (1_800, 7_200, 466)
    assert Scale().categories(counted) == counted
