"""With pins in any place: every context is valid, holds the pinned words, and is the same when it is read again."""

from hypothesis import given
from hypothesis import strategies as st

from properties.walking import FEW, Walk, applied, own_problems, walked, walks
from requirement import requirement
from vademecum import Archive
from vademecum.core.carry.wording import neutral
from vademecum.core.identity import chain, part_id
from vademecum.core.text import clean

_PINNABLE = ("text", "tool_call", "tool_result")


def pinnable(walk: Walk) -> list[str]:
    """Ids of parts that are small enough to be pinned."""
    messages = walk.loaded(walk.stops[0])
    return [
        part_id(node, number, len(message.parts))
        for message, node in zip(messages, chain(messages), strict=True)
        for number, part in enumerate(message.parts)
        if part.kind in _PINNABLE and part.text.strip() and len(part.text) < 400
    ]


@requirement("C-39", "C-29")
@FEW
@given(walks(sound=True), st.data())
def test_pins_stay_and_break_nothing(walk: Walk, data: st.DataObject) -> None:
    archive = Archive.memory()
    session = archive.session("walk", format=walk.format)
    session.pin("a rule of its own: zeus-17")
    offered = pinnable(walk)
    chosen = data.draw(st.lists(st.sampled_from(offered), max_size=4, unique=True)) if offered else []
    wanted = {clean(neutral("a rule of its own: zeus-17"))}
    for number, step in enumerate(walked(walk, archive, pin_cap=1_500)):
        if number == 0:
            for id in chosen:
                wanted |= {clean(neutral(pin.text)) for pin in session.pin(id)}
            continue
        if applied(step):
            assert not own_problems(step)
        if applied(step) and not step.done.receipt.pins_left_out:
            texts = [clean(part.text) for message in step.done.context for part in message.parts]
            assert all(any(text.strip() in there for there in texts) for text in wanted)
        again = [message.identity for message in session.projection()]
        assert again == [message.identity for message in step.done.context]
