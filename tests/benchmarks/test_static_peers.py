"""The comparison with static checkers counts fairly: what is new on the broken program is found."""

import json
from collections import Counter

import pytest

from benchmarks.static_peers import CASES, chosen, kind_of, messages, scored, table


@pytest.fixture
def case(tmp_path):
    def write(kind="loss", files=("broken.py", "shared.py")):
        folder = tmp_path / f"case{len([*tmp_path.iterdir()])}"
        folder.mkdir()
        fixed = [name.replace("broken", "fixed") for name in files]
        for name in {*files, *fixed}:
            (folder / name).write_text(name)
        about = {"kind": kind, "files": {"broken": [*files], "fixed": fixed}}
        (folder / "case.json").write_text(json.dumps(about))
        return folder

    return write


def saying(broken, fixed=()):
    return lambda folder, file: Counter(broken if file == "broken.py" else fixed)


@pytest.mark.parametrize(
    ("broken", "fixed", "found"),
    [
        (["bad argument"], [], True),
        ([], [], False),
        (["noise"], ["noise"], False),
        (["noise", "bad"], ["noise"], True),
        (["noise", "noise"], ["noise"], True),
        ([], ["noise"], False),
    ],
)
def test_what_the_repaired_program_shows_too_does_not_count(case, broken, fixed, found):
    folder = case()
    score = scored(saying(broken, fixed), [folder])
    assert score.found == ({"loss": {folder.name}} if found else {})
    assert score.quiet == (set() if fixed else {folder.name})


def test_a_checker_sees_the_files_of_one_version_alone(case):
    def names(folder, file):
        return Counter([file, *(each.name for each in folder.iterdir())])

    assert messages(names, case(), "fixed") == Counter({"fixed.py": 2, "shared.py": 1})


def test_the_table_counts_by_kind(case):
    cases = [case("loss"), case("silent"), case("silent")]
    scores = {"one": scored(saying(["x"]), cases), "none": scored(saying([]), cases)}
    head, one, none = (line.split() for line in table(scores, cases).splitlines())
    assert head[:3] == ["loss", "silent", "all"]
    assert one[1:5] == ["1/1", "2/2", "3/3", "3/3"]
    assert none[1:5] == ["0/1", "0/2", "0/3", "3/3"]


def test_the_same_seed_takes_the_same_cases():
    assert chosen(CASES, 5, 1) == chosen(CASES, 5, 1) != chosen(CASES, 5, 2)
    assert len(chosen(CASES, None, 0)) == len([*CASES.glob("*/case.json")])
    assert kind_of(CASES / "ce_column_csv") == "loss"
