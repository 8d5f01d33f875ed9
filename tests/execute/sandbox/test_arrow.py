"""What pyarrow writes by its own file system goes to the overlay, and is read back from there."""

import pytest

from tests.execute.sandbox.boxed import WITHOUT_EXIT_HANDLERS, sandboxed, user_folder

pytest.importorskip("pyarrow")

DATASETS = """
import os, pyarrow as pa, pyarrow.dataset as ds, pyarrow.parquet as pq
table = pa.table({"a": [1, 2, 3], "b": ["x", "y", "x"]})
for where in ("made", os.path.abspath("made_too")):
    ds.write_dataset(table, where, format="parquet", partitioning=["b"])
    print(ds.dataset(where, partitioning=["b"]).to_table().num_rows, sorted(os.listdir(where)))
    print(pq.read_table(where).num_rows)
again = pa.table({"a": [4], "b": ["x"]})
ds.write_dataset(again, "made", format="parquet", partitioning=["b"],
                 existing_data_behavior="delete_matching")
print(sorted(ds.dataset("made", partitioning=["b"]).to_table()["a"].to_pylist()))
ds.write_dataset(table, "data/b", format="feather", existing_data_behavior="overwrite_or_ignore")
print(sorted(os.listdir("data/b")))
pq.write_table(table, "one.parquet"); print(pq.ParquetFile("one.parquet").metadata.num_rows)
print(pq.read_table("one.parquet").num_rows, pq.read_schema("one.parquet").names)
pq.write_to_dataset(table, "rooted", partition_cols=["b"]); print(sorted(os.listdir("rooted")))
"""


@pytest.fixture
def user(tmp_path):
    return user_folder(tmp_path)


@pytest.mark.slow
def test_datasets_are_written_and_read_in_the_overlay(user):
    run = sandboxed(user, DATASETS, driver=WITHOUT_EXIT_HANDLERS)
    assert run.out.splitlines() == [
        *("3 ['x', 'y']", "3", "3 ['x', 'y']", "3", "[2, 4]"),
        *("['c.txt', 'part-0.feather']", "3", "3 ['a', 'b']", "['b=x', 'b=y']"),
    ]


FILESYSTEM = """
import os, pyarrow.fs as fs
local = fs.LocalFileSystem()
print(isinstance(local, fs.LocalFileSystem), isinstance(local, fs.FileSystem), local.type_name)
local.delete_file("log.txt"); print(os.path.exists("log.txt"))
local.move("config.json", "moved.json"); print(open("moved.json").read())
local.copy_file("data/a.txt", "copied.txt"); print(open("copied.txt").read())
with local.open_output_stream("out.txt") as out: out.write(b"new")
with local.open_append_stream("data/a.txt") as out: out.write(b"def")
print(local.open_input_file("data/a.txt").read(), local.open_input_stream("out.txt").read())
local.create_dir("x/y/z"); print([each.path for each in
    sorted(local.get_file_info(fs.FileSelector("x", recursive=True)), key=lambda each: each.path)])
local.delete_dir("x"); local.delete_dir_contents("data/b"); print(os.listdir("data/b"))
print(local.get_file_info("x").type.name, local.get_file_info("data/a.txt").size)
uri, path = fs.FileSystem.from_uri("file://" + os.path.abspath("neighbour.py"))
uri.delete_file(path); print(os.path.exists("neighbour.py"))
fs.copy_files("data/a.txt", "c2.txt"); print(open("c2.txt").read())
"""


def test_every_method_of_its_file_system_stays_in_the_overlay(user):
    assert sandboxed(user, FILESYSTEM, driver=WITHOUT_EXIT_HANDLERS).out.splitlines() == [
        *("True True local", "False", "[1]", "abc", "b'abcdef' b'new'", "['x/y', 'x/y/z']"),
        *("[]", "NotFound 6", "False", "abcdef"),
    ]


FORMATS = """
import os, pyarrow as pa, pyarrow.csv as csv, pyarrow.feather as feather, pyarrow.orc as orc
import pyarrow.ipc as ipc, pyarrow.json as pj
table = pa.table({"a": [1, 2]})
csv.write_csv(table, "t.csv"); print(csv.read_csv("t.csv").num_rows)
with csv.CSVWriter("u.csv", table.schema) as writer: writer.write(table)
print(csv.open_csv("u.csv").read_all().num_rows)
feather.write_feather(table, "t.feather"); print(feather.read_table("t.feather").num_rows)
orc.write_table(table, "t.orc"); print(orc.ORCFile("t.orc").read().num_rows)
with ipc.new_file("t.arrow", table.schema) as writer: writer.write(table)
print(ipc.open_file("t.arrow").read_all().num_rows)
with ipc.new_stream("t.arrows", table.schema) as writer: writer.write(table)
print(ipc.open_stream("t.arrows").read_all().num_rows)
with open("t.json", "w") as made: made.write('{"a": 1}\\n')
print(pj.read_json("t.json").num_rows)
with pa.output_stream("t.bin") as out: out.write(b"x")
print(pa.input_stream("t.bin").read())
"""


def test_each_format_is_written_and_read_in_the_overlay(user):
    run = sandboxed(user, FORMATS, driver=WITHOUT_EXIT_HANDLERS)
    assert run.out.split() == [*("2",) * 6, "1", "b'x'"]
