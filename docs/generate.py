"""Writes the reference pages from the code: `.venv/bin/python docs/generate.py` (`--check` only compares)."""

from __future__ import annotations

import inspect
import re
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import is_dataclass
from pathlib import Path
from typing import Any

import click

import vademecum
from vademecum.cli.app import cli
from vademecum.cli.schemas import names, schema
from vademecum.config import SETTINGS
from vademecum.config.kinds import expected
from vademecum.config.table import env_name
from vademecum.core.budget import Window
from vademecum.core.pricing import CacheBreak
from vademecum.core.receipt import Receipt, TierResult
from vademecum.errors import VademecumError

REFERENCE = Path(__file__).parent / "reference"
NOTE = "<!-- Written by docs/generate.py from the code; change it there. -->\n"
WIDTH = 88

EXIT_CODES = """\
| code | meaning |
|--:|---|
| 0 | done; for `compact` also when nothing was needed |
| 1 | the answer is no: nothing found, no such session, no such id |
| 2 | the command line or the settings are wrong, or an id names several messages |
| 3 | it failed: not a session log, an archive that cannot be used, a context that can never fit |
| 130 | interrupted |
"""


def main() -> None:
    """Writes the pages, or says which are not current."""
    stale = [path for path, text in pages().items() if not path.exists() or path.read_text("utf-8") != text]
    if "--check" in sys.argv:
        sys.exit("\n".join(f"{path.name} is not current; run docs/generate.py" for path in stale) or 0)
    for path in stale:
        path.write_text(pages()[path], "utf-8")
        print(f"wrote {path}")


def pages() -> dict[Path, str]:
    """Every generated page."""
    made = {
        "cli": cli_page(),
        "config": config_page(),
        "api": api_page(),
        "receipt": receipt_page(),
        "json": json_page(),
    }
    return {REFERENCE / f"{name}.md": text for name, text in made.items()}


def prose(text: str) -> str:
    """A paragraph, wrapped."""
    return textwrap.fill(text, 118, break_long_words=False, break_on_hyphens=False) + "\n"


def cli_page() -> str:
    """The command line: what every verb's `--help` says."""
    lines = [
        "# The command line\n",
        NOTE,
        prose(
            "Data goes to stdout, talk to stderr. Errors are `error: …` and `hint: …` on stderr; `-v` adds "
            "where an error came from. With `--json` stdout has one JSON object with `schema`, and nothing "
            "else. The common options (`--db`, `--json`, `-q`, `-v`, `--no-color`) may stand before or after "
            "the verb. Token counts are written `200000`, `200_000` or `200K`; a fraction has a dot."
        ),
        "## Exit codes\n",
        EXIT_CODES,
    ]
    for path, command in commands(cli, ("vademecum",)):
        lines += [f"## `{' '.join(path)}`\n", "```text", helped(command, path), "```\n"]
    return "\n".join(lines)


def helped(command: click.Command, path: tuple[str, ...]) -> str:
    """The help of a command below its parents."""
    context: click.Context | None = None
    for name in path[:-1]:
        context = click.Context(cli, info_name=name, parent=context)
    with click.Context(command, info_name=path[-1], parent=context, terminal_width=WIDTH) as own:
        return command.get_help(own).rstrip()


