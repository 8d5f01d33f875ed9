"""The picture of the page in the READMEs, taken in a real Chromium."""

import io
import tempfile
from pathlib import Path

from tests.report.pictures import pictured
from tests.report.web.conftest import QUIET, found_browser
from wellshaped import __version__
from wellshaped.report.web.findings import render

ROOT = Path(__file__).parents[2]
PICTURE = ROOT / "docs" / "report.png"
_EXAMPLE = ROOT / "examples" / "crash.py"
_WIDTH = 1000
_COLOURS = 64
# From the headline to the call at the batch size on show.
_PART = """() => {
  const fault = document.querySelector("main:not([hidden]) .fault");
  const end = fault.querySelector(".sizes").getBoundingClientRect().bottom;
  const box = fault.getBoundingClientRect();
  return { x: box.x, y: box.y, width: box.width, height: end - box.y + 12 };
}"""


def take() -> None:
    """Write the picture; a machine without a browser keeps the one it has."""
    path = found_browser()
    if path is None:
        print("no Chromium on this machine: docs/report.png stays as it is")
        return
    PICTURE.write_bytes(_small(_shot(path)))


def _shot(browser: str) -> bytes:
    from playwright.sync_api import sync_playwright

    shown = pictured(_EXAMPLE.read_text(encoding="utf-8"), file=_EXAMPLE.name)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        file = Path(folder) / "out.html"
        page = render(_EXAMPLE.name, [shown], lang="en", version=__version__)
        file.write_text(page, encoding="utf-8")
        chromium = driver.chromium.launch(executable_path=browser, args=list(QUIET))
        page_shown = chromium.new_page(viewport={"width": _WIDTH, "height": 1600})
        page_shown.goto(file.as_uri())
        page_shown.locator("main:not([hidden]) [data-sizes]").focus()
        page_shown.keyboard.press("Home")
        page_shown.evaluate("document.activeElement.blur()")
        taken: bytes = page_shown.screenshot(clip=page_shown.evaluate(_PART))
        chromium.close()
    return taken


def _small(picture: bytes) -> bytes:
    """The same with few colours: a third of the size."""
    from PIL import Image

    few = Image.open(io.BytesIO(picture)).convert("RGB").quantize(_COLOURS)
    out = io.BytesIO()
    few.save(out, "PNG", optimize=True)
    return out.getvalue()
