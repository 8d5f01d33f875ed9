"""Curves: an SVG that is well formed and shows every series, and a PNG."""

import math
from pathlib import Path
from xml.etree import ElementTree

from wellshaped.records.training.progress import Curves, Series
from wellshaped.report.curves import png, svg, thinned, ticks

NAMESPACE = "{http://www.w3.org/2000/svg}"
LOSS = Series("train", tuple((float(n), math.exp(-n / 300)) for n in range(1, 1001)))
CURVES = Curves(
    (
        ("loss <&>", (LOSS, Series("evaluation", ((100.0, 0.8), (1000.0, 0.3))))),
        ("accuracy", (Series("evaluation", ((10.0, 0.5),)),)),
        ("nothing", (Series("train", ((1.0, math.nan),)),)),
    )
)


def test_the_picture_is_well_formed_and_shows_every_series() -> None:
    tree = ElementTree.fromstring(svg(CURVES))
    lines = tree.findall(f".//{NAMESPACE}polyline")
    assert [line.get("class") for line in lines] == ["s0", "s1"]
    assert len(tree.findall(f".//{NAMESPACE}circle")) == 1
    texts = [each.text for each in tree.iter(f"{NAMESPACE}text")]
    assert {"loss <&>", "accuracy", "training", "evaluation", "step"} <= set(texts)
    style = tree.findtext(f".//{NAMESPACE}style")
    assert style is not None
    assert "prefers-color-scheme:dark" in style


def test_points_stand_where_their_numbers_are() -> None:
    rising = Curves((("x", (Series("train", ((0.0, 0.0), (5.0, 1.0), (10.0, 0.5))),)),))
    line = ElementTree.fromstring(svg(rising)).find(f".//{NAMESPACE}polyline")
    assert line is not None
    (x0, y0), (x1, y1), (x2, y2) = (
        tuple(map(float, each.split(","))) for each in (line.get("points") or "").split()
    )
    assert x0 < x1 < x2
    assert abs((x1 - x0) - (x2 - x1)) < 0.2
    assert y1 < y2 < y0, "up is less"
    assert abs((y0 - y2) - (y2 - y1)) < 0.2


def test_long_series_are_thinned_and_keep_their_end() -> None:
    found = thinned(LOSS.points)
    assert len(found) <= 300
    assert found[-1] == LOSS.points[-1]
    assert abs(found[0][1] - LOSS.points[0][1]) < 0.01


def test_ticks_are_round_numbers_within() -> None:
    assert ticks(0, 1000) == (0, 200, 400, 600, 800, 1000)
    assert ticks(-0.03, 0.11) == (0, 0.05, 0.1)
    assert ticks(3, 3) == (3,)


def test_the_same_as_png(tmp_path: Path) -> None:
    png(CURVES, tmp_path / "c.png")
    data = (tmp_path / "c.png").read_bytes()
    assert data.startswith(b"\x89PNG")
    assert len(data) > 5000
