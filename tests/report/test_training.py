"""What a run shows: the progress line on a terminal and elsewhere, bad rows, the end."""

import io

import pytest

from wellshaped.locale.catalogue import words
from wellshaped.records.phrase import phrase
from wellshaped.records.training.progress import BadRow, Ended, Flaws, Step
from wellshaped.report.training import (
    ProgressLine,
    duration,
    end_lines,
    flaw_lines,
    folded,
    number,
    progress_line,
)

VALUES = {
    "loss": 0.431234,
    "accuracy": 0.91,
    "learning_rate": 1e-3,
    "tokens_per_second": 5432.1,
    "padding": 0.126,
}


def step(number: int, *, evaluated: bool = False) -> Step:
    return Step(number, 400, 0.5, VALUES, 72.0, evaluated)


def test_what_texts_share_is_told_where_something_is() -> None:
    line = progress_line(Step(40, 400, 0.5, {**VALUES, "shared": 0.384}, 72.0))
    assert "  padding 13 %  shared 38 %  1:12 left" in line


def test_one_line_tells_all() -> None:
    assert progress_line(step(40)) == (
        "step 40/400  [##..................]  loss 0.4312  accuracy 0.91  "
        "5432 tokens/s  padding 13 %  1:12 left"
    )


@pytest.mark.parametrize("lang", ["es", "ja", "zh"])
def test_it_speaks_the_other_languages(lang: str) -> None:
    line = progress_line(step(40), words(lang))
    assert "0.4312" in line
    assert "loss" not in line


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_has_one_line_that_is_rewritten() -> None:
    stream, now = Terminal(), [0.0]
    line = ProgressLine(stream, clock=lambda: now[0])
    for place in range(1, 11):
        now[0] += 0.04
        line(step(place))
    line(step(10, evaluated=True))
    line.close()
    text = stream.getvalue()
    assert text.count("\r\x1b[K") == 5, "too fast to be read: every third step"
    assert text.count("\n") == 2, "the evaluation stays, folded"
    assert "step 10: loss 0.4312  accuracy 0.91" in text


def test_elsewhere_a_plain_line_comes_now_and_then() -> None:
    stream, now = io.StringIO(), [0.0]
    line = ProgressLine(stream, clock=lambda: now[0])
    for place in range(1, 401):
        now[0] += 0.125
        line(step(place))
    lines = stream.getvalue().splitlines()
    shown = [each.split()[1].removesuffix("/400") for each in lines]
    assert shown == ["1", "81", "161", "241", "321", "400"]
    assert "\x1b" not in stream.getvalue()


def test_bad_rows_are_listed_by_line_and_counted_by_kind() -> None:
    rows = (BadRow("a.csv", 17, phrase("row_lacks", column="label")),)
    assert flaw_lines(Flaws(rows, {"row_lacks": 1}, 40)) == (
        "a.csv:17: has no `label`\n1 of 40 rows are bad\n"
    )
    examples = {"row_lacks": rows[0].reason, "row_fields": phrase("row_fields", got=3, wants=2)}
    assert flaw_lines(Flaws(rows, {"row_lacks": 20, "row_fields": 1}, 40, examples)) == (
        "a.csv:17: has no `label`\n"
        "20 like this: has no `label`\n"
        "1 like this: has 3 fields, and the header 2\n"
        "21 of 40 rows are bad\n"
    )


def test_the_end_says_what_it_came_to() -> None:
    ended = Ended("stopped early", 120, 80, {"loss": 0.25, "accuracy": 0.9}, "out", patience=4)
    assert end_lines(ended) == (
        "stopped early after 120 steps: no better for 4 evaluations\n"
        "best at step 80: loss 0.25  accuracy 0.9\n"
        "saved to out\n"
    )
    assert "--resume" in end_lines(Ended("interrupted", 7, 0, {}))


def test_a_failure_is_told_with_its_error_in_the_language_of_the_reader() -> None:
    told = Ended("failed", 7, 3, {"loss": 0.5}, error=phrase("loss_not_finite", step=8))
    assert end_lines(told).startswith("failed after 7 steps: the loss ")
    assert end_lines(told, words("es")).startswith("falló tras 7 pasos: la pérdida ")
    foreign = Ended("failed", 1, 0, {}, error="RuntimeError: out of memory")
    assert end_lines(foreign) == "failed after 1 steps: RuntimeError: out of memory\n"


def test_large_numbers_are_written_in_full() -> None:
    assert [number(each) for each in (22019.4, 5.263e-05, 0.25, 3e9)] == [
        "22019",
        "5.263e-05",
        "0.25",
        "3e+09",
    ]


def test_durations() -> None:
    assert [duration(each) for each in (0.4, 59.6, 760, 10930)] == [
        "0:00",
        "1:00",
        "12:40",
        "3:02:10",
    ]


def test_the_bar_gives_way_to_the_values() -> None:
    assert progress_line(step(40), width=100).startswith("step 40/400  [#")
    narrow = progress_line(step(40), width=80)
    assert (
        narrow == "step 40/400  loss 0.4312  accuracy 0.91  5432 tokens/s  padding 13 %  1:12 left"
    )
    assert "1:12 left" in narrow


def test_many_values_are_folded_and_none_is_broken() -> None:
    line = "step 40: " + "  ".join(f"value_{place} 0.1234" for place in range(12))
    lines = folded(line).splitlines()
    assert max(map(len, lines)) <= 80
    assert " ".join(" ".join(lines).split()) == " ".join(line.split())
    assert all(part.startswith("    value_") for part in lines[1:])
    assert folded("step 40: loss 1") == "step 40: loss 1"
