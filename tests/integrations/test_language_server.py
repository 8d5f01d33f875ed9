"""`wellshaped lsp`, asked by a real client of the protocol over stdio."""

import ast
import asyncio
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from pygls.lsp.client import LanguageClient

# The sign before the loss is two units of UTF-16, one character of Python.
SILENT = """\
import torch
from torch import nn

torch.manual_seed(0)
model, x, y = nn.Linear(3, 1), torch.randn(8, 3), torch.randn(8)
optimizer = torch.optim.SGD(model.parameters(), 0.1)
for step in range(3):
    pred = model(x)
    name = "😀"; loss = nn.functional.mse_loss(pred, y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""


class Editor:
    """A client that keeps what the server tells it."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.client = LanguageClient("tests", "1")
        self.diagnostics: dict[str, list[types.Diagnostic]] = {}
        self.messages: list[str] = []

        @self.client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def diagnosed(given: types.PublishDiagnosticsParams) -> None:
            self.diagnostics[given.uri] = list(given.diagnostics)

        @self.client.feature(types.WINDOW_SHOW_MESSAGE)
        def told(given: types.ShowMessageParams) -> None:
            self.messages.append(given.message)

    async def start(self, lang: str, options: dict[str, Any] | None = None) -> None:
        command = (sys.executable, "-m", "wellshaped", "lsp", "--lang", lang)
        await self.client.start_io(*command, cwd=self.folder, env=dict(os.environ))
        await self.client.initialize_async(
            types.InitializeParams(
                types.ClientCapabilities(),
                root_uri=self.folder.as_uri(),
                initialization_options=options,
            )
        )
        self.client.initialized(types.InitializedParams())

    def open(self, path: Path) -> str:
        item = types.TextDocumentItem(path.as_uri(), "python", 1, path.read_text())
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        return item.uri

    def type(self, uri: str, text: str) -> None:
        document = types.VersionedTextDocumentIdentifier(2, uri)
        change = types.TextDocumentContentChangeWholeDocument(text)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(document, [change]))

    def save(self, uri: str) -> None:
        document = types.TextDocumentIdentifier(uri)
        self.client.text_document_did_save(types.DidSaveTextDocumentParams(document))

    async def actions(self, uri: str, at: types.Range) -> list[Any]:
        document = types.TextDocumentIdentifier(uri)
        asked = types.CodeActionParams(document, at, types.CodeActionContext([]))
        return list(await self.client.text_document_code_action_async(asked) or ())

    async def run(self, offer: types.Command) -> None:
        # lsprotocol 2025.0 takes an action with a command for a command, with that as its text.
        command = ast.literal_eval(offer.command)
        await self.client.workspace_execute_command_async(
            types.ExecuteCommandParams(command["command"], command["arguments"])
        )

    async def stop(self) -> None:
        await self.client.shutdown_async(None)
        self.client.exit(None)
        await self.client.stop()


def applied(text: str, edits: list[types.TextEdit]) -> str:
    """The text after edits in units of UTF-16, as an editor applies them."""
    lines = [line.encode("utf-16-le") for line in text.splitlines(keepends=True)]
    for edit in sorted(edits, key=lambda each: each.range.start.line, reverse=True):
        (start, end), new = (edit.range.start, edit.range.end), edit.new_text.encode("utf-16-le")
        whole = b"".join(lines[start.line : end.line + 1])
        before = sum(map(len, lines[start.line : end.line]))
        whole = whole[: 2 * start.character] + new + whole[before + 2 * end.character :]
        lines[start.line : end.line + 1] = [whole]
    return b"".join(lines).decode("utf-16-le")


def with_editor(
    folder: Path, work, lang: str = "en", options: dict[str, Any] | None = None
) -> None:
    async def session() -> None:
        editor = Editor(folder)
        await editor.start(lang, options)
        try:
            await work(editor)
        finally:
            await editor.stop()

    asyncio.run(asyncio.wait_for(session(), 240))


@pytest.fixture
def program(tmp_path: Path) -> Path:
    (tmp_path / "train.py").write_text(SILENT)
    return tmp_path / "train.py"


NOWHERE = types.Range(types.Position(0, 0), types.Position(0, 0))


@pytest.mark.slow
def test_a_check_gives_diagnostics_and_a_quick_fix(program: Path) -> None:
    async def work(editor: Editor) -> None:
        uri = editor.open(program)
        (offer,) = await editor.actions(uri, NOWHERE)
        assert editor.diagnostics == {}, "nothing is executed before somebody asks"
        await editor.run(offer)
        found, hint = editor.diagnostics[uri]
        assert (found.code, found.severity) == ("WS301", types.DiagnosticSeverity.Error)
        assert (hint.code, hint.severity) == ("WS904", types.DiagnosticSeverity.Hint)
        assert found.message.startswith("`mse_loss` compared every prediction with every target\n")
        line = SILENT.splitlines()[8].encode("utf-16-le")
        start, end = found.range.start.character, found.range.end.character
        marked = line[2 * start : 2 * end].decode("utf-16-le")
        assert marked == "nn.functional.mse_loss(pred, y)"

        assert await editor.actions(uri, NOWHERE) == [offer]
        repair, _ = await editor.actions(uri, found.range)
        assert repair.kind == types.CodeActionKind.QuickFix
        assert repair.is_preferred
        assert repair.title.endswith("[changes results]")
        repaired = applied(SILENT, list(repair.edit.changes[uri]))
        compile(repaired, "train.py", "exec")

        editor.type(uri, repaired)
        assert await editor.actions(uri, found.range) == [offer], "the text is another now"
        await editor.run(offer)
        assert "WS963" in editor.messages[-1]
        program.write_text(repaired)
        await editor.run(offer)
        assert editor.diagnostics[uri] == []

    with_editor(program.parent, work)


@pytest.mark.slow
def test_a_save_checks_where_the_client_wants_that(program: Path) -> None:
    async def work(editor: Editor) -> None:
        uri = editor.open(program)
        editor.save(uri)
        while uri not in editor.diagnostics:
            await asyncio.sleep(0.1)
        found, _ = editor.diagnostics[uri]
        assert "comparó cada predicción" in found.message

    with_editor(program.parent, work, lang="es", options={"checkOnSave": True})


@pytest.mark.slow
def test_a_program_that_cannot_be_run_is_told(tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text("raise KeyError('mine')\n")

    async def work(editor: Editor) -> None:
        uri = editor.open(tmp_path / "broken.py")
        (offer,) = await editor.actions(uri, NOWHERE)
        await editor.run(offer)
        (message,) = editor.messages
        assert message.splitlines() == [
            "error[WS933]: the program could not be run: KeyError: 'mine' (broken.py:1)",
            '  File "broken.py", line 1, in <module>',
            "    raise KeyError('mine')",
        ]

    with_editor(tmp_path, work)
