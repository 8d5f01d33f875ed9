"""Times `fix` on failing programs, stage by stage, each in a process of its own.

usage: python -m benchmarks.repair [--cases DIR] [--most N] [--only ID,ID]
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from statistics import median
from typing import Any

CASES = Path(__file__).parents[1] / "tests" / "cases"
STAGES = ("import", "as it is", "sweep", "candidates", "total")


def stages() -> dict[str, float]:
    """Seconds of each stage of `fix` on `broken.py` in the working directory, in this process."""
    start = time.perf_counter()
    from wellshaped.execute.program import Program
    from wellshaped.pipeline import fix as fixing

    loaded = time.perf_counter()
    checked: list[float] = []
    plain = vars(fixing)["check"]

    def timed(*arguments: Any, **options: Any) -> Any:
        found = plain(*arguments, **options)
        checked.append(time.perf_counter())
        return found

    vars(fixing)["check"] = timed  # the children time theirs in vain
    fixed, search = fixing.fix(Program("broken.py"))
    end = time.perf_counter()
    if not search.first.report.complete:
        sys.exit(search.first.failure or "the program could not be run to its end")
    own = search.first.own.seconds
    return {
        "import": loaded - start,
        "as it is": own,
        "sweep": checked[0] - loaded - own,
        "candidates": end - checked[0],
        "total": end - start,
        "tries": float(search.tries),
        "repaired": float(bool(fixed.mended) and not fixed.left),
    }


def measured(case: Path) -> Mapping[str, float] | None:
    """The stages of one case, on a copy; None where the child fails."""
    about = json.loads((case / "case.json").read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as folder:
        for name in about["files"]["broken"]:
            target = Path(folder) / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(case / name, target)
        command = [sys.executable, "-m", "benchmarks.repair", "--here"]
        paths = os.pathsep.join(filter(None, (str(CASES.parents[1]), os.environ.get("PYTHONPATH"))))
        ran = subprocess.run(
            command,
            cwd=folder,
            env={**os.environ, "PYTHONPATH": paths},
            capture_output=True,
            text=True,
        )
        found: dict[str, float] = json.loads(ran.stdout) if ran.returncode == 0 else {}
    return found or None


def main() -> None:
    """Measure every n-th case of a folder, so that they are of all kinds."""
    flags = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    flags.add_argument("--cases", type=Path, default=CASES)
    flags.add_argument("--most", type=int, default=8)
    flags.add_argument("--only", default="")
    flags.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    given = flags.parse_args()
    if given.here:
        with contextlib.redirect_stdout(sys.stderr):
            found = stages()
        print(json.dumps(found))
        return
    wanted = set(filter(None, given.only.split(",")))
    folders = sorted(path.parent for path in given.cases.resolve().glob("*/case.json"))
    folders = [each for each in folders if not wanted or each.name in wanted]
    chosen = folders[:: max(1, len(folders) // given.most)][: given.most]
    print(f"{'seconds':32}" + "".join(f"{name:>12}" for name in STAGES) + "   tries")
    rows = []
    for case in chosen:
        row = measured(case)
        if row is None:
            print(f"{case.name:32}  could not be run")
            continue
        rows.append(row)
        times = "".join(f"{row[name]:12.2f}" for name in STAGES)
        print(f"{case.name:32}{times}{row['tries']:8.0f}{'' if row['repaired'] else '  left'}")
    if rows:
        middle = "".join(f"{median(row[name] for row in rows):12.2f}" for name in STAGES)
        print(f"{f'median of {len(rows)}':32}{middle}")


if __name__ == "__main__":
    main()
