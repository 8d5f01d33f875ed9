"""Writes into docs/tasks.md what is known elsewhere: the table of tasks.

python -m tests.task_pages            rewrites the page
python -m tests.task_pages --check    says whether it is as it should be
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

from wellshaped.contracts.notation import parse_arrangement
from wellshaped.nn.table import TABLE, TaskRow, axes_of
from wellshaped.records.shape import shape_text

PAGE = Path(__file__).parents[1] / "docs" / "tasks.md"

_TABLE = re.compile(r"(<!-- table: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)
_HELD = {
    "classes": "class numbers",
    "zero_one": "0 or 1",
    "numbers": "numbers",
    "scores": "scores of the rejected",
}
_FOUND = {**_HELD, "scores": "scores"}


def written(page: str) -> str:
    """The page with its tables as they are now."""
    return _TABLE.sub(lambda found: f"{found[1]}\n{_table(found[2])}\n{found[3]}", page)


def _table(name: str) -> str:
    if name != "all":
        return "\n\n".join(_details(row) for row in TABLE if row.name == name) + "\n"
    head = "| task | outputs | targets | loss of each element | loss |\n|---|---|---|---|---|\n"
    return head + "".join(f"{_line(row)}\n" for row in TABLE)


def _line(row: TaskRow) -> str:
    targets = f"`{_shape(row.targets)}` {_HELD[row.target_values]}"
    shapes = f"`{_shape(row.outputs)}` | {targets} | `{_shape(row.elements)}`"
    return f"| `{call_of(row)}` | {shapes} | `{row.loss}` |"


def _details(row: TaskRow) -> str:
    lines = {
        "made by": f"`{call_of(row)}`",
        "the head takes": ", or ".join(_inputs(form) for form in row.inputs),
        "outputs": f"`{_shape(row.outputs)}` raw",
        "targets": f"`{_shape(row.targets)}` {_HELD[row.target_values]}",
        'loss, `reduction="none"`': f"`{_shape(row.elements)}` `{row.loss}`",
        "predictions": f"`{_shape(row.predictions)}` {_FOUND[row.target_values]}",
        "metrics": ", ".join(f"`{name}`" for name in row.metrics),
    }
    return "| | |\n|---|---|\n" + "\n".join(f"| {name} | {text} |" for name, text in lines.items())


def call_of(row: TaskRow) -> str:
    """How the task of a row is asked for: `task("multilabel", num_labels=L)`."""
    options = [f"{row.option}={row.axis}"] if row.option else []
    settings = [f"{name}=…" for name in row.settings]
    return f"task({', '.join([json.dumps(row.name), *options, *settings])})"


def _inputs(form: str) -> str:
    return ", ".join(
        f"{term.argument} `{shape_text(term.axes)}`" for term in parse_arrangement(form)
    )


def _shape(text: str) -> str:
    return shape_text(axes_of(text))


def main(arguments: list[str]) -> int:
    """Rewrite the page, or hold it against what it should be."""
    before = PAGE.read_text(encoding="utf-8")
    after = written(before)
    if arguments == ["--check"]:
        print(f"{PAGE.name}: {'current' if before == after else 'out of step'}")
        return int(before != after)
    PAGE.write_text(after, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
