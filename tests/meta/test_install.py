"""A base install stays small, and importing the package stays cheap."""

import subprocess
import sys
from importlib.metadata import Distribution, distribution

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

MOST_DISTRIBUTIONS = 20
MOST_BYTES = 90_000_000
HEAVY = ["click", "rich", "splintr", "sqlite3", "platformdirs", "asyncio"]


def base_closure() -> dict[str, Distribution]:
    """What an install without extras brings, the package itself aside."""
    found: dict[str, Distribution] = {}
    waiting = ["vademecum"]
    while waiting:
        for line in distribution(waiting.pop()).requires or ():
            needed = Requirement(line)
            name = canonicalize_name(needed.name)
            if name not in found and (needed.marker is None or needed.marker.evaluate({"extra": ""})):
                found[name] = distribution(name)
                waiting.append(name)
    return found


def test_the_base_install_has_few_distributions() -> None:
    names = sorted(base_closure())
    assert "splintr-rs" in names
    assert len(names) <= MOST_DISTRIBUTIONS, names


def test_the_base_install_is_small() -> None:
    size = sum(
        path.stat().st_size
        for found in base_closure().values()
        for file in found.files or ()
        if (path := found.locate_file(file)).is_file()
    )
    assert 0 < size <= MOST_BYTES


def test_importing_the_package_prints_nothing() -> None:
    done = subprocess.run([sys.executable, "-W", "error", "-c", "import vademecum"], capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


@pytest.mark.parametrize("module", HEAVY)
def test_importing_the_package_loads_nothing_heavy(module: str) -> None:
    code = f"import vademecum, sys; sys.exit({module!r} in sys.modules)"
    assert subprocess.run([sys.executable, "-I", "-c", code], check=False).returncode == 0
