"""`%load_ext wellshaped`: what a cell of IPython did wrong, shown below it.

Needs nothing of IPython but the shell it is handed: errors pass through the shell's own
`showtraceback`, from plain, timed and asynchronous cells alike.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from wellshaped.integrations.loss_watch import loss_watch
from wellshaped.observe.loss_guard.on_import import LossWatch
from wellshaped.records.phrase import UserError
from wellshaped.report import html
from wellshaped.report.document import Document
from wellshaped.report.text.terminal import render
from wellshaped.source.code import GIVEN

_TIMED = ("<timed exec>", "<timed eval>")
_loaded: dict[int, _Extension] = {}


def load_ipython_extension(shell: Any) -> None:
    """Start explaining; called by `%load_ext wellshaped`."""
    if id(shell) not in _loaded:
        _loaded[id(shell)] = _Extension(shell)


def unload_ipython_extension(shell: Any) -> None:
    """Leave the shell as it was; called by `%unload_ext wellshaped`."""
    found = _loaded.pop(id(shell), None)
    if found is not None:
        found.leave()


class _Extension:
    """The hooks of one shell, and the watch over the losses of the cell that runs.

    Cells run cells (`%run`, `%%capture`): `depth` counts them, and the outermost has the watch.
    """

    def __init__(self, shell: Any) -> None:
        self.shell = shell
        self.watch: LossWatch | None = None
        self.depth = 0
        self.explained: set[tuple[str, int]] = set()
        self.had_own = "showtraceback" in vars(shell)
        self.shown: Callable[..., Any] = shell.showtraceback
        self.ours = self._showtraceback
        shell.showtraceback = self.ours
        shell.events.register("pre_run_cell", self._before)
        shell.events.register("post_run_cell", self._after)
        self._start()  # the rest of the cell that loads this is watched too

    def leave(self) -> None:
        """Undo everything; where others wrapped the shell since, stay out of their way."""
        self.shell.events.unregister("pre_run_cell", self._before)
        self.shell.events.unregister("post_run_cell", self._after)
        _vanishing(self._stop)
        if vars(self.shell).get("showtraceback") == self.ours:
            if self.had_own:
                self.shell.showtraceback = self.shown
            else:
                del self.shell.showtraceback

    def _start(self) -> None:
        _vanishing(self._stop)
        self.watch = loss_watch()
        _vanishing(self.watch.start)

    def _stop(self) -> tuple[Any, ...]:
        watch, self.watch = self.watch, None
        return watch.stop() if watch is not None else ()

    def _before(self, cell: Any = None) -> None:
        if self.depth == 0:
            _give_timed(self.shell, getattr(cell, "raw_cell", None) or "")
            self._start()
        self.depth += 1

    def _after(self, *_: object) -> None:
        self.depth = max(0, self.depth - 1)
        if self.depth == 0:
            _vanishing(lambda: self._show_hazards(self._stop()))
            self.explained.clear()
            for name in _TIMED:
                GIVEN.pop(name, None)

    def _showtraceback(self, *args: Any, **options: Any) -> Any:
        given = options.get("exc_tuple") or (args[0] if args else None)
        error = given[1] if isinstance(given, tuple) else sys.exc_info()[1]
        result = self.shown(*args, **options)
        if isinstance(error, Exception) and id(self.shell) in _loaded:
            _vanishing(lambda: self._explain(error))
        return result

    def _explain(self, error: Exception) -> None:
        if "torch" not in sys.modules:
            return  # no tensors, no shapes
        from wellshaped.pipeline.explain import explain_exception

        suspects = self.watch.suspects if self.watch else ()
        found = explain_exception(error, suspects)
        if found is not None:
            place = found.diagnoses[0].finding.observation.passage.place
            self.explained.add((place.file, place.line))
            self._display(found.documents)

    def _show_hazards(self, calls: tuple[Any, ...]) -> None:
        new = [each for each in calls if (each.place.file, each.place.line) not in self.explained]
        if not new:
            return
        from wellshaped.pipeline.explain import explain_hazards

        for found in explain_hazards(new):
            self._display(found.documents)

    def _display(self, documents: tuple[Document, ...]) -> None:
        named = tuple(self._named(each) for each in documents)
        color = bool(getattr(sys.stdout, "isatty", bool)())
        text = "\n".join(render(each, color=color) for each in named).rstrip("\n")
        self.shell.display_pub.publish(data={"text/plain": text, "text/html": html.render(named)})

    def _named(self, document: Document) -> Document:
        """The document with cells named as IPython's own tracebacks name them: `Cell In[3]`."""
        names = getattr(self.shell.compile, "_filename_map", {})
        excerpts = tuple(
            replace(each, file=f"Cell In[{names[each.file]}]") if each.file in names else each
            for each in document.excerpts
        )
        return replace(document, excerpts=excerpts)


def _give_timed(shell: Any, cell: str) -> None:
    """The text of a cell below `%%time`: IPython compiles it under a name that has no source."""
    magic, _, body = cell.lstrip().partition("\n")
    if magic.split()[:1] == ["%%time"]:
        lines = tuple(shell.transform_cell(body).splitlines(keepends=True))
        GIVEN.update(dict.fromkeys(_TIMED, lines))


def _vanishing(act: Callable[[], object]) -> None:
    """Whatever goes wrong inside is one line, and the cell's own result stands."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            act()
    except Exception as error:  # a fault of ours must not take a cell down with it
        name = type(error).__name__
        reason = str(error) if isinstance(error, UserError) else f"internal error: {name}"
        print(
            f"wellshaped: could not explain this cell ({reason}); its own result stands",
            file=sys.stderr,
        )
