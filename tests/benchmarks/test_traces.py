"""The benchmark of traces tells what is contained, refused and left, and sees a planted leak."""

from pathlib import Path

import pytest

from benchmarks.traces.page import END, START, into_page, table
from benchmarks.traces.trial import Result, tried, warm
from benchmarks.traces.way import Way, program, ways
from benchmarks.traces.world import World, differences

CONTAINED = Way("files", "write", "open('made', 'w').write('x')", "read('made') == 'x'")
REFUSED = Way("native", "unlink", "libc.unlink(b'data.txt')", "not os.path.exists('data.txt')")


def test_the_table_has_ways_of_every_kind_and_each_is_a_program():
    found = ways()
    assert len(found) >= 80
    assert len({way.kind for way in found}) == 7
    for way in found:
        text = program(way, {"token": "t", "tcp": 1, "udp": 2, "free": 3, "pid": 4, "fd": 5})
        compile(text.source, way.name, "exec")
        assert "mse_loss" in text.source.splitlines()[text.seen - 1]
        assert "mse_loss" in text.source.splitlines()[text.end - 1]


def test_a_world_sees_what_is_made_changed_and_gone():
    with World() as world:
        world.remember()
        assert world.traces() == []
        (world.home / "made").touch()
        (world.home / "data.txt").chmod(0o600)
        (world.home / "config.json").unlink()
        (world.temporary / "wellshaped-x").mkdir()
        assert world.traces() == [
            *("made made", "removed config.json", "changed data.txt"),
            "left wellshaped-x",
        ]
    assert not world.root.exists()


def test_only_a_folder_whose_time_changed_is_told_too():
    assert differences({".": (1,)}, {".": (2,)}) == ["changed ."]


def test_rows_go_between_the_marks_of_the_page(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"before\n{START}\nold\n{END}\nafter\n")
    rows = [(CONTAINED, Result("contained", True), Result("leaves a trace", False, ("made a|b",)))]
    into_page(page, rows)
    text = page.read_text()
    assert text.startswith(f"before\n{START}\n1 ways were tried")
    row = "| write | contained | **leaves a trace**: made a\\|b | goes on; without: stops |"
    assert row in text
    assert text.endswith(f"{END}\nafter\n")
    assert "0 left a trace with Landlock, 1 without it." in table(rows)


@pytest.mark.slow
def test_three_ways_and_a_planted_leak() -> None:
    warm()
    assert tried(CONTAINED, landlock=True) == Result("contained", went_on=True)
    assert tried(REFUSED, landlock=True) == Result("refused", went_on=True)
    leak = tried(REFUSED, landlock=False)
    assert leak == Result("leaves a trace", went_on=True, traces=("removed data.txt",))
