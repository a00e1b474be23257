"""Wire formats: adapters that wrap a provider's messages and never translate them."""

from __future__ import annotations

from vademecum.core.dialect import Dialect
from vademecum.errors import ConfigError
from vademecum.wire.anthropic import ANTHROPIC
from vademecum.wire.gemini import GEMINI
from vademecum.wire.ollama import OLLAMA
from vademecum.wire.openai_chat import OPENAI_CHAT
from vademecum.wire.openai_responses import OPENAI_RESPONSES

DIALECTS: dict[str, Dialect] = {
    dialect.name: dialect for dialect in (OPENAI_CHAT, OPENAI_RESPONSES, ANTHROPIC, GEMINI, OLLAMA)
}


def dialect(name: str) -> Dialect:
    """The wire format of that name.

    Raises:
        ConfigError: There is none.
    """
    found = DIALECTS.get(name)
    if found is None:
        raise ConfigError(f"no wire format {name!r}", hint=f"the formats are {', '.join(DIALECTS)}")
    return found
