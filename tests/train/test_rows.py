"""Reading rows: every format, every fault with its place, nothing lost in silence."""

import json
from pathlib import Path

import pytest

from wellshaped.records.phrase import UserError
from wellshaped.train.data.bad_rows import BadRows
from wellshaped.train.data.rows import read_rows


def read(*files: Path, columns: tuple[str, ...] = ("text", "label")):
    bad = BadRows(shown=3)
    return list(read_rows(files, bad=bad, columns=columns)), bad


def test_each_format_gives_the_same_rows(tmp_path: Path) -> None:
    import datasets
    import pyarrow
    import pyarrow.parquet

    rows = [{"text": f"row {number}, «x»", "label": str(number)} for number in range(3)]
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    lines = ["text,label", *(f'"{row["text"]}",{row["label"]}' for row in rows)]
    (tmp_path / "a.csv").write_text("\ufeff" + "\r\n".join(lines), encoding="utf-8")
    (tmp_path / "a.tsv").write_text(
        "\n".join(
            f"{r['text']}\t{r['label']}" for r in [{"text": "text", "label": "label"}, *rows]
        ),
        encoding="utf-8",
    )
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), tmp_path / "a.parquet")
    datasets.Dataset.from_list(rows).save_to_disk(str(tmp_path / "saved"))
    for name in ("a.jsonl", "a.csv", "a.tsv", "a.parquet", "saved"):
        found, bad = read(tmp_path / name)
        assert [row.fields for row in found] == rows, name
        assert not len(bad)
    assert [row.line for row in read(tmp_path / "a.csv")[0]] == [2, 3, 4]
    assert [row.line for row in read(tmp_path / "a.jsonl")[0]] == [1, 2, 3]


def test_the_line_is_where_a_row_of_several_lines_begins(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_text('text,label\n"one\ntwo\nthree",1\nfour,2\n\n five,3\n')
    assert [(row.line, row.fields["label"]) for row in read(file)[0]] == [
        (2, "1"),
        (5, "2"),
        (7, "3"),
    ]


def test_bad_rows_are_collected_with_their_lines(tmp_path: Path) -> None:
    file, other = tmp_path / "a.jsonl", tmp_path / "b.csv"
    file.write_text('{"text": "a", "label": 1}\n{"text": \n[1]\n\n{"text": "a"}\n')
    other.write_text("text,label\na,1\na,1,2\n")
    found, bad = read(file, other)
    assert [(row.file, row.line) for row in found] == [(str(file), 1), (str(other), 2)]
    flaws = bad.flaws
    assert [(row.file, row.line, row.reason.name) for row in flaws.first] == [
        (str(file), 2, "row_broken_json"),
        (str(file), 3, "row_no_object"),
        (str(file), 5, "row_lacks"),
    ]
    assert flaws.kinds["row_fields"] == 1
    assert flaws.examples["row_fields"].facts == {"wants": 2, "got": 3}
    assert (flaws.count, flaws.rows) == (4, 6)


def test_bad_rows_are_told_and_refused_unless_they_are_to_be_left_out(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    file.write_text('{"text": "a", "label": 1}\n{}\n')
    bad = read(file)[1]
    told: list[int] = []
    with pytest.raises(UserError, match="WS984: 1 of 2 rows"):
        bad.settle(skip=False, tell=lambda flaws: told.append(flaws.count))
    bad.settle(skip=True, tell=lambda flaws: told.append(flaws.count))
    assert told == [1, 1]
    file.write_text("{}\n")
    with pytest.raises(UserError, match="WS984: no rows"):
        read(file)[1].settle(skip=True, tell=lambda flaws: None)


def test_an_empty_file_has_no_rows(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    file.write_text("")
    with pytest.raises(UserError, match="WS984"):
        read(file)[1].settle(skip=True, tell=lambda flaws: None)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.xls", b"", "WS981.*\\.jsonl, .*\\.parquet"),
        ("a.csv", b"text,other\n", "WS982.*`label`; it has `text`, `other`"),
        ("a.csv", b"text,label\n\xff,1\n", "WS983.*UTF-8.*line 2"),
        ("a.csv", b'text,label\nb,1\n"a,1\nc,2\n', "WS983.*line 3"),
        ("a.jsonl", b'{"text": "\xe9"}\n', "WS983.*UTF-8.*line 1"),
        ("a.parquet", b"PAR1 not", "WS983.*damaged"),
    ],
)
def test_a_file_that_cannot_be_read_says_why(
    tmp_path: Path, name: str, content: bytes, message: str
) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(UserError, match=message):
        read(tmp_path / name)


def test_a_file_that_is_not_there_and_a_folder_that_is_no_dataset(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="WS980"):
        read(tmp_path / "a.csv")
    with pytest.raises(UserError, match="WS981"):
        read(tmp_path)
