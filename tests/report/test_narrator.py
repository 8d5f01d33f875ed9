"""A run is told record by record: notes and progress on one stream, the end on another."""

import io

from wellshaped.locale.catalogue import words
from wellshaped.records.phrase import Phrase
from wellshaped.records.training.progress import BadRow, Ended, Flaws, Step
from wellshaped.records.training.shortened import Shortened
from wellshaped.report.narrator import Narrator


def told(*records, lang="en"):
    stream = io.StringIO()
    narrator = Narrator(stream, words(lang))
    for record in records:
        narrator(record)
    return stream.getvalue()


def test_what_the_length_took_is_told_with_its_places():
    places = tuple(("a.jsonl", line) for line in range(1, 6))
    given = Shortened(64, 100, 7, 6, 1, (("a.jsonl", 3),), places)
    assert told(given).splitlines() == [
        "prompts cut from the left to fit into 64 tokens: 7 of 100",
        "prompts that fill all 64 tokens by themselves: 1, at a.jsonl:3",
        "answers of more than 64 tokens, cut before their end: 6, at a.jsonl:1, a.jsonl:2, "
        "a.jsonl:3, a.jsonl:4, a.jsonl:5, ...",
    ]
    assert told(Shortened(64, 100, 0, 0, 0)) == ""


def test_notes_are_told_in_the_language_of_the_reader():
    note = Phrase("comparisons_read", {"pairs": 3, "tokens": 40, "held": 1})
    assert told(note) == "pairs to train on: 3, of 40 tokens; pairs held out: 1\n"
    assert "pares para entrenar: 3" in told(note, lang="es")


def test_bad_rows_come_with_their_places():
    row = BadRow("a.jsonl", 4, Phrase("row_empty_answer", {"column": "chosen"}))
    assert "a.jsonl:4: has an empty `chosen`" in told(Flaws((row,), {"row_empty_answer": 1}, 9))


def test_the_end_goes_to_the_standard_output(capsys):
    step = Step(1, 2, 0.5, {"loss": 1.0, "accuracy": 0.5}, 3.0)
    shown = told(step, Ended("finished", 2, 2, {"accuracy": 0.75}, "out"))
    assert "accuracy 0.5" in shown
    assert capsys.readouterr().out == (
        "finished after 2 steps\nbest at step 2: accuracy 0.75\nsaved to out\n"
    )
