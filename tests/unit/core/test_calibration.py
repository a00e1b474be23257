"""What is learned of a model's sizes from those that it reports."""

import pytest

from requirement import requirement
from vademecum.core.calibration import OWN, UNKNOWN, UNKNOWN_RATIO, UNNAMED, Calibration, Ratio

#: Tools and system text, the messages of the first report, what templates add, how tools are rendered.
SESSIONS = [
    (outside, messages, added, rendered)
    for outside in (500, 5_000, 25_000)
    for messages in (5_000, 60_000)
    for added in (0, 350)
    for rendered in (0.9, 1.0)
]


def reported(ratio: float, outside: int, added: int, rendered: float, messages: int) -> int:
    """What a provider would report: its tools rendered in its own way, its own tokenizer for all."""
    return round(ratio * rendered * outside + added + ratio * messages)


@requirement("C-12")
def test_before_the_first_report_the_ratio_is_what_the_family_gives() -> None:
    assert Calibration.of(OWN, 1_000).scale.is_own
    assert Calibration.of(UNNAMED, 1_000).scale.is_own
    assert Calibration.of(UNKNOWN, 1_000).scale.size(9_000) == UNKNOWN_RATIO * 9_000
    assert Calibration.of(Ratio(1.4, 0.08), 1_000).scale.size(9_000) == 1.4 * 9_000


@requirement("C-13")
@pytest.mark.parametrize("ratio", [0.84, 1.0, 1.16, 1.4])
@pytest.mark.parametrize(("outside", "messages", "added", "rendered"), SESSIONS)
def test_one_report_is_enough_for_the_next_requests(
    ratio: float, outside: int, messages: int, added: int, rendered: float
) -> None:
    """Within 3 % a round later, by what was reported and what came since."""
    first = reported(ratio, outside, added, rendered, messages)
    learned = Calibration.of(UNKNOWN, outside).after(first, messages)
    assert learned.scale.size(outside + messages) == pytest.approx(first, rel=0.01)
    for more in (500, 2_000):
        found = first + learned.scale.share(more)
        assert found == pytest.approx(reported(ratio, outside, added, rendered, messages + more), rel=0.03)


@requirement("C-13")
@pytest.mark.parametrize("ratio", [1.0, 1.16, 1.4])
@pytest.mark.parametrize("outside", [500, 25_000])
@pytest.mark.parametrize("rendered", [0.5, 1.0, 1.3])
def test_reports_of_a_session_that_grows_tell_overhead_and_ratio_apart(
    ratio: float, outside: int, rendered: float
) -> None:
    learned = Calibration.of(UNKNOWN, outside)
    for messages in range(200, 60_000, 3_000):
        learned = learned.after(reported(ratio, outside, 350, rendered, messages), messages)
    assert learned.ratio == pytest.approx(ratio, rel=0.01)
    assert learned.overhead == pytest.approx(ratio * rendered * outside + 350, rel=0.05, abs=60)
    assert learned.learned.spread < 0.05


@requirement("C-13")
def test_tools_beside_a_short_chat_are_no_multiplier() -> None:
    """25,000 tokens of schemas beside 200 of chat: what they cost differently says nothing about the chat."""
    learned = Calibration.of(UNKNOWN, 25_000).after(12_500, 200)
    assert 0.9 < learned.ratio < 1.5
    assert learned.overhead == pytest.approx(12_300, rel=0.02)


@requirement("C-13")
def test_tools_that_are_revealed_are_a_step() -> None:
    learned = Calibration.of(UNKNOWN, 1_000)
    for messages in (2_000, 10_000, 20_000):
        learned = learned.after(reported(1.2, 1_000, 0, 1.0, messages), messages)
    more = learned.beside(9_000)
    assert more.ratio == learned.ratio
    assert more.overhead == pytest.approx(learned.overhead + 1.2 * 8_000, rel=0.01)
    corrected = more.after(reported(1.2, 1_000, 0, 1.0, 20_000) + 5_000, 20_000)
    assert corrected.ratio == pytest.approx(1.2, rel=0.02)
    assert corrected.overhead == pytest.approx(1_200 + 5_000, rel=0.1)
    assert more.beside(1_000).overhead == pytest.approx(learned.overhead)


@requirement("C-13")
@pytest.mark.parametrize(("told", "messages"), [(90_000, 800), (5_000, 1), (10, 60_000), (1, 1)])
def test_what_no_tokenizer_explains_is_overhead(told: int, messages: int) -> None:
    learned = Calibration.of(UNKNOWN, 300).after(told, messages)
    assert 0.5 <= learned.ratio <= 2.0
    assert learned.overhead >= 0
    if told > messages:
        assert learned.scale.size(300 + messages) == pytest.approx(told, rel=0.02, abs=5)


@requirement("C-10", "C-13")
def test_a_report_that_nothing_explains_teaches_nothing() -> None:
    """Such as one about a request before a compaction: its tokens are no overhead of the next."""
    known = Calibration.of(UNKNOWN, 2_000)
    assert known.after(363_095, 28_387) == known
    assert known.after(140_000, 28_387) != known
