"""Messages of the chat format in a few words, and what is to be seen of a compaction."""

from __future__ import annotations

import json
from typing import Any

from vademecum import Compaction
from vademecum.core.summary_check import SECTIONS
from vademecum.wire import dialect

Row = dict[str, Any]

#: A summary that passes every check.
GOOD = "\n".join(f"## {section}\nThe deploy of the service is done." for section in SECTIONS)


def user(text: object) -> Row:
    return {"role": "user", "content": text}


def said(text: str) -> Row:
    return {"role": "assistant", "content": text}


def calls(*ids: str, tool: str = "bash", **arguments: object) -> Row:
    """A message of the assistant with a call for each id."""
    given = json.dumps(arguments or {"command": "make"})
    made = [{"id": id, "type": "function", "function": {"name": tool, "arguments": given}} for id in ids]
    return {"role": "assistant", "content": None, "tool_calls": made}


def result(id: str, content: object) -> Row:
    return {"role": "tool", "tool_call_id": id, "content": content}


def worked(rounds: int, chars: int = 2_000, start: int = 0) -> list[Row]:
    """Rounds of a call and its result."""
    rows: list[Row] = []
    for at in range(start, start + rounds):
        text = f"line {at} of the build log says that part {at} is done; " * (chars // 50)
        rows += [calls(f"w{at}", command=f"make part_{at}"), result(f"w{at}", text)]
    return rows


def text_of(done: Compaction) -> str:
    """Everything that goes out."""
    return json.dumps(list(done.messages), ensure_ascii=False)


def tokens_of(rows: list[Row]) -> int:
    """What the product itself counts for messages."""
    from vademecum.core.tokens import TokenCounter
    from vademecum.models.tokenizer import count_tokens

    counter = TokenCounter(count_tokens)
    return sum(counter.messages([dialect("openai-chat").load(row, at) for at, row in enumerate(rows)]))


def problems(done: Compaction, format: str = "openai-chat") -> set[str]:
    """What the strictest consumer would refuse."""
    loaded = [dialect(format).load(row, at) for at, row in enumerate(done.messages)]
    return {problem.kind for problem in dialect(format).problems(loaded)}


def tiers(done: Compaction) -> dict[str, str]:
    return {tier.name: tier.outcome for tier in done.receipt.tiers}
