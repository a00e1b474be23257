"""For tests of programs that use Vademecum: a scripted model, and transcripts to try them on."""

from __future__ import annotations

from vademecum.models.model import Prompt, Reply
from vademecum.models.scripted import ScriptedModel

__all__ = ["Prompt", "Reply", "ScriptedModel"]
