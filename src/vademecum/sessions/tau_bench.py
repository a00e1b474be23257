"""tau-bench's results: a list of tasks, each with the chat of one trial."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from vademecum.core.messages import Message
from vademecum.errors import WireError
from vademecum.sessions.reading import Reading
from vademecum.sessions.source import Source
from vademecum.wire.openai_chat import OPENAI_CHAT
from vademecum.wire.values import at, encoded, mapping, sequence

KIND = "tau-bench"


def read_tau_bench(source: Source) -> Iterator[Reading]:
    """Reads every trial as a session."""
    seen: set[str] = set()
    torn = source.document(), source.torn
    for number, result in enumerate(sequence(torn[0]) or ()):
        fields = mapping(result) or {}
        user = at(fields, ("info", "task", "user_id"))
        name = f"tau-bench/{user or 'task'}/{fields.get('task_id', number)}/{fields.get('trial', 0)}"
        name = name if name not in seen else f"{name}/{number}"
        seen.add(name)
        reading = _reading(name, sequence(fields.get("traj")) or ())
        if torn[1] and number == 0:
            reading.skipped.append((0, torn[1]))
        yield reading


def _reading(name: str, rows: Sequence[object]) -> Reading:
    def messages(reading: Reading) -> Iterator[Message]:
        count = 0
        for row in rows:
            try:
                message = OPENAI_CHAT.load(row, count, raw=encoded(row))
            except WireError as error:
                reading.skipped.append((0, f"message {count + 1} {error.reason}"))
                continue
            count += 1
            yield message

    return Reading(KIND, name, OPENAI_CHAT, messages)
