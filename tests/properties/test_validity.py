"""What is sent after a compaction is valid, keeps the user's words and is smaller."""

from hypothesis import given
from hypothesis import strategies as st

from properties.walking import FEW, Walk, applied, newest_typed, own_problems, same, texts_sent, walked, walks
from requirement import requirement
from vademecum.core.text import is_clean
from vademecum.models.tokenizer import count_tokens


@requirement("I1", "C-29", "C-21")
@FEW
@given(walks(sound=True))
def test_a_sound_transcript_stays_sound(walk: Walk) -> None:
    for step in walked(walk):
        sent = [step.session.dialect.load(row, at) for at, row in enumerate(step.done.messages)]
        assert step.session.dialect.problems(sent) == ()


@requirement("I1", "C-29")
@FEW
@given(walks(sound=False))
def test_no_compaction_makes_a_problem_of_its_own(walk: Walk) -> None:
    for step in walked(walk):
        assert step.done.receipt.outcome not in ("invalid", "failed"), step.done.receipt.failure
        if applied(step):
            assert own_problems(step) == []


@requirement("I3", "C-27")
@FEW
@given(walks(sound=False))
def test_the_newest_words_of_the_user_are_there(walk: Walk) -> None:
    for step in walked(walk):
        wanted = newest_typed(step.messages)
        if not applied(step):
            wanted = []
        there = texts_sent(step)
        assert step.done.plan is None or step.done.plan.carry is None or isinstance(there, list)
        missing = [text for text in wanted if text.strip() and not any(text.strip() in sent for sent in there)]
        if missing:
            # It may be cut only where it alone would fill the window.
            assert sum(count_tokens(wanted)) + step.done.receipt.overhead_tokens > 0.5 * walk.window


@requirement("I2", "C-6", "C-22")
@FEW
@given(walks(sound=False), st.booleans())
def test_a_context_shrinks_or_stays(walk: Walk, token_compression: bool) -> None:
    standing: list[object] = []
    before = 0
    for step, stop in zip(walked(walk, token_compression=token_compression), walk.stops, strict=True):
        receipt = step.done.receipt
        if applied(step):
            assert receipt.tokens_after < receipt.tokens_before
            assert receipt.tokens_after <= walk.window
            assert sum(receipt.categories_after.values()) == receipt.tokens_after
            assert sum(receipt.categories_before.values()) == receipt.tokens_before
        else:
            assert same(step, step.done.messages) == same(step, [*standing, *walk.rows[before:stop]])
        standing, before = list(step.done.messages), stop


@requirement("I4", "C-30")
@FEW
@given(walks(sound=False))
def test_the_head_is_the_callers_own(walk: Walk) -> None:
    for step in walked(walk):
        for row, sent in zip(walk.rows, step.done.messages, strict=False):
            if row["role"] != "system":
                break
            assert sent is row


@requirement("I1")
@FEW
@given(walks(sound=False))
def test_what_we_write_has_no_surrogate_and_no_nul(walk: Walk) -> None:
    for step in walked(walk):
        plan = step.done.plan
        if plan is not None and plan.carry is not None:
            assert is_clean(plan.carry.text)
            assert all(is_clean(edit.text or "") for edit in plan.edits.values())
