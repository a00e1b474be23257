"""What stands for a secret: its kind and a short hash, by which two places of one secret are told to be the same."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import cast

from vademecum.redaction.scan import secrets_in
from vademecum.redaction.secret import Secret

#: How a mark looks, for those who must not take it for content.
MARK = re.compile(r"\[redacted [a-z0-9-]{2,40} [0-9a-f]{6}\]")


#: Characters on each side of a stretch in which a secret that reaches into it may begin or end.
_AROUND = 6_000


@dataclass(frozen=True, slots=True)
class Redactor:
    """Replaces the secrets of texts by `[redacted KIND HASH]`; an instance is a function.

    Attributes:
        salt: What the hashes are keyed with. A short hash of a guessable password tells an attacker which guess
            is right, so it should be random, and kept where the secrets themselves are.
    """

    salt: bytes = b""

    def __call__(self, text: str) -> str:
        """The text without secrets; the same object when it has none."""
        found = secrets_in(text)
        return self.shown(text, found, 0, len(text)) if found else text

    def json(self, text: str) -> str:
        """JSON without secrets, still JSON: also those that escapes hide inside its strings."""
        bare = self(text)
        if "\\" not in bare:
            return bare
        try:
            value: object = json.loads(bare)
        except (ValueError, RecursionError):
            return bare
        changed = _mapped(value, self)
        return bare if changed == value else json.dumps(changed, ensure_ascii=False)

    def shown(self, text: str, found: Sequence[Secret], start: int, stop: int) -> str:
        """A stretch of a text; a secret that reaches into it is marked as a whole, never shown in part.

        Args:
            text: The whole text.
            found: Its secrets, in order.
            start: Where the stretch begins.
            stop: Where it ends.
        """
        pieces: list[str] = []
        at = start
        for secret in found:
            if secret.stop <= at or secret.start >= stop:
                continue
            pieces.append(text[at : max(at, secret.start)])
            pieces.append(self.mark(secret.kind, text[secret.start : secret.stop]))
            at = min(secret.stop, stop)
        pieces.append(text[at:stop])
        return "".join(pieces)

    def window(self, text: str, start: int, stop: int) -> str:
        """The same for a stretch of a long text, of which no more than it takes is scanned."""
        first = max(0, start - _AROUND)
        near = text[first : stop + _AROUND]
        return self.shown(near, secrets_in(near), start - first, stop - first)

    def mark(self, kind: str, secret: str) -> str:
        """The mark of one secret."""
        # A wrapped or escaped secret is the same secret.
        bare = re.sub(r"\\[nrt/]|\s|\\", lambda found: "/" if found[0] == "\\/" else "", secret)
        key = hashlib.blake2b(bare.encode("utf-8", "replace"), key=self.salt[:64], digest_size=3)
        return f"[redacted {kind} {key.hexdigest()}]"


def _mapped(value: object, change: Callable[[str], str]) -> object:
    if isinstance(value, str):
        return change(value)
    if isinstance(value, dict):
        return {change(key): _mapped(item, change) for key, item in cast("dict[str, object]", value).items()}
    if isinstance(value, list):
        return [_mapped(item, change) for item in cast("list[object]", value)]
    return value
