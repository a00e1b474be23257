"""`vademecum bench plot`: a run as a page."""

from pathlib import Path

from cli.conftest import Cli
from cli.test_json_shapes import agrees
from requirement import requirement
from unit.bench.runs import small_cycles, small_run


@requirement("B-10")
def test_a_page_is_written(cli: Cli, home: Path) -> None:
    small_run(home / "run")
    small_cycles(home / "cycles")
    out = home / "new/report.html"
    ran = cli("bench", "plot", home / "run", "--cycles", home / "cycles", "-o", out, "--json")
    agrees("bench_plot", ran.json)
    assert ran.json["bytes"] == out.stat().st_size
    assert out.read_text("utf-8").startswith("<!doctype html>")
    said = cli("bench", "plot", home / "run", "-o", out)
    assert (said.code, said.out) == (0, b"")
    assert said.err.startswith(f"wrote {out}: 5 arms, 64 probes, ")


def test_what_is_no_run_is_refused(cli: Cli, home: Path) -> None:
    cli("bench", "plot", home, "-o", home / "r.html").refused(2, "holds no run", "vademecum bench run FILE -o FOLDER")
    small_run(home / "run")
    cli("bench", "plot", home / "run", "--cycles", home, "-o", home / "r.html").refused(
        2, "holds no simulation", "vademecum simulate"
    )
