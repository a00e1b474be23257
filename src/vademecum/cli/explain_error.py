"""`vademecum models explain-error`: what a provider's error means, and what is done about it."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from vademecum.cli.output import emit, table
from vademecum.cli.policy import settings
from vademecum.cli.verb import Common, Verb, common
from vademecum.errors import ConfigError
from vademecum.models.errors import Action, Verdict, classify
from vademecum.models.errors.own import table_with
from vademecum.wire.values import mapping

_SAYS: dict[Action, str] = {
    "compact": "compact the context and send it again",
    "lower_output": "send the same context and ask for a shorter reply",
    "retry": "send it again, after a moment",
    "wait": "wait, then send it again",
    "next_member": "go to the next model of the chain; without one, tell the user",
    "repair": "repair the history (calls and results, empty texts, signatures); compact nothing",
    "strip_bytes": "take images and other large data out",
    "continue": "let the model go on where it ended",
    "stop": "stop and tell the user",
}


@click.command(
    "explain-error",
    cls=Verb,
    examples=(
        ("vademecum models explain-error 'prompt is too long: 210266 tokens > 200000 maximum'", "a message"),
        ("vademecum models explain-error --status 429 error.json --json", "a body with its status, for a program"),
        ("vademecum models explain-error --batch errors.jsonl", "many, a line for each"),
    ),
)
@click.argument("body", required=False, metavar="[BODY|FILE|-]")
@click.option("--status", type=int, metavar="N", help="The HTTP status that it came with.")
@click.option("--provider", metavar="P", default="", help="Who sent it, where that matters.")
@click.option("--batch", is_flag=True, help="BODY is a file of JSON Lines: id, provider, transport, status, body.")
@common
def explain_command(shared: Common, *, body: str | None, status: int | None, provider: str, batch: bool) -> int:
    """Says what a provider's error means and what is done about it. Exit code 1 when it is no error."""
    wordings = table_with(settings(shared.flags()).errors)
    if batch:
        for row in _rows("-" if body is None else body):
            said = row.get("status")
            found = classify(
                row.get("body"),
                status=said if isinstance(said, int) else status,
                provider=str(row.get("provider") or provider),
                table=wordings,
            )
            emit("explain-error/1", _fields(row.get("id"), found))
        return 0
    if body is None:
        raise ConfigError("no error is given", hint="give its text, a file, or - for standard input")
    found = classify(_given(body), status=status, provider=provider, table=wordings)
    if shared.json:
        emit("explain-error/1", _fields(None, found))
    elif found is None:
        shared.say("this is no error")
    else:
        _show(found)
    return 1 if found is None else 0


def _fields(name: object, found: Verdict | None) -> dict[str, Any]:
    return {
        "id": name,
        "kind": None if found is None else found.kind,
        "limit": None if found is None else found.limit,
        "observed_input": None if found is None else found.observed_input,
        "learned_window": None if found is None else found.learned_window,
        "action": None if found is None else found.action,
    }


def _show(found: Verdict) -> None:
    limits = {"window": "input and reply together", "input": "the input", "output": "the reply", "": ""}
    rows = [
        ("kind", found.kind),
        ("action", f"{found.action}: {_SAYS[found.action]}"),
        ("limit", "" if found.limit is None else f"{found.limit:,} tokens for {limits[found.limit_kind]}"),
        ("input", "" if found.observed_input is None else f"{found.observed_input:,} tokens"),
        ("asked for", "" if found.asked_output is None else f"{found.asked_output:,} tokens"),
        ("wait", "" if found.retry_after is None else f"{found.retry_after:g} s"),
        ("learned", "" if found.learned_window is None else f"a window of {found.learned_window:,} tokens"),
        ("believed", "" if found.certain else "only where the context is large: the error does not say so itself"),
        ("told by", found.row),
    ]
    table([row for row in rows if row[1]])


def _given(body: str) -> bytes | str:
    """The error: from standard input, a file, or as it was typed."""
    if body == "-":
        return sys.stdin.buffer.read()
    path = Path(body)
    try:
        return path.read_bytes() if path.is_file() else body
    except (OSError, ValueError):  # a text that no file can be called
        return body


def _rows(name: str) -> Iterator[dict[str, Any]]:
    """The lines of a batch.

    Raises:
        ConfigError: There is no such file, or a line is no JSON object.
    """
    if name != "-" and not Path(name).is_file():
        raise ConfigError(
            f"there is no file {name}", hint="--batch reads a file of JSON Lines, or - for standard input"
        )
    data = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    for number, line in enumerate(data.splitlines(), 1):
        if not line.strip():
            continue
        try:
            row = mapping(json.loads(line))
        except (ValueError, RecursionError):
            row = None
        if row is None:
            raise ConfigError(f"line {number} is no JSON object", hint="each line has id, provider, status and body")
        yield dict(row)
