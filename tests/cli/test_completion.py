"""`vademecum completion`: the scripts, and bash completing with one."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from cli.conftest import Cli


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_of_a_shell(cli: Cli, shell: str) -> None:
    done = cli("completion", shell)
    assert (done.code, done.err) == (0, "")
    assert f"_VADEMECUM_COMPLETE={shell}_complete" in done.text
    assert cli("completion", shell, "--json").json["script"] + "\n" == done.text


def test_a_shell_that_is_not_known(cli: Cli) -> None:
    cli("completion", "csh").refused(2, "'csh' is not one of 'bash', 'zsh', 'fish'")


def test_bash_completes_with_it(cli: Cli, home: Path) -> None:
    bash = shutil.which("bash")
    assert bash is not None
    (home / "complete.bash").write_text(cli("completion", "bash").text, "utf-8")
    script = (
        "source complete.bash\n"
        'ask() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=(); '
        '_vademecum_completion vademecum; echo "${COMPREPLY[*]}"; }\n'
        "ask vademecum comp\nask vademecum config s\nask vademecum search --max\nask vademecum search x --role u\n"
    )
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    done = subprocess.run(
        [bash, "-c", script], capture_output=True, text=True, env={**os.environ, "PATH": path}, check=True
    )
    assert done.stdout.splitlines() == ["compact completion", "set show", "--max-chars", "user"]
