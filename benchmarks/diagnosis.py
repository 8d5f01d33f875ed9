"""Times the way from an exception to its diagnosis, on failing programs.

usage: python -m benchmarks.diagnosis [--cases DIR] [--most N]
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import runpy
import sys
import time
import warnings
from pathlib import Path
from statistics import median

from wellshaped.pipeline.diagnosis import diagnose_exception
from wellshaped.pipeline.texts import rendered

CASES = Path(__file__).parents[1] / "tests" / "cases"


def timed(folder: Path) -> float | None:
    """Seconds from the exception a program ends with to the printed text; None if it ends well."""
    before = {*sys.modules}
    os.chdir(folder)
    sys.path.insert(0, str(folder))
    sys.argv = ["broken.py"]
    try:
        with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            runpy.run_path("broken.py", run_name="__main__")
    except Exception as error:
        start = time.perf_counter()
        found = diagnose_exception(error)
        if found is not None:
            rendered(found, "en")
        return time.perf_counter() - start
    finally:
        sys.path.pop(0)
        for name in {*sys.modules} - before:
            if not hasattr(sys.modules[name], "__file__"):
                continue
            if str(sys.modules[name].__file__).startswith(str(folder)):
                del sys.modules[name]
    return None


def main() -> None:
    """Time every failing program of a folder of cases."""
    flags = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    flags.add_argument("--cases", type=Path, default=CASES)
    flags.add_argument("--most", type=int, default=40)
    given = flags.parse_args()
    folders = sorted(path.parent for path in given.cases.resolve().glob("*/case.json"))
    failing = [
        each for each in folders if not json.loads((each / "case.json").read_text())["silent"]
    ]
    found = [(spent, each.name) for each in failing[: given.most] if (spent := timed(each))]
    times = [spent for spent, _ in found]
    print(f"exception to diagnosis, {len(times)} programs: median {1e3 * median(times):.0f} ms")
    for spent, name in sorted(found)[-3:]:
        print(f"  slowest: {name:40}{1e3 * spent:6.0f} ms")


if __name__ == "__main__":
    main()
