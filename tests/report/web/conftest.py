"""A real Chromium, one for each module of tests; without one they are skipped."""

import shutil

import pytest
from playwright.sync_api import sync_playwright

from tests.conftest import NO_BROWSER

_NAMES = ("chromium", "chromium-browser", "google-chrome")
QUIET = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)


def found_browser() -> str | None:
    """Where Chromium is, if it is anywhere."""
    return next(filter(None, map(shutil.which, _NAMES)), None)


# Not for longer than a module: Playwright 1.65 keeps an event loop running in this thread, and no
# test beside it could run one of its own.
@pytest.fixture(scope="module")
def chromium():
    """The browser; each test opens pages of its own in it."""
    path = found_browser()
    if path is None:
        pytest.skip(NO_BROWSER)
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path, args=list(QUIET))
        yield browser
        browser.close()


class Visit:
    """A page that was opened, and whatever it said, asked for or got wrong."""

    def __init__(self, browser, file, **how):
        self.context = browser.new_context(**how)
        self.context.grant_permissions(["clipboard-read", "clipboard-write"])
        self.page = self.context.new_page()
        self.said: list[str] = []
        self.asked: list[str] = []
        self.page.on("console", lambda message: self.said.append(message.text))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.on("dialog", lambda dialog: (self.said.append("dialog"), dialog.dismiss()))
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.on("requestfailed", self._stopped)
        self.page.goto(file.as_uri())

    def _stopped(self, request):
        """What the policy of the page refuses never leaves it."""
        if request.failure == "csp":
            self.asked.remove(request.url)


@pytest.fixture
def visit(chromium):
    """Opens files; when the test is over, none may have said a word or loaded anything."""
    opened: list[Visit] = []

    def go(file, *, quiet=True, **how):
        found = Visit(chromium, file, **how)
        opened.append(found)
        found.quiet = quiet
        return found.page

    yield go
    for each in opened:
        each.context.close()
        assert each.said == [] or not each.quiet
        assert len(each.asked) == 1, each.asked
