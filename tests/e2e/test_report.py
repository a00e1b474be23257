"""The report page in a real browser, offline, on a desk and on a phone."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, cast

import pytest

from requirement import requirement
from unit.bench.runs import HOSTILE, small_cycles, small_run
from vademecum.bench.report.page import report

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

NAMES = ("chromium", "chromium-browser", "google-chrome")
ARGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking"]
ARGS += ["--disable-component-update", "--disable-sync", "--no-first-run"]
WIDTHS = {"desk": 1280, "phone": 390}


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    path = next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        pytest.skip("no Chromium on the PATH; on Debian: apt-get install chromium")
    with playwright.sync_playwright() as running:
        found = running.chromium.launch(executable_path=path, args=ARGS)
        yield found
        found.close()


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("page")
    path = folder / "report.html"
    path.write_bytes(report(small_run(folder / "run"), small_cycles(folder / "cycles")).text.encode())
    return path


@pytest.fixture(params=WIDTHS)
def page(request: pytest.FixtureRequest, browser: Browser, file: Path) -> Iterator[Page]:
    """The opened page; afterwards nothing may have gone wrong, asked for anything, or been run from a transcript."""
    wrong: list[str] = []
    viewport = {"width": WIDTHS[request.param], "height": 844}
    context = browser.new_context(viewport=viewport, offline=True, color_scheme="light")  # pyright: ignore[reportArgumentType]
    opened = context.new_page()
    opened.set_default_timeout(10_000)
    opened.on("console", lambda message: wrong.append(message.text))
    opened.on("pageerror", lambda error: wrong.append(str(error)))
    opened.on("request", lambda asked: None if asked.url.startswith(("file:", "data:")) else wrong.append(asked.url))
    opened.goto(file.as_uri())
    opened.locator(".points circle").first.wait_for()
    yield opened
    assert wrong == []
    assert opened.title() == "Compaction bench: demo <i>run</i>"
    assert overflow(opened) == 0
    context.close()


def overflow(page: Page) -> int:
    """By how many pixels the page is wider than its window."""
    return cast("int", page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"))


@requirement("B-10")
def test_every_section_has_its_figures(page: Page) -> None:
    assert page.locator("h2").all_inner_texts()[:7] == [
        "Recall against tokens kept",
        "Recall by kind and position",
        "Vademecum against each arm",
        "Cost",
        "Compacted again and again",
        "Every probe",
        "Words",
    ]
    assert page.locator(".points circle.closed").count() == 5
    assert page.locator(".points circle.search").count() == 4
    assert page.locator(".points circle.unfit").count() == 1, "uncompacted is larger than the window"
    for figure in page.locator("figure").all():
        figure.scroll_into_view_if_needed()
        figure.locator("svg").first.wait_for()
        assert figure.locator("svg path, svg rect").count() > 1
    assert page.locator("#cycles .state").all_inner_texts() == ["stuck", "working"]


@requirement("B-10")
def test_names_do_not_lie_on_each_other(page: Page) -> None:
    boxes = [box for text in page.locator(".names text").all() if (box := text.bounding_box()) is not None]
    assert len(boxes) == 5
    for at, one in enumerate(boxes):
        for other in boxes[at + 1 :]:
            beside = one["x"] + one["width"] <= other["x"] + 1 or other["x"] + other["width"] <= one["x"] + 1
            apart = one["y"] + one["height"] <= other["y"] + 1 or other["y"] + other["height"] <= one["y"] + 1
            assert beside or apart


@requirement("B-10")
def test_from_a_point_to_a_probe(page: Page) -> None:
    page.locator(".points circle.closed[aria-label^='recency:']").click()
    rows = page.locator("#probes tbody tr")
    rows.first.wait_for()
    assert page.locator("#matches").inner_text() == "1–50 of 64 probes"
    page.get_by_role("button", name="more →").click()
    assert rows.count() == 14
    page.locator("#probes").get_by_label("verdict").select_option("right")
    assert page.locator("#matches").inner_text() == "1–13 of 13 probes"
    page.locator("#probes").get_by_label("text").fill("GATE-25")
    assert rows.count() == 1
    rows.first.get_by_role("button").click()
    dialog = page.get_by_role("dialog")
    text = dialog.inner_text()
    assert HOSTILE[1] in text
    assert "gate-25a" in text
    assert "holds the gold" in text
    assert dialog.locator("mark.gold").count() >= 3
    dialog.get_by_role("button", name="uncompacted").click()
    assert dialog.get_by_role("heading").first.inner_text() == "uncompacted"
    page.keyboard.press("Escape")
    assert not dialog.is_visible()


@requirement("B-10")
def test_without_a_pointer(page: Page) -> None:
    page.locator(".points circle.search[aria-label^='vademecum:']").focus()
    assert "40,000 tokens kept" in page.locator("#tip").inner_text()
    page.keyboard.press("Enter")
    page.locator("#probes tbody tr").first.wait_for()
    fields = page.locator("#probes")
    assert fields.get_by_role("combobox", name="arm", exact=True).input_value() == "vademecum"
    assert fields.get_by_label("answered").input_value() == "search"
    page.locator("#recall .term", has_text="Pareto line").focus()
    page.keyboard.press("Enter")
    assert page.locator("#term-Pareto-line").is_visible()


@requirement("B-10")
def test_through_the_probes_of_a_list(page: Page) -> None:
    page.locator("#recall").get_by_role("button", name="uncompacted", exact=True).click()
    page.locator("#probes tbody button").first.click()
    dialog = page.get_by_role("dialog")
    assert "plan 0 listens" in dialog.inner_text()
    following = dialog.get_by_role("button", name="next →")
    following.focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    assert "plan 2 listens" in dialog.inner_text(), "the focus stays on the button"
    page.keyboard.press("Escape")
    page.locator("#probes").get_by_label("answered").select_option("search")
    assert page.locator("#matches").inner_text() == "This arm does not search."
