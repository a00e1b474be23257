"""`vademecum completion`: the script that makes a shell complete verbs and options."""

from __future__ import annotations

import click
from click.shell_completion import ShellComplete, get_completion_class

from vademecum.cli.output import emit
from vademecum.cli.verb import Common, Verb, common
from vademecum.errors import ConfigError

SHELLS = ("bash", "zsh", "fish")


@click.command(
    cls=Verb,
    examples=(
        ("vademecum completion bash > ~/.vademecum.bash", "for bash: source that file in ~/.bashrc"),
        ("vademecum completion zsh > ~/.zfunc/_vademecum", "for zsh, where ~/.zfunc is in fpath"),
        ("vademecum completion fish > ~/.config/fish/completions/vademecum.fish", "for fish"),
    ),
)
@click.argument("shell", type=click.Choice(SHELLS))
@common
def command(shared: Common, *, shell: str) -> int:
    """Prints the completion script of a shell."""
    from vademecum.cli.app import cli

    found = get_completion_class(shell)
    if found is None:  # click knows all three; a later one may not
        raise ConfigError(f"no completion for {shell}", hint=f"there is one for {', '.join(SHELLS)}")
    # The class's own source() runs the shell first to see its version, which need not be on this machine.
    maker = found(cli, {}, "vademecum", "_VADEMECUM_COMPLETE")
    script = ShellComplete.source(maker)
    if shared.json:
        emit("completion/1", {"shell": shell, "script": script})
    else:
        click.echo(script)
    return 0
