"""What a training run shows: its bad rows, one line of progress, its end."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Mapping
from typing import TextIO

from wellshaped.locale import ENGLISH, Words, in_one_language
from wellshaped.records.phrase import Phrase
from wellshaped.records.training.progress import Ended, Flaws, Step
from wellshaped.report.compose import shown_path
from wellshaped.report.text.facts import safe
from wellshaped.report.text.width import cells, visible

_BAR, _LEAST_BAR = 20, 5
_WIDEST = 120
_WIDTH = 80
_SECONDS_BETWEEN_LINES = 10.0
_SECONDS_BETWEEN_REWRITES = 0.1
# Shown in words of their own, or only in the tables and curves.
_NOT_METRICS = (
    "loss",
    "margin",
    "tokens_per_second",
    "padding",
    "shared",
    "learning_rate",
    "gradient_norm",
    "epoch",
)
_ENDS = {
    "finished": "run_finished",
    "stopped early": "run_stopped_early",
    "interrupted": "run_interrupted",
    "failed": "run_failed",
}


class ProgressLine:
    """One line that is rewritten on a terminal; elsewhere a plain line now and then.

    Call it with each step and each evaluation; `close` it at the end.
    """

    def __init__(
        self,
        stream: TextIO,
        words: Words = ENGLISH,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._stream, self._words, self._clock = stream, words, clock
        self._rewrites = stream.isatty()
        self._last = -_SECONDS_BETWEEN_LINES
        self._open = False

    def __call__(self, step: Step) -> None:
        """Show a step, if it is time to; an evaluation is always shown and stays."""
        if step.evaluated:
            self.say(_said(self._words, lambda words: evaluation_line(step, words)))
            return
        now = self._clock()
        pause = _SECONDS_BETWEEN_REWRITES if self._rewrites else _SECONDS_BETWEEN_LINES
        if now - self._last < pause and step.step < step.steps:
            return
        self._last = now
        width = shutil.get_terminal_size().columns - 1 if self._rewrites else _WIDEST
        line = _said(self._words, lambda words: progress_line(step, words, width=width))
        if not self._rewrites:
            print(line, file=self._stream, flush=True)
            return
        self._stream.write(f"\r\x1b[K{_cut(line, width)}")
        self._stream.flush()
        self._open = True

    def say(self, line: str) -> None:
        """Print a line that stays, above the one that is rewritten."""
        self.close()
        print(line, file=self._stream, flush=True)

    def close(self) -> None:
        """Take the rewritten line away."""
        if self._open:
            self._stream.write("\r\x1b[K")
            self._stream.flush()
            self._open = False


def progress_line(step: Step, words: Words = ENGLISH, *, width: int = _WIDEST) -> str:
    """`step 40/400 [##..................] loss 0.4312  accuracy 0.91  ...  0:12 left`.

    The bar takes what is left of the width, and is left out where that is little.
    """
    values = step.values
    parts = [words.training("progress_step", step=step.step, steps=step.steps)]
    if "loss" in values:
        parts.append(words.training("progress_loss", value=number(values["loss"])))
    parts += [metrics(values)] if metrics(values) else []
    if "tokens_per_second" in values:
        count = round(values["tokens_per_second"])
        parts.append(words.training("progress_speed", count=count))
    if "padding" in values:
        percent = round(100 * values["padding"])
        parts.append(words.training("progress_padding", percent=percent))
    if "shared" in values:
        percent = round(100 * values["shared"])
        parts.append(words.training("progress_shared", percent=percent))
    if step.seconds_left is not None:
        parts.append(words.training("progress_left", time=duration(step.seconds_left)))
    size = min(_BAR, width - cells("  ".join(parts)) - len("  []"))
    if size >= _LEAST_BAR:
        done = size * step.step // max(step.steps, 1)
        parts.insert(1, f"[{'#' * done}{'.' * (size - done)}]")
    return "  ".join(parts)


def evaluation_line(step: Step, words: Words = ENGLISH) -> str:
    """`step 40: loss 0.4312  accuracy 0.91`, of rows that were not trained on."""
    values = metrics(step.values, skip=())
    return folded(words.training("evaluated", step=step.step, values=values))


def end_lines(ended: Ended, words: Words = ENGLISH) -> str:
    """How a run ended, its best evaluation, and where its result is."""
    return _said(words, lambda each: "\n".join(map(folded, end_parts(ended, each))) + "\n")


def end_parts(ended: Ended, words: Words) -> list[str]:
    """The same as sentences."""
    facts = {"step": ended.step, "patience": ended.patience, "error": _error(ended, words)}
    parts = [words.training(_ENDS[ended.how], **facts)]
    if ended.values and ended.how in ("finished", "stopped early"):
        values = metrics(ended.values, skip=())
        parts.append(words.training("run_best", step=ended.best_step, values=values))
    if ended.folder:
        parts.append(words.training("run_saved", folder=visible(shown_path(ended.folder))))
    return parts


def _error(ended: Ended, words: Words) -> str:
    error = ended.error
    if isinstance(error, Phrase):
        return words.message(error.name, **safe(error.facts))
    return visible(error)


def flaw_lines(flaws: Flaws, words: Words = ENGLISH) -> str:
    """The first bad rows by file and line; if there are more, how many of each kind."""

    def said(each: Words) -> str:
        lines = []
        for row in flaws.first:
            place = f"{visible(shown_path(row.file))}:{row.line}"
            reason = each.training(row.reason.name, **safe(row.reason.facts))
            lines.append(each.training("bad_row", place=place, reason=reason))
        if flaws.count > len(flaws.first):
            for name, example in flaws.examples.items():
                reason = each.training(example.name, **safe(example.facts))
                count = flaws.kinds[name]
                lines.append(each.training("bad_rows_alike", count=count, reason=reason))
        lines.append(each.training("bad_rows_counted", count=flaws.count, rows=flaws.rows))
        return "\n".join(lines) + "\n"

    return _said(words, said)


def metrics(values: Mapping[str, float], *, skip: tuple[str, ...] = _NOT_METRICS) -> str:
    """Values by their names, which are the same in every language."""
    return "  ".join(f"{name} {number(each)}" for name, each in values.items() if name not in skip)


def folded(line: str, *, width: int = _WIDTH) -> str:
    """A line with values, on several lines where it is too wide; a value is never broken."""
    lines = [""]
    for part in line.split("  "):
        longer = f"{lines[-1]}  {part}" if lines[-1] else part
        if lines[-1] and cells(longer) > width:
            lines.append(f"    {part}")
        else:
            lines[-1] = longer
    return "\n".join(lines)


def number(value: float) -> str:
    """A number as short as it can be read: four digits that count, large ones in full."""
    return f"{value:.0f}" if 1e4 <= abs(value) < 1e7 else f"{value:.4g}"


def duration(seconds: float) -> str:
    """`0:07`, `12:40` or `3:02:10`."""
    minutes, rest = divmod(max(round(seconds), 0), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"


def _said(words: Words, say: Callable[[Words], str]) -> str:
    return in_one_language(words, say)


def _cut(line: str, width: int) -> str:
    """As much of a line as a terminal shows without going to the next one."""
    while cells(line) > width:
        line = line[:-1]
    return line
