"""docs/tasks.md shows the table of tasks as it is; its examples run in tests/docs."""

from tests.task_pages import PAGE, call_of, main, written
from wellshaped.nn.table import TABLE

TINY = """\
<!-- table: reward -->
old
<!-- end -->
"""


def test_the_page_is_in_step(rewrite_golden):
    if rewrite_golden:
        main([])
    page = PAGE.read_text(encoding="utf-8")
    assert written(page) == page, "run `python -m tests.task_pages`, and read the diff"


def test_every_task_has_its_section_and_an_example():
    page = PAGE.read_text(encoding="utf-8")
    for row in TABLE:
        section = page.split(f"\n## {row.name}\n")[1].split("\n## ")[0]
        assert f"`{call_of(row)}`" in section
        assert section.count("```python run") == section.count("```text output") == 1


def test_what_is_out_of_step_is_rewritten():
    page = written(TINY)
    assert "old" not in page
    assert '`task("reward")`' in page
    assert written(page) == page
