"""The page in a real Chromium: what can be clicked, what is seen, and that nothing gets out."""

import warnings

import pytest

from tests.report.pictures import RANKING, SILENT, SQUEEZED, pictured
from wellshaped.records.fix import ChangedFile
from wellshaped.report.web.findings import render

pytestmark = pytest.mark.slow
PHONE = {"width": 360, "height": 740}
HOSTILE_FILE = '"><img src=x onerror=alert(1)><script>alert(2)<!--\u202e.py'
HOSTILE = """\
import torch
from torch import nn
batch = {"</code><script>alert(3)</script><b style='x'>": torch.zeros(4, 1).long()}
def f(logits):
    return nn.functional.cross_entropy(
        logits, batch["</code><script>alert(3)</script><b style='x'>"])
f(torch.zeros(4, 3))
"""


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    """One file with three faults and a patch."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        shown = [pictured(each) for each in (RANKING, SILENT, SQUEEZED)]
    changed = [ChangedFile("train.py", "a = 1\n", "a = 2\n")]
    file = tmp_path_factory.mktemp("page") / "out.html"
    page = render("train.py", shown, lang="en", version="9.9", changed=changed)
    file.write_text(page, encoding="utf-8")
    return file


def first(page, what: str):
    """The first such element of the language on show."""
    return page.locator(f"main:not([hidden]) {what}").first


def test_slider_shows_what_fails_at_one(report, visit):
    page = visit(report)
    slider, panel = first(page, "[data-sizes]"), first(page, ".panel:not([hidden])")
    assert slider.get_attribute("aria-valuetext") == "B = 4, as written: fails, repaired: holds"
    assert panel.locator(".tried li").first.inner_text().endswith("holds")
    slider.focus()
    page.keyboard.press("Home")
    assert first(page, "output").inner_text() == "B = 1"
    panel = first(page, ".panel:not([hidden])")
    assert panel.get_attribute("data-size") == "1"
    assert panel.locator(".tried li").first.inner_text().endswith("fails")
    assert (
        page.locator("main:not([hidden]) .sizes").nth(1).locator("output").inner_text() != "B = 1"
    )


def test_language_is_switched_and_the_slider_stays(report, visit):
    page = visit(report)
    first(page, "[data-sizes]").focus()
    page.keyboard.press("Home")
    page.get_by_role("button", name="Español").click()
    assert page.evaluate("document.documentElement.lang") == "es"
    assert "recibió" in first(page, "h2").inner_text()
    assert first(page, "output").inner_text() == "B = 1"
    assert page.locator("main:visible").count() == 1
    pressed = page.locator('[data-pick][aria-pressed="true"]')
    assert pressed.all_inner_texts() == ["Español"]


def test_diff_is_copied(report, visit):
    page = visit(report)
    first(page, "[data-copy]").click()
    page.wait_for_function("document.querySelector('main:not([hidden]) .done').textContent")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == (
        "- loss = ranking(chosen, rejected, label)\n"
        "+ loss = ranking(chosen, rejected, label.unsqueeze(1))"
    )
    page.locator("main:not([hidden]) [data-copy]").last.click()
    page.wait_for_timeout(100)
    patch = page.evaluate("navigator.clipboard.readText()")
    assert patch == "--- a/train.py\n+++ b/train.py\n@@ -1 +1 @@\n-a = 1\n+a = 2"


def test_everything_is_reached_by_keyboard(report, visit):
    page = visit(report)
    wanted = page.locator("main:not([hidden]) :is(button, input, summary, pre), nav button").count()
    reached = set()
    for _ in range(wanted + 60):
        page.keyboard.press("Tab")
        reached.add(
            page.evaluate("[...document.querySelectorAll('*')].indexOf(document.activeElement)")
        )
    tags = page.evaluate(
        "places => places.map(each => document.querySelectorAll('*')[each]?.tagName)", list(reached)
    )
    counted = {tag: tags.count(tag) for tag in ("BUTTON", "INPUT", "SUMMARY")}
    assert counted["INPUT"] == 3
    assert counted["SUMMARY"] == 3
    assert counted["BUTTON"] == 4 + 4


CONTRAST = """() => {
  const numbers = (color) => color.match(/[\\d.]+/g).map(Number);
  const light = (rgb) => rgb.slice(0, 3).map((v) => v / 255)
    .map((v) => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, at) => sum + v * [0.2126, 0.7152, 0.0722][at], 0);
  const behind = (node) => {
    for (; node; node = node.parentElement) {
      const found = numbers(getComputedStyle(node).backgroundColor);
      if (found.length === 3 || found[3] === 1) return found;
    }
    return [255, 255, 255];
  };
  let worst = [21, ""];
  for (const node of document.querySelectorAll("body *")) {
    const own = [...node.childNodes].some((each) => each.nodeType === 3 && each.data.trim());
    if (!own || !node.checkVisibility() || node.closest(".heard, script")) continue;
    const [a, b] = [light(numbers(getComputedStyle(node).color)), light(behind(node))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < worst[0]) worst = [ratio, `${node.tagName}.${node.className} ${node.textContent}`];
  }
  return worst;
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_contrast_and_pictures(report, visit, scheme, tmp_path):
    page = visit(report, color_scheme=scheme)
    ratio, where = page.evaluate(CONTRAST)
    assert ratio >= 4.5, where
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (paper == "rgb(255, 255, 255)") == (scheme == "light")
    picture = page.screenshot(path=tmp_path / f"{scheme}.png", full_page=True)
    assert len(picture) > 20_000


