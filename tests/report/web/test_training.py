"""The page of a training run: curves that are seen and told, and samples that are only text."""

import re

import pytest

from wellshaped.records.training.progress import Curves, Ended, Kept, Series
from wellshaped.records.training.samples import Sample, Samples
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
    run = Kept(CURVES, (Samples(100, (HOSTILE,)),), ended)
    return render("run", [run], lang="en", version="9.9")


def test_a_curve_is_drawn_within_its_frame(page):
    points = page.split('points="')[1]
    places = [tuple(map(float, pair.split(","))) for pair in points.partition('"')[0].split()]
    assert len(places) == 100
    assert places == sorted(places), "to the right and, as the loss falls, down"
    wide, high = map(float, page.split('viewBox="0 20 ')[1].partition('"')[0].split())
    assert all(0 < x < wide and 20 < y < 20 + high for x, y in places)
    assert "loss: 1 at step 1, 0.01 at step 100; from 0.01 to 1" in page


def test_numbers_are_a_table_of_limited_length(page):
    english = page.partition('data-lang="es"')[0]
    assert english.count('<th scope="row">') <= 40 + 1 + 1
    assert "unseen" not in english


def test_without_curves_only_the_end_is_told():
    ended = Ended("interrupted", 7, 0, {}, "")
    page = render("run", [Kept(Curves(()), ended=ended)], lang="en", version="9.9")
    assert "<svg" not in page
    assert "interrupted after 7 steps" in page


@pytest.mark.parametrize("how", ["finished", "stopped early", "interrupted", "failed"])
def test_how_a_run_ended_is_told_in_every_language(how):
    ended = Ended(how, 7, 5, {"loss": 0.5}, "", patience=2, error="OSError: no <b>room</b>")
    page = render("run", [Kept(CURVES, ended=ended)], lang="en", version="9.9")
    assert page.count(f'class="ended {how.replace(" ", "-")}"') == 4
    assert page.count("no &lt;b&gt;room") == (4 if how == "failed" else 0)
    assert ("best at step 5" in page) == (how in ("finished", "stopped early"))


def test_stages_have_their_own_names_and_curves():
    runs = [Kept(CURVES, stage=each) for each in ("sft", "policy")]
    page = render("rlhf", runs, lang="en", version="9.9")
    english = page.partition('data-lang="es"')[0]
    assert english.index("learns from demonstrations") < english.index("is improved by rewards")
    assert english.count("<svg") == 4
    names = re.findall(r'id="([^"]+)"', page)
    assert len(names) == len(set(names))


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
