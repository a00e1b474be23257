"""`vademecum schema`: the published shapes of what `--json` prints."""

from __future__ import annotations

import difflib
import json

import click

from vademecum.cli.output import emit, table
from vademecum.cli.schemas import PREFIX, names, schema
from vademecum.cli.verb import Common, Verb, common
from vademecum.errors import ConfigError


@click.command(
    cls=Verb,
    examples=(
        ("vademecum schema", "the outputs that have one"),
        ("vademecum schema receipt", "the JSON Schema of a receipt"),
        ("vademecum schema vademecum.search/1", "the same name as `schema` in an output has it"),
    ),
)
@click.argument("name", required=False)
@common
def command(shared: Common, *, name: str | None) -> int:
    """Prints the JSON Schema of an output, or lists them."""
    known = names()
    if name is None:
        rows = [(one, schema(one)["title"]) for one in known]
        if shared.json:
            emit("schemas/1", {"schemas": [{"name": one, "title": title} for one, title in rows]})
        else:
            table(rows)
        return 0
    bare = name.removeprefix(PREFIX).removesuffix("/1")
    if bare not in known:
        near = difflib.get_close_matches(bare, known, n=1)
        hint = f"did you mean {near[0]}?" if near else "vademecum schema lists them"
        raise ConfigError(f"no output is called {name!r}", hint=hint)
    click.echo(json.dumps(schema(bare), indent=None if shared.json else 1, ensure_ascii=not shared.json))
    return 0
