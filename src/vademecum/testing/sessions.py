"""One long session, the same for the same arguments: turns with tool calls, rules, values that change."""

from __future__ import annotations

from typing import Any

from vademecum.testing.render import rendered
from vademecum.testing.texts import text
from vademecum.testing.turns import Call, Result, Round, Said, Turn

_TOOLS = (("read_file", "path"), ("bash", "command"), ("edit_file", "path"), ("search", "query"))
_OUTPUTS = ("code", "log", "json", "prose")


def sample(
    format: str = "openai-chat", *, turns: int = 12, rounds: int = 3, chars: int = 1_200, start: int = 0
) -> list[dict[str, Any]]:
    """A sound session as wire messages.

    Args:
        format: `openai-chat` or `anthropic`.
        turns: How many turns it has.
        rounds: Rounds of tool calls in each turn.
        chars: Characters of each tool result.
        start: Number of the first turn: a session of turns 0..9 goes on with `start=10`; later stretches
            have no system row.
    """
    made = [_turn(number, rounds, chars) for number in range(start, start + turns)]
    return rendered(made, format, ("You are an agent that keeps a service running.",) if start == 0 else ())


def _turn(number: int, rounds: int, chars: int) -> Turn:
    port = 5_000 + number
    words = (
        f"Turn {number}: bring service svc-{number} up on port {port}. Never delete backup_{number}.tar. "
        f"The limit is now {number * 3 + 1}."
    )
    made = [_round(number, at, chars) for at in range(rounds)]
    commit = f"{number * 7919 + 0xABCDEF1:07x}"
    report = f"Service svc-{number} runs on port={port}; the commit is {commit}. Turn {number} is finished."
    return Turn((Said(words),), rounds=(*made, Round(text=report)))


def _round(number: int, at: int, chars: int) -> Round:
    tool, key = _TOOLS[(number + at) % len(_TOOLS)]
    seed = number * 100 + at
    failed = seed % 5 == 4
    output = text(_OUTPUTS[seed % len(_OUTPUTS)], chars, seed)
    what = f"git commit -m 'change {seed}'" if key == "command" else f"src/part_{seed}.py"
    call = Call(f"call_{seed}", tool, {key: what}, Result(output, error=failed))
    return Round(text=f"I look at part {seed}.", calls=(call,))
