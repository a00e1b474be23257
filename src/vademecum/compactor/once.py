"""One call: a transcript in, a context that fits out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from vademecum.archive import Archive, Session
from vademecum.compactor.flow import run
from vademecum.compactor.options import Compaction, options_of
from vademecum.compactor.summarizing import Given
from vademecum.core.case import leading_system_rows
from vademecum.core.identity import chain, identity, short
from vademecum.core.messages import Message, Wire
from vademecum.core.pins import PIN_CAP
from vademecum.core.tokens import TokenCounter
from vademecum.errors import ConfigError
from vademecum.wire import dialect
from vademecum.wire.detect import detect
from vademecum.wire.values import dumped


def compact(
    messages: Sequence[Wire],
    *,
    window: int,
    max_output: int | None = None,
    preset: str = "half",
    trigger: int | None = None,
    target: float | int | None = None,
    system: object = None,
    tools: object = None,
    format: str | None = None,
    session: Session | None = None,
    summarizer: Given = "off",
    token_compression: bool = True,
    focus: str = "",
    workspace: str | Path | None = None,
    pin_cap: int = PIN_CAP,
) -> Compaction:
    """Makes a transcript fit: one call, the same wire format out as in, nothing lost.

    Args:
        messages: The whole transcript as it would be sent.
        window: The model's limit in tokens.
        max_output: The output limit of the request in tokens.
        preset: `half`, `agent` or `hermes`.
        trigger: An absolute trigger in tokens instead of the preset's.
        target: Where to end: tokens (int) or a fraction of the trigger (float in (0, 1]).
        system: The system text where it stands outside the messages; it is counted only.
        tools: The tools' schemas; they are counted only.
        format: `openai-chat` or `anthropic`; recognised by default.
        session: A session of an archive; by default what leaves is kept in memory.
        summarizer: `off` (extracted, no model), `local` (a server on this machine, if one answers), a server's URL or
            `URL#model`, a model, or a function from a `Summarize` to the summary's text.
        token_compression: False switches the local-summary tier off, nothing else.
        focus: What is to be kept above all.
        workspace: The folder that the agent works in: files that it edited there are shown in the carry as they are
            then. None: no file is ever read.
        pin_cap: Tokens that all pins may have together.

    Returns:
        The result. When compacting itself fails the messages are unchanged and the receipt says why.

    Raises:
        ConfigError: An argument is out of its range or of the wrong type.
        WireError: A message is not of the format.
        CannotFitError: Even the smallest context exceeds the window.
    """
    options = options_of(
        window=window,
        max_output=max_output,
        preset=preset,
        trigger=trigger,
        target=target,
        summarizer=summarizer,
        token_compression=token_compression,
        focus=focus,
        workspace=workspace,
        pin_cap=pin_cap,
    )
    name = format or (session.dialect.name if session is not None else detect(messages))
    if session is not None and session.dialect.name != name:
        raise ConfigError(f"session {session.id!r} has the format {session.dialect.name}, not {name}")
    loaded = tuple(dialect(name).load(wire, index) for index, wire in enumerate(messages))
    if session is None:
        session = Archive.memory().session(session_name(loaded, system), format=name)
    outside = outside_tokens(options.counter, system, tools)
    done = run(session, loaded, outside, options)
    return done if done.plan is not None or done.receipt.cycle else replace(done, messages=messages)


def session_name(messages: Sequence[Message], system: object = None) -> str:
    """The id of a session that nobody named: by its system text and its first user message."""
    first = next((message for message in messages if message.role == "user"), None)
    rows = messages[: leading_system_rows(messages)]
    ids = chain([*rows, *([first] if first is not None else [])])
    if system is None:
        return "s_" + short(ids[-1])[2:] if ids else "s_empty"
    return "s_" + short(identity([dumped(system), ids[-1].hex() if ids else ""]))[2:]


def outside_tokens(counter: TokenCounter, system: object, tools: object) -> tuple[int, int]:
    """Tokens of the system text and of the tools that stand outside the messages."""
    counts = counter.texts(tuple("" if value is None else dumped(value) for value in (system, tools)))
    return counts[0], counts[1]
