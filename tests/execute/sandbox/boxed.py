"""Runs a program in the sandbox, in a child, and sees that nothing around it changes."""

import hashlib
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

DRIVER = """
import json, os, sys
from pathlib import Path
if sys.argv[3] == "torch":
    import torch
from wellshaped.execute.program import Program, execute
from wellshaped.execute.sandbox.enter import sandboxed
scratch = Path(sys.argv[1])
with sandboxed(scratch) as box:
    ended = execute(Program(sys.argv[2]))
    box.processes.leave_if_forked(ended.status)
notes = [[n.kind, n.action, n.target, os.path.basename(n.place.file), n.place.line]
         for n in box.notes]
(scratch / "notes.json").write_text(json.dumps([box.by_kernel, notes]))
sys.exit(ended.status)
"""
# As the children of a check end: threads of pyarrow may abort a plain exit.
WITHOUT_EXIT_HANDLERS = DRIVER.replace("sys.exit", "sys.stdout.flush(); os._exit")


@dataclass(frozen=True)
class Run:
    """What a sandboxed program printed, and what was noted of it."""

    out: str
    notes: list[list[object]]
    by_kernel: bool

    def refused(self) -> set[tuple[object, object, object]]:
        return {(n[1], n[2], n[4]) for n in self.notes if n[0] == "refused"}


def user_folder(root: Path) -> Path:
    """A folder of files that must not change."""
    folder = root / "user"
    (folder / "data" / "b").mkdir(parents=True)
    texts = {"log.txt": "old\n", "config.json": "[1]", "neighbour.py": "y = 4", "data/a.txt": "abc"}
    for name, text in {**texts, "data/b/c.txt": "c"}.items():
        (folder / name).write_text(text)
    (folder / "link").symlink_to("data")
    return folder


def sandboxed(user: Path, program: str, *, how: str = "", driver: str = DRIVER) -> Run:
    """Run the program in a child, and see that its folder and all around it stay as they are."""
    scratch = user.parent / "scratch"
    scratch.mkdir(exist_ok=True)
    (user / "program.py").write_text(program, encoding="utf-8")
    before = traces(user)
    command = [sys.executable, "-c", driver, str(scratch), "program.py", how]
    child = subprocess.run(
        command, cwd=user, input="typed\n", capture_output=True, text=True, timeout=60
    )
    assert child.returncode == 0, child.stderr
    assert traces(user) == before
    assert {path.name for path in user.parent.iterdir()} == {"user", "scratch"}
    by_kernel, notes = json.loads((scratch / "notes.json").read_text())
    return Run(child.stdout, notes, by_kernel)


def traces(folder: Path) -> dict[str, tuple[object, ...]]:
    """Each file's mode, time and contents."""
    found: dict[str, tuple[object, ...]] = {}
    for path in [folder, *sorted(folder.rglob("*"))]:
        facts = path.lstat()
        if path.is_symlink():
            contents = os.readlink(path)
        else:
            contents = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
        found[str(path)] = (facts.st_mode, facts.st_mtime_ns, facts.st_nlink, contents)
    return found
