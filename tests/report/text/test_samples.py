"""Texts of a policy are shown on one line each, and never obeyed by the terminal."""

from wellshaped.records.training.samples import Sample, Samples
from wellshaped.report.text.samples import sample_lines


def test_a_line_has_score_kl_prompt_and_answer():
    lines = sample_lines(Samples(3, (Sample("a hotel :", " fine .", 1.25, 0.5),)))
    assert lines == ["  score 1.25  kl 0.5 | a hotel : >> fine ."]


def test_control_characters_and_long_texts_do_not_reach_the_terminal():
    text = "\x1b[31mred\nline\x07 " + "x" * 1000
    (line,) = sample_lines(Samples(0, (Sample("p", text, 0.0, 0.0),)))
    assert line.isprintable()
    assert "\\x1b[31mred / line\\x07" in line
    assert len(line) < 500
