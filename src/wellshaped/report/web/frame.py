"""The file itself: its policy, its style and script, and a copy of the report in each language."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from pathlib import Path

from wellshaped.locale import ENGLISH, Untranslated, Words, words
from wellshaped.locale.language import BY_CODE, LANGUAGES
from wellshaped.report.web.markup import element, text, void


def html_page(program: str, lang: str, version: str, body: Callable[[Words], str]) -> str:
    """A whole HTML file; `body` says the report in one language, all of them go in."""
    style, script = _asset("page.css"), _asset("page.js")
    parts = [
        void("meta", charset="utf-8"),
        void("meta", http_equiv="Content-Security-Policy", content=_policy(style, script)),
        void("meta", name="viewport", content="width=device-width, initial-scale=1"),
        void("meta", name="color-scheme", content="light dark"),
        void("link", rel="icon", href="data:,"),
        element("title", text(words(lang).web("title", program=program))),
        element("style", style),
    ]
    articles = [_article(each, lang, program, version, body) for each in LANGUAGES]
    main = [_picker(lang), *articles, element("script", script)]
    html = element("head", parts) + element("body", main)
    return f"<!DOCTYPE html>\n{element('html', html, lang=lang)}\n"


def _policy(style: str, script: str) -> str:
    """Nothing is loaded, and nothing runs but the script and the style of this very file."""
    return (
        f"default-src 'none'; script-src '{_digest(script)}'; style-src '{_digest(style)}'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


def _digest(source: str) -> str:
    return f"sha256-{b64encode(sha256(source.encode()).digest()).decode()}"


@cache
def _asset(name: str) -> str:
    return Path(__file__).with_name(name).read_text(encoding="utf-8")


def _picker(lang: str) -> str:
    buttons = [
        element(
            "button", BY_CODE[each].name, type="button", lang=each, data_pick=each,
            aria_pressed="true" if each == lang else "false",
        )
        for each in LANGUAGES
    ]  # fmt: skip
    label = " / ".join(words(each).web("language") for each in LANGUAGES)
    return element("nav", buttons, aria_label=label, klass="languages")


def _article(
    lang: str, chosen: str, program: str, version: str, body: Callable[[Words], str]
) -> str:
    """The report in one language; a sentence that has no translation makes all of it English."""
    spoken = words(lang)
    try:
        inner = body(spoken)
    except Untranslated:
        inner, spoken = body(ENGLISH), ENGLISH
    head = element("h1", text(program))
    foot = element("footer", text(spoken.web("made_by", version=version)), klass="dim")
    return element(
        "main", head + inner + foot, lang=spoken.lang, data_lang=lang,
        data_title=spoken.web("title", program=program), hidden=lang != chosen,
    )  # fmt: skip
