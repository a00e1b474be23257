"""Fixtures and rules for all tests.

A test may skip itself on a developer's machine. With CI=true a skip is a failure, unless its reason begins
with "data:", which says that the optional data folder beside the project is absent.
"""

import os
from collections.abc import Generator
from pathlib import Path

import pytest
from hypothesis import settings

ROOT = Path(__file__).resolve().parents[1]
IN_CI = os.environ.get("CI", "").lower() in {"1", "true"}
AT_NIGHT = os.environ.get("NIGHTLY", "") == "1"  # the same as in `night`, which this file must do without
DATA_ABSENT = "data:"

settings.register_profile("default", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
# At night nothing is derandomized: each night tries other examples. What has a number of its own says `often`.
settings.register_profile("nightly", deadline=None, max_examples=5_000, print_blob=True)
settings.load_profile("nightly" if AT_NIGHT else "ci" if IN_CI else "default")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "requirement(*ids): the requirements that the test shows to hold")
    config.addinivalue_line("markers", "nightly: takes long, runs with `make nightly` only")
    config.addinivalue_line("markers", "fault(*numbers): the kinds of fault that the test shows to be impossible")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves out what runs at night only: deselected, since it is not skipped for want of anything."""
    if AT_NIGHT:
        return
    late = [item for item in items if item.get_closest_marker("nightly")]
    if late:
        items[:] = [item for item in items if item not in late]
        config.hook.pytest_deselected(items=late)


def _forbid_skip(report: pytest.TestReport | pytest.CollectReport) -> None:
    """Turns a skip into a failure where the rule says so."""
    if not IN_CI or report.outcome != "skipped" or hasattr(report, "wasxfail"):
        return
    reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    reason = reason.removeprefix("Skipped: ")
    if not reason.startswith(DATA_ABSENT):
        report.outcome = "failed"
        report.longrepr = f'skipped in CI: {reason} (only reasons that begin with "{DATA_ABSENT}" may)'


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    _forbid_skip(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    report = yield
    _forbid_skip(report)
    return report


@pytest.fixture(scope="session")
def root() -> Path:
    """The project's folder."""
    return ROOT


@pytest.fixture(scope="session")
def data_folder() -> Path:
    """Real lineages and session files, beside the project and never in it."""
    folder = ROOT / "../shared/data"
    if not folder.is_dir():
        pytest.skip(f"{DATA_ABSENT} there is no ../shared/data")
    return folder.resolve()


@pytest.fixture(scope="session")
def clients_folder() -> Path:
    """Recorded requests of real agent programs, beside the project and never in it."""
    folder = ROOT / "../shared/cases/clients"
    if not folder.is_dir():
        pytest.skip(f"{DATA_ABSENT} there is no ../shared/cases/clients")
    return folder.resolve()