def commands(command: click.Command, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Every verb, those of a group after it."""
    if not isinstance(command, click.Group):
        yield path, command
        return
    if len(path) > 1:
        yield path, command
    context = click.Context(command)
    for name in command.list_commands(context):
        inner = command.get_command(context, name)
        if inner is not None:
            yield from commands(inner, (*path, name))


def config_page() -> str:
    """The settings: one row of `vademecum.config.SETTINGS` each."""
    lines = [
        "# Settings\n",
        NOTE,
        prose(
            "The first place that has a value wins: a flag, the variable in the environment, the nearest "
            "`vademecum.toml` or `[tool.vademecum]` in a `pyproject.toml` (from the working folder upwards; "
            "files are not merged), the user's own `vademecum/config.toml` in the configuration folder, the "
            "default. An unknown key is an error that names the likeliest one. Any `compression.*` key "
            "selects the preset `hermes`; together with a `compaction_*` key it is an error."
        ),
        "| setting | variable | takes | default | what it does |",
        "|---|---|---|---|---|",
    ]
    for spec in SETTINGS:
        default = "" if spec.default in (None, ()) else f"`{spec.default}`"
        takes = expected(spec).replace("|", "\\|")
        lines.append(f"| `{spec.name}` | `{env_name(spec.name)}` | {takes} | {default} | {spec.doc} |")
    return "\n".join([*lines, ""])


def api_page() -> str:
    """The public names of the package."""
    lines = [
        "# The library\n",
        NOTE,
        prose(
            "What `vademecum` exports is all that is promised. Results are values. After the first argument "
            "everything is given by keyword. A fraction is a float in (0, 1], a token count an int; anything "
            "else is a `ConfigError`."
        ),
    ]
    for name in vademecum.__all__:
        thing = getattr(vademecum, name)
        lines += [f"## `{name}`\n", *described(name, thing)]
        if name == "VademecumError":
            lines += ["Those that follow from it, in `vademecum.errors`:\n", *errors(VademecumError, 0), ""]
        elif inspect.isclass(thing):
            # What a class has from its nearest base is part of what it promises.
            named = {inner: method for owner in thing.__mro__[1::-1] for inner, method in vars(owner).items()}
            for inner, method in named.items():
                function = method.__func__ if isinstance(method, classmethod | staticmethod) else method
                if not inner.startswith("_") and inspect.isfunction(function):
                    lines += [f"### `{name}.{inner}`\n", *described(inner, function)]
    return "\n".join(lines)


def described(name: str, thing: object) -> list[str]:
    """The signature and the docstring of a function or class."""
    if isinstance(thing, str):
        return ["```text", prose(thing), "```\n"]
    text = inspect.getdoc(thing) or ""
    if is_dataclass(thing) or name == "VademecumError":
        return ["```text", text, "```\n"]
    return ["```python", f"{name}{signature(thing)}", "```\n", "```text", text, "```\n"]


def signature(thing: object) -> str:
    """The signature on one line, or a parameter a line where that is too long."""
    found = inspect.signature(thing)  # type: ignore[arg-type]
    text = re.sub(r"(: |-> )'([^']*)'", r"\1\2", str(found)).replace("(self, ", "(").replace("(cls, ", "(")
    text = text.replace("(self)", "()").replace("(cls)", "()")
    if len(text) <= WIDTH:
        return text
    inner, _, result = text[1:].rpartition(")")
    return "(\n    " + ",\n    ".join(split(inner)) + f",\n){result}"


def split(inner: str) -> list[str]:
    """Parameters, split at the commas that are not inside brackets."""
    parts, depth = [""], 0
    for char in inner:
        depth += (char in "[(") - (char in "])")
        if char == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += char
    return [part.strip() for part in parts]


def errors(error: type[Exception], depth: int) -> Iterator[str]:
    """The tree below an error."""
    for inner in error.__subclasses__():
        if inner.__module__ == "vademecum.errors":
            yield f"{'  ' * depth}- `{inner.__name__}`: {(inspect.getdoc(inner) or '').splitlines()[0]}"
            yield from errors(inner, depth + 1)


def receipt_page() -> str:
    """The fields of a receipt and of what stands in it."""
    lines = [
        "# The receipt\n",
        NOTE,
        prose(
            "`vademecum compact … -o OUT --json` prints it with `schema: vademecum.receipt/1`; in the library "
            "it is `Compaction.receipt`, and `as_dict()` gives the same JSON data. It is kept with the "
            "compaction in the archive. Everything but `timing` and the tiers' `ms` is the same for the same "
            "input."
        ),
    ]
    for thing in (Receipt, TierResult, Window, CacheBreak):
        lines += [f"## `{thing.__name__}`\n", "```text", inspect.getdoc(thing) or "", "```\n"]
    lines += [
        "## Outcomes\n",
        "| outcome | what it means | the context |",
        "|---|---|---|",
        "| `nothing_needed` | the trigger is not exceeded | as it was |",
        "| `compacted` | it ends at or below the trigger | new |",
        "| `crowded` | below the trigger, but the next round may exceed it again | new |",
        "| `above_trigger` | smaller, but still above the trigger | new |",
        "| `not_smaller` | the plan would have saved nothing | as it was |",
        "| `nothing_compactable` | there is only overhead, pins and the newest round | as it was |",
        "| `invalid` | the plan did not pass its own check; `failure` says why | as it was |",
        "| `breaker_open` | earlier attempts did not help; tried again when the session has grown | as it was |",
        "| `undone` | the newest compaction was taken back, and nothing calls for another yet | as it was |",
        "| `failed` | compacting raised an error; `failure` says which | as it was |",
        "",
    ]
    return "\n".join(lines)


def json_page() -> str:
    """What `--json` prints: one table for each output."""
    lines = [
        "# The JSON of the command line\n",
        NOTE,
        prose(
            "With `--json` every verb prints one JSON object with `schema`, the name of its JSON Schema; "
            "`vademecum schema NAME` prints that. A later version may add keys; it takes none away and changes "
            "none under the same name. Counts are integers in tokens unless the name says otherwise."
        ),
    ]
    for name in names():
        found = schema(name)
        lines += [f"## `vademecum.{name}/1`\n", f"{found['title']}\n", "| key | type | what it is |", "|---|---|---|"]
        lines += [f"| `{key}` | {kind} | {text} |" for key, kind, text in keys(found, "")]
        lines.append("")
    return "\n".join(lines)


def keys(found: dict[str, Any], above: str) -> Iterator[tuple[str, str, str]]:
    """The keys of a schema with their types and descriptions; those inside a list behind `[]`."""
    for name, field in found.get("properties", {}).items():
        if "const" in field:
            continue
        types = field.get("type", "any")
        kind = types if isinstance(types, str) else " or ".join(types)
        yield above + name, kind, field.get("description", "").replace("|", "\\|")
        yield from keys(field, f"{above}{name}.")
        yield from keys(field.get("items", {}), f"{above}{name}[].")


if __name__ == "__main__":
    main()
