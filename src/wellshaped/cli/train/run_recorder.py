"""Records a run: each event goes on to the narrator, and how it ended is kept for its page."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from wellshaped.cli.reporting import write_training
from wellshaped.records.phrase import Phrase, UserError
from wellshaped.records.training.progress import Ended, Step

_STAGE: Final = "stage_"
STAGES: Final = ("sft", "reward", "policy")


class RunRecorder:
    """Call it with each record of a run; of several stages, each has an end of its own."""

    def __init__(self, lang: str) -> None:
        from wellshaped.locale import words
        from wellshaped.report.narrator import Narrator

        self._tell = Narrator(words=words(lang))
        self.stage = ""
        self.step = 0
        self.ends: dict[str, Ended] = {}

    def __call__(self, record: Any) -> None:
        """Keep what the page needs, and tell it."""
        if isinstance(record, Ended):
            self.ends[self.stage] = record
        elif isinstance(record, Step):
            self.step = record.step
        elif isinstance(record, Phrase) and record.name.removeprefix(_STAGE) in STAGES:
            self.stage, self.step = record.name.removeprefix(_STAGE), 0
        self._tell(record)

    def failed(self, error: Exception) -> None:
        """Keep that the run, or its last stage, did not come to an end."""
        said = error.message if isinstance(error, UserError) else f"{type(error).__name__}: {error}"
        self.ends[self.stage] = Ended("failed", self.step, 0, {}, error=said)

    def write_page(self, file: str, title: str, folder: str, *, lang: str) -> None:
        """Write the page of all that was trained; none where that did not begin, or elsewhere.

        Of several processes one tells, and so one writes.
        """
        if not self.ends:
            return
        from wellshaped.train.artifacts.run_artifacts import read_artifacts

        places = {each: str(Path(folder) / each) for each in STAGES} if self.stage else {"": folder}
        found = [
            read_artifacts(Path(place), ended=self.ends.get(stage), stage=stage)
            for stage, place in places.items()
            if not self._is_before(stage)
        ]
        runs = [each for each in found if each is not None]
        if runs:
            write_training(file, title, runs, lang=lang)

    def _is_before(self, stage: str) -> bool:
        """Whether a stage ended without a step: its tables, if any, are of an older run."""
        ended = self.ends.get(stage)
        return ended is not None and ended.how == "failed" and not ended.step
