"""What must stay in the context of a model with a very small window, however often it is compacted."""

import pytest

from requirement import requirement
from vademecum import Compactor

RULE = "You read the notes of a machine room. Answer each in at most eight words. Never restart host db-7."


@requirement("C-23", "C-31")
@pytest.mark.parametrize("window", [2_048, 4_096, 8_192])
def test_the_rule_of_the_first_message_stays(window: int) -> None:
    messages = [{"role": "user", "content": RULE}]
    compactor, cycle = Compactor(window=window), 0
    for note in range(1, 130):
        fans = ", ".join(f"fan {fan} at {900 + fan * note % 400} rpm" for fan in range(12))
        text = f"Note {note}: host web-{note} lost disk sd{note} with error E{note * 7919 % 10_000:04}; {fans}."
        messages.append({"role": "user", "content": text})
        done = compactor.fit(messages)
        cycle = done.receipt.cycle
        assert RULE in str(done.messages), f"gone in cycle {cycle}"
        messages.append({"role": "assistant", "content": f"Host web-{note} lost disk sd{note}."})
    assert cycle >= 12


@requirement("C-23")
def test_the_same_with_ten_rules_in_a_window_of_8k() -> None:
    rules = [f"Never touch volume vol-{number} of the array." for number in range(10)]
    messages = [{"role": "user", "content": "Watch the array."}]
    compactor = Compactor(window=8_192, max_output=1_024)
    for note in range(1, 160):
        rule = f" {rules[note // 4]}" if note % 4 == 0 and note < 40 else ""
        messages.append({"role": "user", "content": f"Note {note}: temperature {note * 37 % 61}." * 6 + rule})
        done = compactor.fit(messages)
        messages.append({"role": "assistant", "content": f"Noted {note}, all as before."})
    kept = [rule for rule in rules[1:] if rule in str(done.messages)]
    assert kept == rules[1:]
