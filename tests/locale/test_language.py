"""The language: what was asked for, then the environment, then English."""

import os
import subprocess
import sys

import pytest

from wellshaped.cli import main
from wellshaped.locale.language import LANGUAGES, NoLanguage, can_print, language


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        ({}, "en"),
        ({"LANG": "ja_JP.UTF-8"}, "ja"),
        ({"LANG": "es"}, "es"),
        ({"LANG": "es_MX@euro", "LC_MESSAGES": "zh_CN.UTF-8"}, "zh"),
        ({"LANG": "es_ES.UTF-8", "LC_ALL": "C.UTF-8"}, "en"),
        ({"LC_ALL": "ja_JP.UTF-8", "WELLSHAPED_LANG": "es"}, "es"),
        ({"LC_ALL": "", "LANG": "ja_JP.eucJP"}, "ja"),
        ({"LANG": "zh_TW.UTF-8"}, "en"),
        ({"LANG": "zh-Hans-CN"}, "zh"),
        ({"LANG": "fr_FR.UTF-8"}, "en"),
        ({"LANG": "ja_JP.UTF-8", "WELLSHAPED_LANG": "xx"}, "en"),
    ],
)
def test_environment(environ, expected):
    assert language(None, environ) == expected


def test_what_was_asked_for_goes_first():
    assert language("ja", {"WELLSHAPED_LANG": "es"}) == "ja"
    with pytest.raises(NoLanguage, match="WS934"):
        language("fr", {"WELLSHAPED_LANG": "es"})


@pytest.mark.parametrize(
    ("encoding", "expected"),
    [
        ("ascii", ["en"]),
        ("latin-1", ["en", "es"]),
        ("shift_jis", ["en", "ja"]),
        ("gb2312", ["en", "zh"]),
        (None, [*LANGUAGES]),
    ],
)
def test_a_stream_may_lack_the_letters(encoding, expected):
    assert [lang for lang in LANGUAGES if can_print(lang, encoding)] == expected


def test_what_cannot_be_printed_is_said_in_english(tmp_path):
    command = [sys.executable, "-m", "wellshaped", "explain", "WS301"]
    environ = {**os.environ, "WELLSHAPED_LANG": "ja", "PYTHONIOENCODING": "ascii"}
    done = subprocess.run(command, cwd=tmp_path, env=environ, capture_output=True, text=True)
    assert (done.returncode, done.stdout.splitlines()[0]) == (0, "WS301  silent-broadcast  (error)")


@pytest.mark.parametrize("command", ["run", "check", "fix", "explain"])
def test_unknown_language_is_bad_usage(command, capsys):
    assert main([command, "--lang", "fr", "WS101"]) == 2
    out, err = capsys.readouterr()
    assert (out, err) == ("", "error[WS934]: there is no language `fr`; there are en, es, ja, zh\n")


def test_usage_errors_speak_the_language_that_was_asked_for(capsys):
    for arguments in (["explain", "--lang=ja", "WS000"], ["explain", "--lang", "ja", "WS000"]):
        assert main(arguments) == 2
        assert capsys.readouterr().err.startswith("エラー[WS931]: コード `WS000` の")
    assert main(["explain", "--lang", "ja", "--odd"]) == 2
    assert capsys.readouterr().err.startswith("エラー[WS932]: ")
    assert main(["check", "none.py", "--lang", "ja"]) == 2
    assert capsys.readouterr().err.startswith("エラー[WS930]: ")
