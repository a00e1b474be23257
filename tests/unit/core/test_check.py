"""The last check before a plan is applied: it holds whatever the tiers did."""

from dataclasses import replace

from requirement import requirement
from unit.core.cases import case_of, driven, whole
from vademecum.core.apply import emitted
from vademecum.core.carry import write_carry
from vademecum.core.check import violations
from vademecum.core.shape import shape_of
from vademecum.testing import sample

ROWS = sample(turns=6)


@requirement("I3", "C-27")
def test_a_plan_without_the_newest_words_is_refused() -> None:
    rows = [*ROWS, {"role": "user", "content": "Now publish it under the name quxoria."}]
    case = case_of(rows=rows)
    draft = replace(whole(case), fold=len(case.live))
    carry = driven(write_carry(case, draft, 2_000), rows=rows)
    sound = driven(shape_of(case, emitted(case, draft, carry)), rows=rows)
    assert not any("newest user message" in told for told in violations(case, draft, carry, sound))
    without = replace(carry, text=carry.text.replace("quxoria", "…"), requests=())
    shape = driven(shape_of(case, emitted(case, draft, without)), rows=rows)
    assert any("newest user message" in told for told in violations(case, draft, without, shape))
