"""`vademecum mcp`: the archive as tools for any agent that speaks the Model Context Protocol."""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from vademecum.cli.output import emit
from vademecum.cli.policy import chosen_preset, chosen_window, settings
from vademecum.cli.verb import Asked, Common, Verb, Verbs, budget_options, common
from vademecum.errors import ConfigError
from vademecum.mcp import ServerConfig

if TYPE_CHECKING:
    from vademecum.mcp.install import Change


@click.group(
    cls=Verbs,
    invoke_without_command=True,
    examples=(
        ("vademecum mcp install claude-code", "tell a client of the server, after asking"),
        ("vademecum mcp --session nightly --window 200K", "serve over stdio, one session by default"),
        ("vademecum mcp --http --port 8788", "serve http://127.0.0.1:8788/mcp"),
    ),
)
@click.option("--session", metavar="ID", default="", help="The session that is meant where a call names none.")
@click.option("--http", is_flag=True, help="Streamable HTTP instead of stdio.")
@click.option("--host", metavar="H", default="127.0.0.1", show_default=True, help="Address for --http.")
@click.option(
    "--port", metavar="N", type=click.IntRange(0, 65_535), default=8_788, show_default=True, help="0 for any."
)
@click.option("--token-file", metavar="FILE", help="A file with the token that every request has to bring.")
@budget_options
@common
def command(
    shared: Common, *, session: str, http: bool, host: str, port: int, token_file: str | None, asked: Asked
) -> int:
    """Serves the archive to agents by MCP."""
    if click.get_current_context().invoked_subcommand:
        return 0
    config = settings(shared.flags(asked))
    served = ServerConfig(
        db=config.db,
        preset=chosen_preset(config),
        owner=shared.owner,
        session=session,
        window=chosen_window(config, shared.say),
        max_output=config.max_output,
        trigger=config.trigger,
        target=config.target,
        token_compression=config.token_compression,
        workspace=config.workspace,
    )
    try:
        from vademecum.mcp.serve import Endpoint, serve_http, serve_stdio
    except ImportError as error:
        raise ConfigError(f"the server needs {error.name}", hint="pip install 'vademecum[mcp]'") from error
    if not http:
        serve_stdio(served)
        return 0
    endpoint = Endpoint(host, port, _token(token_file))
    serve_http(served, endpoint, lambda url: shared.say(f"server on {url}; stop it with Ctrl-C"))
    return 0


@command.command(
    "install",
    cls=Verb,
    examples=(
        ("vademecum mcp install claude-code", "show the change of its file, ask, write it"),
        ("vademecum mcp install codex --session nightly --yes", "without asking, for one session"),
        ("vademecum mcp install cursor --project --dry-run", "what would change in this project's file"),
    ),
)
@click.argument("client")
@click.option("--name", metavar="NAME", default="vademecum", show_default=True, help="The server's name there.")
@click.option("--session", metavar="ID", default="", help="The session that is meant where a call names none.")
@click.option("--window", metavar="N", help="The model's window in tokens (200000, 200_000 or 200K).")
@click.option("--model", metavar="P:M", help="The model, whose window the catalog knows; see models list.")
@click.option("--project", is_flag=True, help="The file of this folder's project instead of the user's.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--dry-run", is_flag=True, help="Show what would change; write nothing.")
@click.option("--print", "show", is_flag=True, help="Only the entry on stdout, to paste it somewhere.")
@common
def install_command(
    shared: Common,
    *,
    client: str,
    name: str,
    session: str,
    window: str | None,
    model: str | None,
    project: bool,
    yes: bool,
    dry_run: bool,
    show: bool,
) -> int:
    """Tells a client of the server, in its own file.

    CLIENT is claude-code, claude-desktop, codex, copilot-cli, cursor, gemini-cli, kimi-cli, opencode, qwen-code,
    vscode, windsurf or zed.
    """
    from vademecum.mcp.clients import Machine
    from vademecum.mcp.clients import client as client_of
    from vademecum.mcp.install import planned, write

    if not name.strip():
        raise ConfigError("--name is empty", hint="leave it away for vademecum")
    # What cannot be read is refused now, not by the server later.
    settings(shared.flags(Asked(window, model)))
    chosen = client_of(client)
    words = _words(shared, session, window, model)
    if show:
        entry = chosen.entry(words)
        if shared.json:
            emit("mcp-entry/1", {"client": chosen.name, "name": name, "entry": entry})
        else:
            click.echo(json.dumps({chosen.under: {name: entry}}, indent=2, ensure_ascii=False))
        return 0
    machine = Machine(Path.home(), os.environ, sys.platform, Path.cwd())
    change = planned(chosen, chosen.file(machine, project=project), name, words)
    written = change.needed and not dry_run and (yes or _asked(shared, change, name))
    if written:
        write(change)
    if shared.json:
        fields: dict[str, Any] = {
            "client": chosen.name,
            "name": name,
            "file": str(change.file),
            "needed": change.needed,
            "written": written,
            "backup": str(change.backup) if written and change.backup is not None else None,
            "entry": change.entry,
        }
        emit("mcp-install/1", fields)
    else:
        _tell(shared, change, name, written=written, shown=dry_run or yes)
    return 0 if written or dry_run or not change.needed else 1


def _words(shared: Common, session: str, window: str | None, model: str | None) -> list[str]:
    """The command that a client starts the server with; in full, since it may have another path."""
    program = shutil.which("vademecum")
    words = [program] if program is not None else [sys.executable, "-m", "vademecum"]
    words.append("mcp")
    if shared.db is not None:
        words += ["--db", str(Path(shared.db).expanduser().absolute())]
    given = {"--owner": shared.owner, "--session": session, "--window": window, "--model": model}
    for option, value in given.items():
        if value:
            words += [option, value]
    return words


def _asked(shared: Common, change: Change, name: str) -> bool:
    if shared.json or not sys.stdin.isatty():
        raise ConfigError("there is nobody to ask", hint="add --yes to write it, or --dry-run to see it")
    click.echo(f"{change.file}\n  {name}: {json.dumps(change.entry, ensure_ascii=False)}", err=True)
    return click.confirm("Write this?", default=False, err=True)


def _tell(shared: Common, change: Change, name: str, *, written: bool, shown: bool) -> None:
    if not change.needed:
        shared.say(f"{change.file} has it already")
        return
    if shown:
        click.echo(f"{change.file}\n  {name}: {json.dumps(change.entry, ensure_ascii=False)}")
    shared.say(f"written; restart {change.client.title}" if written else "nothing was written")


def _token(path: str | None) -> str:
    if path is None:
        return ""
    try:
        token = Path(path).expanduser().read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"--token-file {path} cannot be read: {error}") from error
    if len(token) < 16 or not token.isascii() or any(char.isspace() for char in token):
        raise ConfigError(
            f"--token-file {path} holds no token",
            hint="at least 16 characters on one line, such as `openssl rand -hex 24` prints",
        )
    return token
