"""The tables of the languages hold, and the checker sees each kind of defect planted in one."""

from pathlib import Path

import pytest

from tests import translations
from tests.translations import FINISHED, LANGUAGES, Term, faults, line_faults
from wellshaped.diagnose.faults import rules
from wellshaped.locale.entries import entries, stamp

ENGLISH = dict(entries())
GOLDEN = Path(__file__).parents[1] / "golden" / "rules"
HEADLINE, PAGE = "WS101.headline.fewer", "WS101.page"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_table_is_right(lang):
    assert faults(lang, translations.read(lang), finished=lang in FINISHED) == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_table_is_stored_in_order(lang):
    table = translations.read(lang)
    stored = (translations.LOCALE / f"{lang}.toml").read_text(encoding="utf-8")
    assert stored == translations.written(translations.merged(table, {}))


@pytest.mark.parametrize("lang", ["", *LANGUAGES])
def test_no_line_of_a_golden_is_too_wide_or_begins_with_a_closing_mark(lang):
    paths = [*(GOLDEN / lang).glob("*.txt")]
    assert paths or lang not in FINISHED
    wrong = [(path.name, line_faults(lang, path.read_text("utf-8"))) for path in paths]
    assert [each for each in wrong if each[1]] == []


@pytest.mark.parametrize("lang", ["", *sorted(FINISHED)])
def test_every_rule_has_its_golden_and_every_golden_its_rule(lang):
    assert {path.stem for path in (GOLDEN / lang).glob("*.txt")} == {each.code for each in rules()}


def perfect():
    """A table in which each text is its own translation."""
    return {key: (stamp(text), text) for key, text in ENGLISH.items()}


def planted(key, text=None, mark=None):
    table = perfect()
    table[key] = (mark or table[key][0], table[key][1] if text is None else text)
    return faults("xx", table, finished=True)


def test_a_perfect_table_has_no_fault():
    assert faults("xx", perfect(), finished=True) == []


@pytest.mark.parametrize(
    ("key", "text", "mark", "fault"),
    [
        (HEADLINE, None, "00000000", "stale"),
        (HEADLINE, " ", None, "empty"),
        (HEADLINE, ENGLISH[HEADLINE].replace("{rest}", "its inputs"), None, "placeholders"),
        (HEADLINE, ENGLISH[HEADLINE] + " {other}", None, "placeholders"),
        (HEADLINE, ENGLISH[HEADLINE].replace("`", ""), None, "code differs"),
        (HEADLINE, ENGLISH[HEADLINE] + " `more`", None, "code differs"),
        (HEADLINE, ENGLISH[HEADLINE] + "。", None, "no full stop"),
        (HEADLINE, ENGLISH[HEADLINE].replace(" ", "\n", 1), None, "more than one line"),
        (PAGE, ENGLISH[PAGE].replace("\n    ", "\n    x = 1; ", 1), None, "examples differ"),
        (PAGE, ENGLISH[PAGE].replace("**Why.** ", ""), None, "**parts**"),
    ],
)
def test_a_planted_defect_is_found(key, text, mark, fault):
    (found,) = planted(key, text, mark)
    assert found.startswith(f"xx {key}: ")
    assert fault in found


def test_gaps_and_strangers_are_found():
    table = perfect()
    del table[PAGE]
    table["WS101.why.odd"] = ("", "")
    assert faults("xx", table, finished=True) == [
        "xx WS101.why.odd: there is no such English",
        f"xx {PAGE}: missing",
    ]
    assert len(faults("xx", table, finished=False)) == 1


def test_words_against_the_glossary_are_found(monkeypatch):
    terms = (Term("target", ("ターゲット",), ("目標", "objective")),)
    monkeypatch.setattr(translations, "glossary", lambda lang: terms)
    (found,) = planted("label.why", "この目標は")
    assert found == "xx label.why: says '目標'; the glossary says ターゲット"
    assert planted("label.why", "このターゲットは") == []


def test_the_parts_of_a_page_are_named_as_the_glossary_says(monkeypatch):
    terms = (Term("**Why.**", ("**por qué.**",), ()),)
    monkeypatch.setattr(translations, "glossary", lambda lang: terms)
    stranger = ENGLISH[PAGE].replace("**Why.**", "**Motivo.**")
    other = ENGLISH[PAGE].replace("**Why.**", "**Por qué.**")
    table = {PAGE: (stamp(ENGLISH[PAGE]), stranger)}
    assert faults("xx", table, finished=False) == [f"xx {PAGE}: lacks **por qué.**"]
    assert faults("xx", {PAGE: (stamp(ENGLISH[PAGE]), other)}, finished=False) == []


def test_comments_of_an_example_may_be_translated():
    english = ENGLISH["WS225.page"]
    assert "# one row short" in english
    assert planted("WS225.page", english.replace("# one row short", "# falta una fila")) == []


def test_code_and_placeholders_are_free_of_the_glossary(monkeypatch):
    terms = (Term("rows", ("filas",), ("rows", "text")),)
    monkeypatch.setattr(translations, "glossary", lambda lang: terms)
    table = {"label.wrong_never": (stamp(ENGLISH["label.wrong_never"]), "`{text}` falla")}
    assert faults("xx", table, finished=False) == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_glossary_has_the_same_words_in_every_language(lang):
    terms = translations.glossary(lang)
    core = {"shape", "axis", "size", "rank", "batch", "row", "loss (function)", "target", "mask"}
    assert core <= {term.english for term in terms}
    assert all(term.wanted for term in terms)
    clashes = {word for term in terms for word in term.forbidden} & {
        word for term in terms for word in term.wanted
    }
    assert clashes == set()


def test_lines_that_are_too_wide_or_begin_with_a_closing_mark_are_found():
    assert line_faults("es", "x" * 80) == []
    assert line_faults("es", "x" * 81) == ["line 1 is 81 cells wide"]
    assert line_faults("ja", "損" * 41) == ["line 1 is 82 cells wide"]
    assert line_faults("ja", "損失\n  、と") == ["line 2 begins with 、"]
    assert line_faults("ja", "損失\n  。") == ["line 2 begins with 。"]
    assert line_faults("zh", "损失\n  ）") == ["line 2 begins with ）"]  # noqa: RUF001
    assert line_faults("ja", "スカラ\nー") == ["line 2 begins with ー"]


def test_what_is_filled_comes_into_the_table():
    table = {key: entry for key, entry in perfect().items() if not key.startswith("WS201")}
    left = translations.parse(translations.todo(table))
    assert {key.split(".")[0] for key in left} == {"WS201"}
    filled = {key: (mark, f"{ENGLISH[key]}!\nend") for key, (mark, _) in left.items()}
    stored = translations.written(translations.merged(table, filled))
    whole = translations.parse(stored)
    assert translations.missing(whole) == {}
    assert [*whole] == [*ENGLISH]
    # Three headlines of this rule are the same English: filled once, stored for each.
    assert {len(left), len({key for key in whole if key.startswith("WS201")})} == {
        len(left),
        len(left) + 2,
    }
    assert whole["WS201.headline.plain"][1] == f"{ENGLISH['WS201.headline.plain']}!\nend"


def test_stale_text_is_shown_beside_the_new_english_and_not_taken_over():
    table = {**perfect(), "label.why": ("00000000", "antes")}
    assert "# before: antes" in translations.todo(table)
    outdated = {"label.why": ("11111111", "otra")}
    assert translations.merged(table, outdated)["label.why"] == ("00000000", "antes")
