"""The check of the reader by a real model: what stands in front of a sentence makes its missing name likelier."""

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

from e2e.llama import llama
from requirement import requirement

SCRIPT = Path(__file__).resolve().parents[2] / "bench/reader_check.py"


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.setattr(sys, "path", list(sys.path))  # the script puts its own folders first
    spec = spec_from_file_location("reader_check", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "reader_check", module)
    spec.loader.exec_module(module)
    return module


@requirement("B-4")
def test_what_was_kept_makes_the_gold_likelier(script: ModuleType) -> None:
    fact = "The backup host of the archive is called quolvet-73. Ask quolvet-73 before you delete anything."
    lead = "The backup host of the archive is called"
    with llama(1_024) as server:
        gold = server.ids(" quolvet-73", special=False)
        with_it = script.ranked(server, server.ids(f"{fact}\n\n{lead}"), gold)
        alone = script.ranked(server, server.ids(lead), gold)
    assert len(with_it) == len(alone) == len(gold)
    assert sum(chance for _, chance in with_it) > sum(chance for _, chance in alone) + len(gold)
    assert all(first for first, _ in with_it[1:])


@requirement("B-4")
def test_figures_by_what_the_reader_said(script: ModuleType) -> None:
    checks = [script.Check(True, True, False, 4.0), script.Check(True, False, False, 2.0)]
    assert script.figures(checks) == {
        "reader_right": {"probes": 2, "literal": 1, "literal_without": 0, "gain_nats": 3.0},
        "reader_wrong": {"probes": 0, "literal": 0, "literal_without": 0, "gain_nats": None},
    }
