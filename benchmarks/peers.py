"""One table beside every peer: which example faults each tells of, its time, and what it adds.

usage: python -m benchmarks.peers [--cases DIR] [--sample 48 | --all] [--seed 0] [--rounds 20]
                                  [--stubs FOLDER] [--repeats 3] [--readme]

A fault counts as told of if a tool says something of the broken program that it does not say of the
repaired one, whatever it is: of plain torch, the exception it dies of or a warning. TRL finds no
faults; what it is compared by is the training of a reward model, on lengths of real preferences.
`--stubs` is where pyrefly finds the shapes of torch (see `static_peers`). `--readme` puts the
table, with its date and versions, where the READMEs show it.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import platform
import re
import resource
import subprocess
import sys
from collections import Counter
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

from benchmarks import reward_speed
from benchmarks.overhead import added_to_a_step
from benchmarks.static_peers import (
    CASES,
    Checker,
    Messages,
    Score,
    chosen,
    kind_of,
    output,
    pyrefly,
    scored,
    wellshaped,
)
from tests.test_readme import is_current, with_stamp

ROOT = Path(__file__).parents[1]
READMES = ("README.md", "README.es.md", "README.ja.md", "README.zh.md")
BLOCK = re.compile(r"(?<=<!-- peers:start -->\n```text\n).*?(?=```\n<!-- peers:end -->)", re.DOTALL)
PACKAGES = ("torch", "tensor-sensor", "jaxtyping", "beartype", "pyrefly", "torchshapeflow", "trl")
LEGEND = """\
raises           faults that stop the program, and of how many the tool tells
silent           the same of faults that do not stop it
quiet if right   repaired programs of which it says nothing
a program        processor time to look at one
a step           added to a training step by clarify(), annotations on the loss, wellshaped.guard()
"""
_RUN = "import runpy; runpy.run_path({file!r}, run_name='__main__')"
_CLARIFIED = "import tsensor, runpy\nwith tsensor.clarify(show=None):\n    " + _RUN[14:]
_HOOKED = (
    "import importlib, sys; from jaxtyping import install_import_hook\n"
    "sys.path.insert(0, '.')\n"
    "with install_import_hook({name!r}, 'beartype.beartype'):\n"
    "    importlib.import_module({name!r})"
)


def said(code: str, folder: Path) -> str:
    """What a program prints to stderr when it is run this way."""
    environment = {**os.environ, "PYTHONWARNINGS": "default"}
    ran = subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
    )
    return ran.stderr


def _told(text: str) -> Messages:
    """The exception a program dies of, and its warnings."""
    lines = [line.strip() for line in text.splitlines()]
    died = lines[-1:] if any(line.startswith("Traceback") for line in lines) else []
    return Counter([*died, *re.findall(r"\b\w*Warning: .*", text)])


def plain_torch(folder: Path, file: str) -> Messages:
    """Running it."""
    return _told(said(_RUN.format(file=file), folder))


def tensor_sensor(folder: Path, file: str) -> Messages:
    """Running it inside `clarify`; what counts is what that adds to the exception."""
    return Counter(re.findall(r"Cause: .*", said(_CLARIFIED.format(file=file), folder)))


def annotations_checked(folder: Path, file: str) -> Messages:
    """Importing it under the hook; programs without annotations give it nothing to check."""
    text = said(_HOOKED.format(name=Path(file).stem), folder)
    return Counter(re.findall(r"(?:jaxtyping|beartype)\S*(?:Error|Violation): .*", text))


def shape_flow(folder: Path, file: str) -> Messages:
    """The static analysis of torchshapeflow."""
    tool = ("-c", "import sys; from torchshapeflow.cli import main; sys.exit(main())")
    text = output(sys.executable, *tool, "check", "--json", file, cwd=folder)
    found = json.loads(text)
    files = found.get("files", [found]) if isinstance(found, dict) else found
    return Counter(each["message"] for one in files for each in one.get("diagnostics", ()))


def tools(stubs: Path | None = None) -> dict[str, Checker]:
    """Those that are installed, plain torch first and ours last."""
    known: dict[str, tuple[str, Checker]] = {
        "plain torch": ("torch", plain_torch),
        "TensorSensor": ("tsensor", tensor_sensor),
        "jaxtyping + beartype": ("jaxtyping", annotations_checked),
        "pyrefly" if stubs is None else "pyrefly, shape stubs": ("pyrefly", pyrefly(stubs)),
        "torchshapeflow": ("torchshapeflow", shape_flow),
        "wellshaped check": ("wellshaped", wellshaped),
    }
    return {name: checker for name, (module, checker) in known.items() if find_spec(module)}


def measured(checker: Checker, cases: list[Path]) -> Score:
    """One tool on all programs; its seconds are those of the processor, not of the clock."""
    before = _spent()
    score = scored(checker, cases)
    score.seconds = _spent() - before
    return score


def _spent() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def row(score: Score, kinds: Counter[str], added: str) -> list[str]:
    """Told of by kind and in all, quiet on the repaired, seconds a program, added to a step."""
    total = sum(kinds.values())
    raised = sum(len(found) for kind, found in score.found.items() if kind != "silent")
    silent = len(score.found.get("silent", ()))
    return [
        f"{raised}/{total - kinds['silent']}",
        f"{silent}/{kinds['silent']}",
        f"{len(score.quiet)}/{total}",
        f"{score.seconds / max(1, 2 * total):.1f} s",
        added,
    ]


def table(scores: dict[str, Score], cases: list[Path], added: dict[str, str]) -> str:
    """The rows of all tools below their heads, and what the columns mean."""
    kinds = Counter(map(kind_of, cases))
    heads = ["raises", "silent", "quiet if right", "a program", "a step"]
    lines = [f"{'':22}" + "".join(f"{head:>16}" for head in heads)]
    for name, score in scores.items():
        cells = row(score, kinds, added.get(name, "–"))
        lines.append(f"{name:22}" + "".join(f"{cell:>16}" for cell in cells))
    return "\n".join(lines)


def reward_models(repeats: int) -> str:
    """Training one by TRL and here, in turns; empty where TRL is not installed."""
    if not find_spec("trl"):
        return ""
    asked = reward_speed.read(
        ["--data", "real", "--repeats", str(repeats), "--threads", "1", "--cpu"]
    )
    _, comparison = next(reward_speed.measure(asked))
    return "\n".join(["training a reward model, lengths of real data", *comparison.lines(), ""])


def versions() -> str:
    """What was compared, and on what."""
    found = []
    for name in PACKAGES:
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            found.append(f"{name} not installed")
    return f"Python {platform.python_version()}, " + ", ".join(found)


def into_readmes(text: str, folder: Path = ROOT) -> None:
    """The table into its place in every README; translations that were current stay so."""
    english = (folder / READMES[0]).read_text(encoding="utf-8")
    shown = BLOCK.sub(lambda _: text, english)
    for name in READMES:
        before = (folder / name).read_text(encoding="utf-8")
        after = BLOCK.sub(lambda _: text, before)
        after = with_stamp(after, shown) if is_current(before, english) else after
        (folder / name).write_text(after, encoding="utf-8")


def main() -> None:
    """Run every tool on the same programs, and print the table."""
    flags = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    flags.add_argument("--cases", type=Path, default=CASES)
    flags.add_argument("--sample", type=int, default=48)
    flags.add_argument("--all", action="store_true")
    flags.add_argument("--seed", type=int, default=0)
    flags.add_argument("--rounds", type=int, default=20)
    flags.add_argument("--stubs", type=Path, help="a folder with pyrefly's stubs of torch")
    flags.add_argument("--repeats", type=int, default=3, help="of training a reward model")
    flags.add_argument("--readme", action="store_true", help="show the table in the READMEs")
    given = flags.parse_args()
    cases = chosen(given.cases, None if given.all else given.sample, given.seed)
    every = len(chosen(given.cases, None, 0))
    _, percent = added_to_a_step(given.rounds)
    names = {"wellshaped.guard()": "wellshaped check"}
    added = {names.get(name, name): f"{value:+.0f} %" for name, value in percent.items()}
    scores = {name: measured(each, cases) for name, each in tools(given.stubs).items()}
    day = datetime.datetime.now(datetime.UTC).date().isoformat()
    text = f"{day}, {len(cases)} of {every} example faults (seed {given.seed})\n{versions()}\n\n"
    text += table(scores, cases, added) + "\n\n"
    text += LEGEND + "\n" + reward_models(given.repeats)
    print(text, end="")
    if given.readme:
        into_readmes(text)


if __name__ == "__main__":
    main()
