"""Preference data in every format becomes comparisons; what is wrong with it is told by line."""

import json

import pyarrow
import pyarrow.parquet
import pytest
from datasets import Dataset

from tests.train.vocabularies import tiny
from wellshaped.records.phrase import UserError
from wellshaped.train.data.bad_rows import BadRows
from wellshaped.train.data.encoder import Encoder
from wellshaped.train.data.preference_data import read_comparisons

ROWS = [
    {"prompt": "review of the old hotel :", "chosen": " fine .", "rejected": " ugly ."},
    {"prompt": "review of the new hotel :", "chosen": " clean .", "rejected": " dirty ."},
]


def read(data, *, length=64):
    bad = BadRows()
    comparisons, shortened = read_comparisons(data, Encoder(tiny(), length=length), bad=bad)
    return comparisons, shortened, bad.flaws


def write_lines(path, rows):
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return path


def test_every_format_gives_the_same_comparisons(tmp_path):
    table = pyarrow.Table.from_pylist(ROWS)
    pyarrow.parquet.write_table(table, tmp_path / "rows.parquet")
    Dataset.from_list(ROWS).save_to_disk(tmp_path / "saved")
    lines = ["prompt,chosen,rejected", *(",".join(row.values()) for row in ROWS)]
    (tmp_path / "rows.csv").write_text("\n".join(lines), encoding="utf-8")
    write_lines(tmp_path / "rows.jsonl", ROWS)
    wanted = list(read(ROWS)[0])
    assert len(wanted) == 2
    for name in ("rows.parquet", "saved", "rows.csv", "rows.jsonl"):
        assert list(read(tmp_path / name)[0]) == wanted, name
    assert list(read(Dataset.from_list(ROWS))[0]) == wanted


def test_several_files_are_read_one_after_the_other(tmp_path):
    first = write_lines(tmp_path / "a.jsonl", ROWS[:1])
    second = write_lines(tmp_path / "b.jsonl", ROWS[1:])
    assert list(read([first, str(second)])[0]) == list(read(ROWS)[0])


def test_each_fault_is_told_by_file_and_line(tmp_path):
    good = {"prompt": "a", "chosen": "b", "rejected": "c"}
    rows = [
        good,
        good | {"chosen": ""},
        good | {"rejected": "b"},
        {"prompt": "a", "chosen": "b"},
        good | {"chosen": 7},
        good | {"margin": "wide"},
        good,
    ]
    path = write_lines(tmp_path / "rows.jsonl", rows)
    with path.open("a", encoding="utf-8") as file:
        file.write("not json\n")
    comparisons, _, flaws = read(path)
    assert len(comparisons) == 2
    assert [(row.line, row.reason.name) for row in flaws.first] == [
        (2, "row_empty_answer"),
        (3, "row_equal_pair"),
        (4, "row_lacks"),
        (5, "row_wrong_type"),
        (6, "row_no_number"),
        (8, "row_broken_json"),
    ]
    assert {row.file for row in flaws.first} == {str(path)}
    assert flaws.rows == 8


def test_a_table_without_the_column_is_refused_as_a_whole(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text("prompt,good,rejected\na,b,c\n", encoding="utf-8")
    with pytest.raises(UserError, match="no column `chosen`; it has `prompt`, `good`, `rejected`"):
        read(path)


def test_what_the_length_took_is_counted_and_placed(tmp_path):
    rows = [
        ROWS[0],
        ROWS[0] | {"prompt": "of the " * 6},
        ROWS[0] | {"prompt": "of the " * 40},
        ROWS[0] | {"chosen": " fine" * 40},
        ROWS[0] | {"chosen": " fine" * 40, "rejected": " fine" * 50},
    ]
    path = write_lines(tmp_path / "rows.jsonl", rows)
    comparisons, shortened, flaws = read(path, length=12)
    assert len(comparisons) == shortened.rows == 4
    assert (shortened.prompts, shortened.full, shortened.answers) == (3, 2, 1)
    assert shortened.first_full == ((str(path), 2), (str(path), 3))
    assert shortened.first_answers == ((str(path), 4),)
    assert [(row.line, row.reason.name) for row in flaws.first] == [(5, "row_equal_cut")]
