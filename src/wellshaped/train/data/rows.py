"""Streams the rows of JSONL, CSV and Parquet files and of saved datasets, with their places."""

from __future__ import annotations

import csv
import importlib
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

from wellshaped.records.phrase import UserError
from wellshaped.train.data.bad_rows import BadRows

# Files by name, or rows that are there already: dictionaries, or a dataset of `datasets`.
Data: TypeAlias = str | Path | Iterable[str | Path] | Iterable[Mapping[str, Any]]
# The file of rows that are in memory.
MEMORY: Final = "rows"
# A text may be a whole book: the limit of `csv` is for those who read what they do not trust.
_LONGEST_FIELD = 2**31 - 1


class Row(NamedTuple):
    """A row and where it stands; the line counts from 1 and, in a CSV, the header is line 1.

    Parquet files and saved datasets have no lines: there it is the number of the row.
    """

    file: str
    line: int
    fields: dict[str, Any]


def rows_of(data: Data, *, bad: BadRows) -> Iterator[Row]:
    """The rows of files, or of what is in memory, whose first row is line 1 of `rows`."""
    given = [data] if isinstance(data, str | Path) else data
    for line, each in enumerate(given, 1):
        if isinstance(each, str | Path):
            yield from read_rows(each, bad=bad)
        else:
            bad.rows += 1
            yield Row(MEMORY, line, dict(each))


def read_rows(
    files: str | Path | Iterable[str | Path], *, bad: BadRows, columns: Sequence[str] = ()
) -> Iterator[Row]:
    """The rows of all files, one after the other; those that cannot be read go to `bad`.

    Each of `columns` must be there: in the header of a CSV, in the schema of a table, and in
    each line of a JSONL file, whose lines may differ. What is wrong with a whole file raises.
    """
    for file in [files] if isinstance(files, str | Path) else files:
        path = Path(file)
        reader = _reader(path)
        for row in reader(path, bad, tuple(columns)):
            bad.rows += 1
            missing = next((name for name in columns if row.fields.get(name) is None), None)
            if missing is None:
                yield row
            else:
                bad.add(row, "row_lacks", column=missing)


def _reader(path: Path) -> Callable[[Path, BadRows, tuple[str, ...]], Iterator[Row]]:
    if not path.exists():
        raise UserError("WS980", "no_data_file", file=str(path))
    if path.is_dir():
        if (path / "dataset_info.json").exists() or (path / "dataset_dict.json").exists():
            return _saved_dataset
        raise UserError("WS981", "not_a_dataset", file=str(path))
    reader = _READERS.get(path.suffix.lower())
    if reader is None:
        known = ", ".join(_READERS)
        raise UserError("WS981", "unknown_format", file=str(path), known=known)
    return reader


def _jsonl(path: Path, bad: BadRows, columns: tuple[str, ...]) -> Iterator[Row]:
    for line, text in _lines(path):
        if not text.strip():
            continue
        try:
            fields = json.loads(text.rstrip())
        except (ValueError, RecursionError) as error:
            bad.rows += 1
            bad.add(Row(str(path), line, {}), "row_broken_json", column=getattr(error, "colno", 1))
            continue
        if isinstance(fields, dict):
            yield Row(str(path), line, fields)
        else:
            bad.rows += 1
            bad.add(Row(str(path), line, {}), "row_no_object")


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    """Lines as editors count them: a `\\u2028` inside a text does not end one."""
    with path.open("rb") as file:
        for line, data in enumerate(file, 1):
            try:
                text = data.decode("utf-8")
            except UnicodeDecodeError as error:
                raise UserError("WS983", "data_not_utf8", file=str(path), line=line) from error
            yield line, text.removeprefix("\ufeff") if line == 1 else text


def _separated(path: Path, bad: BadRows, columns: tuple[str, ...], delimiter: str) -> Iterator[Row]:
    csv.field_size_limit(min(_LONGEST_FIELD, sys.maxsize))
    reader = csv.reader((text for _, text in _lines(path)), delimiter=delimiter, strict=True)
    header: list[str] | None = None
    begins = 1
    while True:
        try:
            record = next(reader, None)
        except csv.Error as error:
            raise UserError("WS983", "broken_csv", file=str(path), line=begins) from error
        if record is None:
            break
        line, begins = begins, reader.line_num + 1
        if header is None:
            header = record
            _require(path, header, columns)
        elif record and len(record) != len(header):
            bad.rows += 1
            place = Row(str(path), line, {})
            bad.add(place, "row_fields", wants=len(header), got=len(record))
        elif record:
            yield Row(str(path), line, dict(zip(header, record, strict=True)))


def _csv(path: Path, bad: BadRows, columns: tuple[str, ...]) -> Iterator[Row]:
    return _separated(path, bad, columns, ",")


def _tsv(path: Path, bad: BadRows, columns: tuple[str, ...]) -> Iterator[Row]:
    return _separated(path, bad, columns, "\t")


def _parquet(path: Path, bad: BadRows, columns: tuple[str, ...]) -> Iterator[Row]:
    parquet = needed("pyarrow.parquet", extra="data", file=path)
    try:
        table = parquet.ParquetFile(path)
    except (OSError, ValueError) as error:
        raise UserError("WS983", "broken_table", file=str(path)) from error
    _require(path, table.schema_arrow.names, columns)
    with table:
        line = 0
        for chunk in table.iter_batches(batch_size=1024):
            for fields in chunk.to_pylist():
                line += 1
                yield Row(str(path), line, fields)


def _saved_dataset(path: Path, bad: BadRows, columns: tuple[str, ...]) -> Iterator[Row]:
    datasets = needed("datasets", extra="data", file=path)
    try:
        found = datasets.load_from_disk(str(path))
    except (OSError, ValueError) as error:
        raise UserError("WS983", "broken_table", file=str(path)) from error
    if isinstance(found, dict):
        known = ", ".join(f"`{path / name}`" for name in found)
        raise UserError("WS981", "several_splits", file=str(path), known=known)
    _require(path, found.column_names, columns)
    for line, fields in enumerate(found, 1):
        yield Row(str(path), line, dict(fields))


def _require(path: Path, header: Sequence[str], columns: tuple[str, ...]) -> None:
    for name in columns:
        if name not in header:
            known = ", ".join(f"`{each}`" for each in header)
            raise UserError("WS982", "missing_column", file=str(path), column=name, known=known)


def needed(module: str, *, extra: str, file: Path) -> Any:
    """A module of an extra, or an error that names the extra."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        name = module.partition(".")[0]
        raise UserError("WS981", "needs_extra", file=str(file), module=name, extra=extra) from error


_READERS: dict[str, Callable[[Path, BadRows, tuple[str, ...]], Iterator[Row]]] = {
    ".jsonl": _jsonl,
    ".ndjson": _jsonl,
    ".csv": _csv,
    ".tsv": _tsv,
    ".parquet": _parquet,
}
