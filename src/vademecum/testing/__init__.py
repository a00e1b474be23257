"""For tests of programs that use Vademecum: a scripted model, and transcripts to try them on.

`sample` gives one transcript, the same for the same arguments; `transcripts` is a Hypothesis strategy
for all kinds of them and needs the extra `testing`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from vademecum.errors import ConfigError
from vademecum.models.model import Prompt, Reply
from vademecum.models.scripted import ScriptedModel
from vademecum.testing.sessions import sample

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

    from vademecum.testing.strategies import Rows

__all__ = ["Prompt", "Reply", "ScriptedModel", "sample", "transcripts"]


def transcripts(format: str = "openai-chat", *, most_turns: int = 6, sound: bool = False) -> SearchStrategy[Rows]:
    """Wire messages as agents and careless clients send them: a strategy for Hypothesis.

    Args:
        format: `openai-chat` or `anthropic`.
        most_turns: Turns at most.
        sound: Only what the strictest consumer of the format takes: every call answered at once, no
            empty texts, no lone surrogates, roles that alternate.

    Raises:
        ConfigError: Hypothesis is not installed, or there is no such format.
    """
    try:
        from vademecum.testing.strategies import wire_transcripts
    except ImportError as error:
        raise ConfigError(
            f"vademecum.testing.transcripts needs {error.name or 'hypothesis'}",
            hint="pip install 'vademecum[testing]'",
        ) from error
    return wire_transcripts(format, most_turns=most_turns, sound=sound)
