"""The rule that nothing is skipped in CI, except for absent data."""

from pathlib import Path

import pytest

pytest_plugins = ["pytester"]

CONFTEST = Path(__file__).resolve().parents[1] / "conftest.py"


@pytest.fixture
def run(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch):
    """Runs a test file under the project's conftest, in CI or not."""

    def run_file(body: str, *, ci: str) -> dict[str, int]:
        monkeypatch.setenv("CI", ci)
        pytester.makeconftest(CONFTEST.read_text("utf-8"))
        pytester.makepyfile(body)
        return pytester.runpytest_subprocess("-p", "no:cacheprovider").parseoutcomes()

    return run_file


SKIP = 'import pytest\n\ndef test_it():\n    pytest.skip("{}")\n'
SKIP_MODULE = 'import pytest\n\npytest.skip("{}", allow_module_level=True)\n'
XFAIL = 'import pytest\n\n@pytest.mark.xfail(reason="known")\ndef test_it():\n    assert False\n'


def test_a_skip_in_ci_fails(run) -> None:
    assert run(SKIP.format("no node"), ci="true") == {"failed": 1}


def test_a_skip_for_absent_data_is_allowed_in_ci(run) -> None:
    assert run(SKIP.format("data: none here"), ci="true") == {"skipped": 1}


def test_a_skip_for_an_absent_server_is_for_other_machines_than_ci(run) -> None:
    assert run(SKIP.format("llama: there is none"), ci="true") == {"failed": 1}
    assert run(SKIP.format("llama: there is none"), ci="") == {"skipped": 1}


def test_a_skip_elsewhere_is_a_skip(run) -> None:
    assert run(SKIP.format("no node"), ci="") == {"skipped": 1}


def test_a_skipped_module_in_ci_fails(run) -> None:
    assert "errors" in run(SKIP_MODULE.format("no node"), ci="true")


def test_a_module_skipped_for_absent_data_is_allowed_in_ci(run) -> None:
    assert run(SKIP_MODULE.format("data: none here"), ci="true") == {"skipped": 1}


def test_an_expected_failure_stays_one(run) -> None:
    assert run(XFAIL, ci="true") == {"xfailed": 1}
