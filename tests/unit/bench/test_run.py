from __future__ import annotations

from pathlib import Path

import pytest

from requirement import requirement
from unit.bench.talk import lineage
from vademecum.bench.arms.arm import Job, Kept
from vademecum.bench.arms.table import CHEATS, chosen
from vademecum.bench.lineage import save
from vademecum.bench.price import price_of
from vademecum.bench.run import Run, run
from vademecum.bench.scorecard import scorecard
from vademecum.bench.setting import Setting
from vademecum.errors import ConfigError

ARMS = (
    "uncompacted",
    "nothing",
    "recency",
    "drop-results",
    "drop-results-keep-calls",
    "vademecum",
    "bag-of-identifiers",
)
SETTING = Setting(tokens=60_000, window=40_000, target=8_000, cloze=80, others=20)


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("bench")
    asked = Run(folder / "run", {"made": save(lineage(140), folder)}, SETTING, chosen(ARMS))
    run(asked)
    return asked


def files_of(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.name.endswith(".timing.json")
    }


@requirement("B-3", "B-4")
def test_the_controls_say_what_they_must(done: Run) -> None:
    arms = {arm["arm"]: arm for arm in scorecard(done.folder)["arms"]}
    assert arms["nothing"]["closed"]["overall"]["value"] == 0
    assert arms["nothing"]["tokens"] == 0
    assert arms["nothing"]["search"]["overall"]["value"] > 0.5
    assert arms["uncompacted"]["closed"]["relative"] == 1
    assert arms["drop-results"]["closed"]["where"]["result"]["reader"]["value"] < 0.2
    assert arms["drop-results"]["closed"]["where"]["user"]["reader"]["value"] > 0.7
    assert arms["recency"]["closed"]["overall"]["value"] < 0.2
    assert not {row.name for row in CHEATS} & {*scorecard(done.folder)["front"]["closed"]}, (
        "who cheats is on no front"
    )
    # A bag of identifiers is present and says nothing.
    assert arms["bag-of-identifiers"]["closed"]["present"]["value"] == 1
    assert arms["bag-of-identifiers"]["closed"]["overall"]["value"] < 0.05


@requirement("B-11")
def test_an_interrupted_run_goes_on_and_ends_in_the_same_bytes(done: Run, tmp_path: Path) -> None:
    again = Run(tmp_path / "run", done.lineages, SETTING, chosen(ARMS))

    class Stop(Exception):
        pass

    def stop(_what: str, number: int, _total: int) -> None:
        if number == 4:
            raise Stop

    with pytest.raises(Stop):
        run(again, note=stop)
    run(again)
    assert files_of(again.folder) == files_of(done.folder)


@requirement("B-11")
def test_a_folder_of_another_run_is_refused(done: Run) -> None:
    with pytest.raises(ConfigError, match="another setting"):
        run(Run(done.folder, done.lineages, Setting(seed=2), chosen()))


def keep_the_last(job: Job) -> Kept:
    return Kept(job.messages[-1:])


@requirement("B-3")
def test_a_third_party_plugs_in_by_a_dotted_name(done: Run, tmp_path: Path) -> None:
    rows = chosen([f"{__name__}:keep_the_last"])
    run(Run(tmp_path / "run", done.lineages, SETTING, rows))
    (arm,) = scorecard(tmp_path / "run")["arms"]
    assert arm["arm"].endswith("keep_the_last")
    assert 0 < arm["tokens"] < 400
    with pytest.raises(ConfigError, match="no arm"):
        chosen(["nowhere:at_all"])
    with pytest.raises(ConfigError, match="no arm"):
        chosen(["unheard-of"])


@requirement("B-7")
def test_differences_are_paired_and_corrected(done: Run) -> None:
    card = scorecard(done.folder)
    rows = {(row["against"], row["mode"]): row for row in card["differences"]}
    assert rows["nothing", "closed"]["different"]
    assert rows["nothing", "closed"]["p_holm"] >= rows["nothing", "closed"]["p"]
    assert rows["drop-results-keep-calls", "closed"]["value"] < 0


@requirement("B-8")
def test_the_scorecard_has_cost_and_front(done: Run) -> None:
    card = scorecard(done.folder, price=price_of("3/15/0.3/3.75"))
    arms = {arm["arm"]: arm["cost"] for arm in card["arms"]}
    assert card["price"]["name"] == "3/15/0.3/3.75"
    assert arms["nothing"]["usd_per_request"] == arms["uncompacted"]["usd_cache_break"] == 0
    assert arms["vademecum"]["usd_per_request"] < arms["uncompacted"]["usd_per_request"]
    assert arms["vademecum"]["usd_cache_break"] > 0
    assert card["front"]["closed"][0] == "nothing"
    assert "bag-of-identifiers" not in card["front"]["closed"]
    assert card["front"]["search"]
