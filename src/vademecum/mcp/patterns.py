"""Lines that a regular expression finds, within a time limit: some expressions never come to an end."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Sequence

from vademecum.errors import ConfigError

#: Seconds that an expression may take.
PATIENCE_S = 2.0
#: Without a repeat and without a group an expression is as fast as its length, so it is tried here.
_MAY_BLOW_UP = re.compile(r"[*+?{(]")
# Python's engine cannot be interrupted and holds the interpreter meanwhile, so others run in a process of their own.
_CHILD = """
import re, sys
size = int(sys.stdin.buffer.readline())
pattern = sys.stdin.buffer.read(size).decode("utf-8", "surrogatepass")
text = sys.stdin.buffer.read().decode("utf-8", "surrogateescape")
try:
    search = re.compile(pattern).search
except (re.error, OverflowError, RecursionError) as error:
    print("!", error)
else:
    print(*(number for number, line in enumerate(text.splitlines(keepends=True)) if search(line)))
"""


def matching(data: bytes, pattern: str, seconds: float = PATIENCE_S) -> list[bytes]:
    """The lines of a text that an expression finds, with their ends.

    Args:
        data: The text's bytes.
        pattern: A regular expression.
        seconds: How long it may take.

    Raises:
        ConfigError: It is no regular expression, or takes too long.
    """
    text = data.decode("utf-8", "surrogateescape")
    lines = text.splitlines(keepends=True)
    if _MAY_BLOW_UP.search(pattern):
        found: Sequence[int] = _in_a_child(data, pattern, seconds)
    else:
        try:
            search = re.compile(pattern).search
        except re.error as error:
            raise _no_expression(pattern, str(error)) from error
        found = [number for number, line in enumerate(lines) if search(line)]
    return [lines[number].encode("utf-8", "surrogateescape") for number in found]


def _in_a_child(data: bytes, pattern: str, seconds: float) -> list[int]:
    written = pattern.encode("utf-8", "surrogatepass")
    try:
        done = subprocess.run(  # noqa: S603  # our own code; the pattern comes on its standard input
            [sys.executable, "-I", "-S", "-c", _CHILD],
            input=b"%d\n%b%b" % (len(written), written, data),
            capture_output=True,
            timeout=seconds,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise ConfigError(
            f"pattern {pattern!r:.80} took longer than {seconds:g} s on {len(data):,} bytes",
            hint="use a simpler one, without a repeat inside a repeat, or plain words",
        ) from error
    answer = done.stdout.decode("utf-8", "replace").strip()
    if done.returncode != 0 or answer.startswith("!"):
        raise _no_expression(pattern, answer.removeprefix("!").strip() or "it could not be run")
    return [int(number) for number in answer.split()]


def _no_expression(pattern: str, reason: str) -> ConfigError:
    return ConfigError(
        f"pattern {pattern!r:.80} is not a regular expression: {reason}",
        hint="put a backslash before ( [ { * + ? . | ^ $ that are meant as they stand",
    )
