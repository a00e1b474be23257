"""The user's own table of wordings: before the packaged rows, and what is wrong in it is told with its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from requirement import requirement
from vademecum.errors import ConfigError
from vademecum.models.errors import classify
from vademecum.models.errors.own import table_with
from vademecum.models.errors.table import packaged

OWN = """\
# what our gateway says
[words]
drops = ['drops', 'beads']

[figures]
says = ['holds (?P<limit>{n}) {drops}']

[[input]]
name = "our gateway"
kind = "context_overflow"
says = ['The pot holds {n} {drops}']

[[codes]]
kind = "quota"
code = ["E_POT_EMPTY"]

[[status]]
name = "always waits"
kind = "rate_limit"
says = 'come back'
status = 418
"""


@pytest.fixture
def own(tmp_path: Path) -> Path:
    return tmp_path / "errors.toml"


@requirement("M-5")
def test_without_a_file_it_is_the_packaged_table() -> None:
    assert table_with(None) is packaged()


@requirement("M-5", "M-6")
def test_a_row_goes_before_the_packaged_ones_and_its_figures_are_read(own: Path) -> None:
    own.write_text(OWN)
    table = table_with(own)
    verdict = classify({"error": {"message": "THE POT HOLDS 50,000 BEADS"}}, status=400, table=table)
    assert verdict is not None
    assert (verdict.kind, verdict.learned_window) == ("context_overflow", 50_000)
    assert verdict.row == "input: our gateway (errors.toml, line 8)"
    code = classify({"error": {"code": "e_pot_empty", "message": "no"}}, status=400, table=table)
    assert code is not None
    assert code.kind == "quota"
    late = classify("come back tomorrow", status=418, table=table)
    assert late is not None
    assert late.kind == "rate_limit"


@requirement("M-5")
def test_what_the_packaged_rows_tell_they_still_tell(own: Path) -> None:
    own.write_text(OWN)
    said = "prompt is too long: 210266 tokens > 200000 maximum"
    assert classify(said, status=400, table=table_with(own)) == classify(said, status=400)


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("[[input]]\nkind = 'overflow'\nsays = ['x']\n", r"line 1: input: overflow has the kind 'overflow'"),
        ("\n\n[[input]]\nkind = 'auth'\nsays = ['(x']\n", r"line 3: the pattern '\(x' is none"),
        (
            "[[codes]]\nkind = 'auth'\ncode = ['a']\n[[codes]]\nkind = 'auth'\n",
            "line 4: the row would be of every error",
        ),
        ("[[input]]\nkind = 'auth'\nsays = ['x']\nstatus = ['400']\n", "line 1: status is "),
        ("[[input]]\nkind = 'auth'\nsays = ['x']\nwhen = 3\n", "line 1: input: auth has no key 'when'"),
        ("[[input]]\nkind = 'auth'\nsays = ['{pots}']\n", r"line 1: the pattern '\{pots\}' uses the word \{pots\}"),
        ("a = 1\n[[inputs]]\nkind = 'auth'\n", "line 1: there is no part 'a'"),
        ("[[inputs]]\nkind = 'auth'\n", "line 1: there is no part 'inputs'"),
        ("[input]\nkind = 'auth'\n", "line 1: input is no list of rows"),
        ("[words]\nx = 3\n", "line 2: the word x is no pattern"),
        ("\n[fields]\nwidth = ['w']\n", "line 2: 'width' is no figure"),
        ("[figures]\nsay = ['x']\n", "line 1: figures is not as it should be"),
        ("[[input]\n", r"not TOML: .*line 1"),
        ("[[input]]\nkind = 'auth'\nlimit = 'rate'\nsays = 'x'\n", "line 1: limit is 'rate'"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(own: Path, text: str, wrong: str) -> None:
    own.write_text(text)
    with pytest.raises(ConfigError, match=wrong) as told:
        table_with(own)
    assert str(own) in str(told.value)


def test_a_file_that_is_not_there(own: Path) -> None:
    with pytest.raises(ConfigError, match="there is no file"):
        table_with(own)
