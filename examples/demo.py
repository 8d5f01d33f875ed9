"""Shows what the tool says of short programs that go wrong at a loss.

usage: python -m examples.demo [rl] [reward] [crash] [last_batch] [silent]

Without a name: `rl`, from the first crash to the repaired program, and then `reward`.
"""

from __future__ import annotations

import difflib
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

FOLDER = Path(__file__).parent
TITLES = {
    "crash": "It crashes.",
    "last_batch": "It crashes later: on the one batch of size 1.",
    "silent": "It does not crash.",
}
LINE = "-" * 80
_COLOR = re.compile(r"\x1b\[[0-9;]*m")
HEAD = "        return self.value(last_BW)"
REVIEWS = (
    "the soup was lovely and the staff was kind .",
    "the soup was lovely but the staff was rude .",
    "the soup was cold and the staff was rude .",
)


def show(name: str) -> str:
    """Run one program and return its own output, its last words, and the diagnosis."""
    return f"{TITLES[name]}\n\n{run(f'{name}.py', FOLDER)}"


def run(script: str, folder: Path) -> str:
    """What `wellshaped run` shows of a script, of its traceback the last line only."""
    ran = called("-m", "wellshaped", "run", script, folder=folder)
    own, found, diagnosis = ran.stderr.partition("\nerror[")
    last = own.strip().splitlines()[-1:] if ran.returncode else []
    parts = [f"$ wellshaped run {script}", ran.stdout.rstrip(), *map(_cut, last)]
    parts.append(found + diagnosis.rstrip() if found else "no diagnosis")
    return "\n".join(part for part in parts if part)


def called(
    *arguments: str, folder: Path, given: str | None = None
) -> subprocess.CompletedProcess[str]:
    """A command of python in a folder, in colour if this is shown in colour."""
    color = {} if "NO_COLOR" in os.environ or not sys.stdout.isatty() else {"FORCE_COLOR": "1"}
    environment = {**os.environ, **color}
    command = [sys.executable, *arguments]
    return subprocess.run(
        command, cwd=folder, env=environment, input=given, capture_output=True, text=True
    )


def _cut(line: str) -> str:
    return line if len(line) <= 80 else f"{line[:76]} ..."


def rl() -> Iterator[str]:
    """A reward model that learns from pairs: the crash, its popular repair, and the proven one."""
    source = (FOLDER / "rl.py").read_text(encoding="utf-8")
    squeezed = source.replace(HEAD, f"{HEAD}.squeeze()")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        script = folder / "rl.py"
        script.write_text(source, encoding="utf-8")
        yield "1. A reward model is trained on pairs, one pair at a time. It crashes.\n"
        yield run("rl.py", folder)
        script.write_text(squeezed, encoding="utf-8")
        yield f"{LINE}\n2. The popular repair is a bare squeeze. Before it is run, `check`:\n"
        yield _diff(source, squeezed)
        yield wellshaped("check", folder=folder)
        yield f"{LINE}\n3. `fix` names the axis, and proves it at every batch size.\n"
        yield _repair_only(wellshaped("fix", "--apply", folder=folder))
        script.write_text(source, encoding="utf-8")
        yield f"{LINE}\n4. Or, from the program as it was:\n"
        yield _repair_only(wellshaped("fix", "--apply", folder=folder))
        yield f"{LINE}\n5. The repaired program trains.\n"
        yield f"$ python rl.py\n{called('rl.py', folder=folder).stdout.rstrip()}"


def reward() -> Iterator[str]:
    """The same task without a program of one's own: a command trains, another one scores."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        yield f"{LINE}\n6. Or without writing a program: preferences in, a reward model out.\n"
        ran = called("-m", "wellshaped", "train", "reward", folder=folder)
        notes = [line for line in ran.stderr.splitlines() if line.startswith("pairs")]
        yield "\n".join(["$ wellshaped train reward", *notes, ran.stdout.rstrip()])
        texts = "".join(f"{text}\n" for text in REVIEWS)
        score = ("score", "--model", "reward-model")
        ran = called("-m", "wellshaped", *score, folder=folder, given=texts)
        yield f"\n$ wellshaped {' '.join(score)} < reviews.txt\n{ran.stdout.rstrip()}"


def wellshaped(*arguments: str, folder: Path) -> str:
    """A command of ours on the script, and what it prints."""
    ran = called("-m", "wellshaped", *arguments, "rl.py", folder=folder)
    return f"$ wellshaped {' '.join(arguments)} rl.py\n{ran.stdout.rstrip()}"


def _diff(before: str, after: str) -> str:
    lines = difflib.ndiff(before.splitlines(), after.splitlines())
    return (
        "\n".join(f"    {line[0]} {line[2:].strip()}" for line in lines if line[0] in "+-") + "\n"
    )


def _repair_only(text: str) -> str:
    """The headline, the repair and its proof, and the last line: the rest was shown before."""
    lines = text.splitlines()
    start, end = (_place(lines, label) for label in ("fix", "more"))
    return "\n".join([*lines[:2], "  ...", *lines[start:end], lines[-1]])


def _place(lines: list[str], label: str) -> int:
    plain = [_COLOR.sub("", line) for line in lines]
    return next(n for n, line in enumerate(plain) if line.startswith(f"  {label} "))


def main() -> None:
    """Show the programs and stories that were named, or all stories."""
    names = sys.argv[1:] or [*STORIES]
    for place, name in enumerate(names):
        if name not in (*STORIES, *TITLES):
            known = ", ".join((*STORIES, *TITLES))
            sys.exit(f"WS930: no such demo: {name!r}; there are {known}")
        told = STORIES[name]() if name in STORIES else [show(name)]
        print(f"\n{LINE}\n" if place and name in TITLES else "", end="")
        for part in told:
            print(part, flush=True)


STORIES = {"rl": rl, "reward": reward}


if __name__ == "__main__":
    main()
