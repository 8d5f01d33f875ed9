"""`wellshaped lsp`: the findings of the last search as diagnostics, its repairs as quick fixes.

A search executes the program, so it happens when it is asked for: by the command
`wellshaped.check` (the code action of every Python file), or at each save if the client's
`initializationOptions` say `{"checkOnSave": true}`. They say `{"kernelSandbox": false}` where
programs are to be run without Landlock, which each search then reports.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.uris import from_fs_path, to_fs_path

from wellshaped import __version__
from wellshaped.execute import Program
from wellshaped.integrations.diagnostics import Edits, actions, diagnostics
from wellshaped.integrations.jobs import Job, carried_out
from wellshaped.locale import Words, in_one_language, words
from wellshaped.notebook.logical import lines
from wellshaped.pipeline.texts import unconfined
from wellshaped.records.fix import FixResult
from wellshaped.records.phrase import UserError
from wellshaped.repair import read_source
from wellshaped.report.summary import error_line, verdict_line

CHECK = "wellshaped.check"
_KINDS = [types.CodeActionKind.QuickFix, types.CodeActionKind.Source]


@dataclass
class _Last:
    """The last search of one program, and the texts of the files it speaks of at that time."""

    fixed: FixResult
    texts: dict[str, str] = field(default_factory=dict)


class Server(LanguageServer):
    """The server, with the last search of each program and the time a search may take."""

    def __init__(self, lang: str | None = None, *, budget: float = 120.0) -> None:
        super().__init__("wellshaped", __version__)
        self.words: Words = words(lang)
        self.lang, self.budget = lang, budget
        self.on_save, self.kernel_sandbox = False, True
        self.last: dict[str, _Last] = {}
        self.one_at_a_time = asyncio.Lock()

    async def search(self, uri: str, arguments: list[str]) -> None:
        """Search the program for faults and repairs, and publish what was found."""
        file = to_fs_path(uri) or ""
        try:
            self._must_be_saved(uri, file)
            program = Program(file, tuple(arguments))
            job = Job(
                *("fix", program, os.path.dirname(file), (), self.budget),
                lang=self.lang,
                kernel_sandbox=self.kernel_sandbox,
            )
            async with self.one_at_a_time:
                done = await carried_out(job)
        except UserError as error:
            self._say(error_line(error.code, error.message, self.words))
            return
        assert done.fixed is not None
        self._publish(uri, done.fixed)
        if not done.complete:
            self._say(verdict_line(done.fixed.report, self.words), types.MessageType.Warning)
        for note in unconfined(done.fixed.report, self.lang):
            self._say(note, types.MessageType.Warning)

    def _must_be_saved(self, uri: str, file: str) -> None:
        with contextlib.suppress(OSError):
            if self.workspace.get_text_document(uri).source != read_source(file).text:
                raise UserError("WS963", "not_saved", file=os.path.basename(file))

    def _say(self, text: str, kind: types.MessageType = types.MessageType.Error) -> None:
        self.window_show_message(types.ShowMessageParams(kind, text))

    def _publish(self, uri: str, fixed: FixResult) -> None:
        before = self.last.pop(uri, None)
        now = _Last(fixed)
        found = diagnostics(fixed.report, self.words)
        edited = {each.file for each in fixed.changed}
        shown_before = before.texts if before else ()
        for file in {*found, *edited, *shown_before, to_fs_path(uri) or ""}:
            with contextlib.suppress(OSError):
                now.texts[file] = read_source(file).text
            shown = [self._placed(each, now.texts.get(file, "")) for each in found.get(file, ())]
            where = from_fs_path(file) or ""
            self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(where, shown))
        self.last[uri] = now

    def _placed(self, diagnostic: types.Diagnostic, text: str) -> types.Diagnostic:
        """The same with columns as the client counts them."""
        diagnostic.range = self.range(diagnostic.range, text)
        return diagnostic

    def range(self, given: types.Range, text: str) -> types.Range:
        """Characters, as Python counts them, in the units of the client."""
        return self.workspace.position_codec.range_to_client_units(lines(text), given)

    def quick_fixes(self, uri: str, at: types.Range) -> Iterator[types.CodeAction]:
        """The repairs of what was found there, where no file has changed since."""
        file = to_fs_path(uri) or ""
        for last in self.last.values():
            for action, edits in actions(last.fixed, file, self.words):
                near = _touch(self.range(action.range, last.texts.get(file, "")), at)
                changed = self._in_units(edits, last) if near else None
                if changed is not None:
                    yield types.CodeAction(
                        action.title,
                        types.CodeActionKind.QuickFix,
                        is_preferred=action.proven or None,
                        edit=types.WorkspaceEdit(changes=changed),
                    )

    def _in_units(self, edits: Edits, last: _Last) -> Edits | None:
        """The edits by URI, in the client's units; None where one of their files has changed."""
        changed: Edits = {}
        for file, given in edits.items():
            text = last.texts.get(file)
            if text is None or self._differs(file, text):
                return None
            changed[from_fs_path(file) or ""] = [
                types.TextEdit(self.range(each.range, text), each.new_text) for each in given
            ]
        return changed

    def _differs(self, file: str, text: str) -> bool:
        document = self.workspace.get_text_document(from_fs_path(file) or "")
        return str(document.source) != text


def _touch(one: types.Range, other: types.Range) -> bool:
    return one.start.line <= other.end.line and other.start.line <= one.end.line


def serve(lang: str | None = None) -> None:
    """Answer on stdin and stdout until the editor goes."""
    server(lang).start_io()


def server(lang: str | None = None) -> Server:
    """The server with its features."""
    made = Server(lang)

    @made.feature(types.INITIALIZE)
    def initialize(given: types.InitializeParams) -> None:
        given_options = given.initialization_options
        options = given_options if isinstance(given_options, dict) else {}
        made.on_save = bool(options.get("checkOnSave"))
        made.kernel_sandbox = options.get("kernelSandbox", True) is not False

    @made.feature(types.TEXT_DOCUMENT_DID_SAVE)
    async def saved(given: types.DidSaveTextDocumentParams) -> None:
        if made.on_save:
            await made.search(given.text_document.uri, [])

    @made.feature(types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions(_KINDS))
    def code_action(given: types.CodeActionParams) -> list[types.CodeAction]:
        uri = given.text_document.uri
        return [*made.quick_fixes(uri, given.range), _offer(uri, made.words)]

    @made.command(CHECK)
    async def check(uri: str, *arguments: Any) -> None:
        await made.search(uri, [str(each) for each in arguments])

    return made


def _offer(uri: str, said: Words) -> types.CodeAction:
    title = in_one_language(said, lambda each: each.label("check_this"))
    command = types.Command(title, CHECK, arguments=[uri])
    return types.CodeAction(title, types.CodeActionKind.Source, command=command)
