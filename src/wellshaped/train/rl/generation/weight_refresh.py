"""The policy as a folder of `transformers`, and a command that brings it to whoever serves it."""

from __future__ import annotations

import shlex
import shutil
import subprocess
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Final

from wellshaped.records.phrase import UserError
from wellshaped.train.artifacts.run_folder import publish
from wellshaped.train.distributed.processes import on_first_process
from wellshaped.train.rl.learner import Learner
from wellshaped.train.rl.result import save_policy

FOLDER: Final = "{folder}"
_SHOWN: Final = 300

# A command with `{folder}` in it, or a function of the folder.
Command = str | Callable[[Path], object]


class Refresh:
    """Writes the policy below `place` when it has learned, and has it brought to its server.

    Each time it is another folder: servers map the files of the one they have.
    """

    def __init__(self, learner: Learner, tokenizer: Any, command: Command, place: Path) -> None:
        self.learner, self.tokenizer = learner, tokenizer
        self.command, self.place = command, place
        self._brought = -1  # the updates that made the weights of the server

    def __call__(self, update: int) -> None:
        """Bring the weights, if the server has others; one process does, and all wait."""
        if self._brought != self.learner.done:
            on_first_process(self.learner.accelerator, self._bring)
            self._brought = self.learner.done

    def _bring(self) -> None:
        folder = (self.place / f"update-{self.learner.done:08d}").absolute()
        shutil.rmtree(folder, ignore_errors=True)
        publish(folder, partial(save_policy, self.learner.policy, self.tokenizer))
        if callable(self.command):
            self.command(folder)
        else:
            _run(self.command, folder)
        for other in self.place.glob("update-*"):
            if other.absolute() != folder:
                shutil.rmtree(other, ignore_errors=True)


def require_folder_named(command: Command) -> None:
    """Raise where a command would not know the folder."""
    if isinstance(command, str) and FOLDER not in command:
        raise UserError("WS988", "refresh_no_folder", command=command)


def _run(command: str, folder: Path) -> None:
    try:
        # The folder may have blanks: it is put in behind the split.
        words = [word.replace(FOLDER, str(folder)) for word in shlex.split(command)]
        ran = subprocess.run(words, capture_output=True, text=True, check=False)
    except (OSError, ValueError) as error:
        raise UserError("WS998", "refresh_failed", command=command, error=str(error)) from error
    if ran.returncode:
        lines = (ran.stderr or ran.stdout).strip().splitlines() or [""]
        reason = f"{ran.returncode}: {lines[-1][:_SHOWN]}"
        raise UserError("WS998", "refresh_failed", command=command, error=reason)
