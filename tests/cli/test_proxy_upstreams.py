"""`vademecum proxy`: where requests go is settled before anything is served."""

from __future__ import annotations

from pathlib import Path

from cli.conftest import Cli
from requirement import requirement

ANTHROPIC, OPENAI, LOCAL = "https://api.anthropic.com", "https://api.openai.com", "http://127.0.0.1:8080"


@requirement("P-7")
def test_a_project_s_file_does_not_say_where_requests_go(cli: Cli, home: Path) -> None:
    (home / "vademecum.toml").write_text(f'upstreams = ["{LOCAL}#m?key=HOME"]\n', "utf-8")
    cli("proxy", "--port", "0").refused(2, "a project does not say where requests and keys go")


@requirement("P-7")
def test_upstreams_are_looked_at_before_anything_is_served(cli: Cli) -> None:
    cli("proxy", "--upstream", ANTHROPIC, "--upstream", OPENAI).refused(2, "speak different wire formats")
    cli("proxy").refused(2, "there is no upstream")
