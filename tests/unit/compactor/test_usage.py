"""The compactor records what replies report, call by call."""

from typing import Any

from requirement import requirement
from vademecum import Archive, Compactor
from vademecum.archive import ModelUsage
from vademecum.testing import sample


@requirement("M-9")
def test_every_reply_is_recorded() -> None:
    session = Archive.memory().session("s", format="openai-chat")
    compactor = Compactor(window=64_000, session=session, now=lambda: 7.0)
    messages = list(sample(turns=3))
    details = {"prompt_tokens_details": {"cached_tokens": 40}, "completion_tokens_details": {"reasoning_tokens": 3}}
    reply: dict[str, Any] = {"model": "m", "usage": {"prompt_tokens": 100, "completion_tokens": 9, **details}}
    compactor.fit(messages)
    compactor.observe(reply)
    messages.append({"role": "user", "content": "go on"})
    compactor.fit(messages)
    compactor.observe(reply)
    compactor.observe({"model": "m"})
    assert session.usage() == (ModelUsage("m", 2, 200, 80, 0, 18, 6),)