@pytest.mark.parametrize("lang", ["English", "日本語"])
def test_phone_needs_no_sideways_scrolling(report, visit, lang):
    page = visit(report, viewport=PHONE)
    page.get_by_role("button", name=lang).click()
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= PHONE["width"]
    target = page.get_by_role("button", name=lang).bounding_box()
    assert target["height"] >= 32


def test_print_shows_every_batch_size_and_no_controls(report, visit):
    page = visit(report, color_scheme="dark")
    page.emulate_media(media="print")
    assert (
        page.locator("main:not([hidden]) .panel:visible").count()
        == page.locator("main:not([hidden]) .panel").count()
    )
    assert page.locator("nav:visible, button:visible, input:visible").count() == 0
    assert page.evaluate("getComputedStyle(document.body).color") == "rgb(0, 0, 0)"
    assert page.pdf()[:5] == b"%PDF-"


def test_without_script_nothing_is_lost(report, visit):
    page = visit(report, java_script_enabled=False)
    assert page.locator("main:visible").count() == 1
    assert page.locator("main:not([hidden]) .panel:visible").count() == 11
    assert page.locator("input:visible").count() == 0


def test_hostile_names_are_only_text(visit, tmp_path):
    shown = pictured(HOSTILE, file=HOSTILE_FILE)
    file = tmp_path / "out.html"
    file.write_text(render(HOSTILE_FILE, [shown], lang="en", version="9.9"), encoding="utf-8")
    page = visit(file)
    assert page.locator("img, main script, main [style]").count() == 0
    assert page.locator("script").count() == 1
    assert "<script>alert(2)<!--\\u202e.py" in first(page, "h1").inner_text()
    assert "<script>alert(3)</script>" in first(page, ".lanes").inner_text()


def test_policy_stops_what_would_get_in(report, visit, tmp_path):
    """The file as it would be if something were not escaped: it is shown, and does nothing."""
    added = (
        "<script>document.title = 'in'</script>"
        "<p onclick=\"document.title = 'in'\" style='color: red' id=bad>x</p>"
        "<img src='http://127.0.0.1:9/x.png'><link rel=stylesheet href='http://127.0.0.1:9/x.css'>"
    )
    file = tmp_path / "bad.html"
    text = report.read_text(encoding="utf-8").replace("<h1>", f"{added}<h1>", 1)
    file.write_text(text, encoding="utf-8")
    page = visit(file, quiet=False)
    page.locator("#bad").click()
    assert page.title() == "wellshaped: train.py"
    assert page.locator("#bad").evaluate("e => getComputedStyle(e).color") != "rgb(255, 0, 0)"


def test_reduced_motion(report, visit):
    page = visit(report, reduced_motion="reduce")
    assert page.locator("button").first.evaluate("e => getComputedStyle(e).transition") in (
        "all",
        "none",
        "all 0s ease 0s",
        "none 0s ease 0s",
    )
