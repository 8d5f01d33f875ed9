"""The page of a training run: curves that are seen and told, and samples that are only text."""

import pytest

from wellshaped.records.samples import Sample, Samples
from wellshaped.records.training import Curves, Ended, Series
from wellshaped.report.web.training import render

LOSS = Series("loss", tuple((float(step), 1 / step) for step in range(1, 101)))
HELD = Series("held out", ((50.0, 0.25), (100.0, 0.125)))
CURVES = Curves(
    (
        ("loss", (LOSS, HELD)),
        ("empty", (Series("unseen", ()),)),
        ("one", (Series("kl", ((5.0, 2.0),)),)),
    )
)
HOSTILE = Sample(
    "<script>alert(1)</script>", "two\nlines </dd><img src=x onerror=alert(2)>", 0.5, 1.25
)


@pytest.fixture(scope="module")
def page() -> str:
    ended = Ended("finished", 100, 100, {"loss": 0.01}, "")
    samples = [Samples(100, (HOSTILE,))]
    return render("run", CURVES, lang="en", version="9.9", ended=ended, samples=samples)


def test_a_curve_is_drawn_within_its_frame(page):
    points = page.split('points="')[1]
    places = [tuple(map(float, pair.split(","))) for pair in points.partition('"')[0].split()]
    assert len(places) == 100
    assert places[0] == (96.0, 12.0)
    assert places[-1] == (628.0, 210.0)
    assert "loss: 1 at step 1, 0.01 at step 100; from 0.01 to 1" in page


def test_numbers_are_a_table_of_limited_length(page):
    english = page.partition('data-lang="es"')[0]
    assert english.count('<th scope="row">') <= 40 + 1 + 1
    assert "unseen" not in english


def test_without_curves_only_the_end_is_told():
    assert "<svg" not in render("run", Curves(()), lang="en", version="9.9")


@pytest.mark.slow
def test_in_chromium(page, visit, tmp_path):
    file = tmp_path / "run.html"
    file.write_text(page, encoding="utf-8")
    shown = visit(file, viewport={"width": 360, "height": 740})
    assert shown.evaluate("document.documentElement.scrollWidth") <= 360
    assert shown.locator("main:not([hidden]) svg").count() == 2
    assert shown.locator("main img, main script").count() == 0
    assert "<img src=x onerror=alert(2)>" in shown.locator("main:not([hidden])").inner_text()
    named = shown.get_by_role("img", name="loss").first
    assert named.bounding_box()["width"] > 200
    curve = shown.locator("main:not([hidden]) polyline").first.bounding_box()
    assert curve["width"] > 150
    assert curve["height"] > 40
    shown.screenshot(path=tmp_path / "run.png", full_page=True)
