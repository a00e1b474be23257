"""Small transcripts of our own, in every layout that the command line reads and writes."""

import gzip
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

Row = dict[str, Any]
#: Stands once, in the first tool result, with characters that are easily lost on the way.
FACT = "listener gatekeeper-7f3a answers on port 5433, naïve café 東京 🜂"
FILLER = "the build goes on and prints one more line about nothing in particular"


def chat(turns: int, *, start: int = 0, chars: int = 2_400) -> list[Row]:
    """OpenAI chat rows: a system row, then turns of a request, a call, its result and a report."""
    rows: list[Row] = [{"role": "system", "content": "You keep a build running."}] if start == 0 else []
    for turn in range(start, start + turns):
        rows += [
            {"role": "user", "content": f"Please run build number {turn}."},
            {
                "role": "assistant",
                "content": f"I start build {turn}.",
                "tool_calls": [
                    {
                        "id": f"call_{turn}",
                        "type": "function",
                        "function": {"name": "shell", "arguments": json.dumps({"command": f"make build-{turn}"})},
                    }
                ],
            },
            {"role": "tool", "tool_call_id": f"call_{turn}", "content": output(turn, chars)},
            {"role": "assistant", "content": report(turn)},
        ]
    return rows


def blocks(turns: int, *, start: int = 0, chars: int = 2_400) -> list[Row]:
    """The same as Anthropic messages."""
    rows: list[Row] = []
    for turn in range(start, start + turns):
        call = {
            "type": "tool_use",
            "id": f"toolu_{turn}",
            "name": "shell",
            "input": {"command": f"make build-{turn}"},
        }
        result = {"type": "tool_result", "tool_use_id": f"toolu_{turn}", "content": output(turn, chars)}
        rows += [
            {"role": "user", "content": f"Please run build number {turn}."},
            {"role": "assistant", "content": [{"type": "text", "text": f"I start build {turn}."}, call]},
            {"role": "user", "content": [result]},
            {"role": "assistant", "content": report(turn)},
        ]
    return rows


def report(turn: int) -> str:
    """What the agent says at a turn's end; long enough that the dialogue alone has to be folded, too."""
    return f"Build {turn} is done, artefact out/app-{turn}.bin. " + " ".join([FILLER.capitalize() + "."] * 14)


def output(turn: int, chars: int) -> str:
    """What the tool printed in a turn."""
    lines = [f"step {turn}.{line}: {FILLER}" for line in range(chars // (len(FILLER) + 12))]
    return "\n".join([FACT if turn == 0 else f"listener worker-{turn} answers", *lines])


def dumped(rows: Sequence[Row]) -> list[str]:
    """Each row as a client would write it, with spaces and escapes of its own."""
    return [json.dumps(row, ensure_ascii=number % 2 == 0) for number, row in enumerate(rows)]


def jsonl(path: Path, rows: Sequence[Row]) -> Path:
    """Writes JSON Lines, compressed where the name ends in `.gz`."""
    data = "".join(line + "\n" for line in dumped(rows)).encode()
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return path


def bare_list(path: Path, rows: Sequence[Row]) -> Path:
    """Writes one list, indented."""
    path.write_text("[\n  " + ",\n  ".join(dumped(rows)) + "\n]\n", "utf-8")
    return path


def body(path: Path, rows: Sequence[Row], **outside: object) -> Path:
    """Writes a request body with keys before and after its messages."""
    before = "".join(f'"{key}": {json.dumps(value)}, ' for key, value in outside.items())
    text = f'{{"model": "m-1", {before}"messages": [' + ", ".join(dumped(rows)) + '], "temperature": 0.10}'
    path.write_text(text, "utf-8")
    return path
