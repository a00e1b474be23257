"""What is installed: pinned exactly, and under a licence that lets anybody use it."""

from __future__ import annotations

import re
import tomllib
from importlib.metadata import PackageNotFoundError, metadata, version
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

FREE = re.compile(r"MIT|BSD|Apache|PSF|Python Software|MPL|Mozilla|ISC|Unlicense|0BSD|Zlib|CC0|HPND", re.IGNORECASE)
#: Those that say it only in a file of theirs.
READ: dict[str, str] = {}


def pins(root: Path) -> dict[str, str]:
    lines = [line.split("#")[0].strip() for line in (root / "constraints.txt").read_text("utf-8").splitlines()]
    return {canonicalize_name(name): pin for name, _, pin in (line.partition("==") for line in lines if line)}


def direct(root: Path) -> list[Requirement]:
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    extras = [line for lines in project["optional-dependencies"].values() for line in lines]
    return [Requirement(line) for line in (*project["dependencies"], *extras)]


def licence(name: str) -> str:
    found = metadata(name)
    told = [found.get("License-Expression"), (found.get("License") or "")[:80]]
    told += [line for line in found.get_all("Classifier") or () if line.startswith("License")]
    return " | ".join(filter(None, told))


def test_every_dependency_is_pinned_within_its_range(root: Path) -> None:
    held = pins(root)
    for wanted in direct(root):
        pin = held.get(canonicalize_name(wanted.name))
        assert pin, f"{wanted.name} has no pin in constraints.txt"
        assert wanted.specifier.contains(pin), f"{wanted} does not allow {pin}"
        assert any(part.operator in (">=", "==", "~=") for part in wanted.specifier), f"{wanted} has no lower bound"


def test_licences_are_free(root: Path) -> None:
    bound: list[str] = []
    for name in pins(root):
        try:
            version(name)
        except PackageNotFoundError:
            continue  # for another platform or Python
        if not FREE.search(licence(name)) and name not in READ:
            bound.append(f"{name}: {licence(name)!r}")
    assert bound == []


@pytest.mark.parametrize("word", ["MIT License", "Apache-2.0", "BSD-3-Clause", "OSI Approved :: MIT License"])
def test_the_names_of_free_licences_are_known(word: str) -> None:
    assert FREE.search(word)
    assert not FREE.search("GPL-3.0-only")
