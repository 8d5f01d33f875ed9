"""`wellshaped mcp`, asked by the real client of the protocol over stdio."""

import asyncio
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

SILENT = """\
import torch
from torch import nn

torch.manual_seed(0)
model, x, y = nn.Linear(3, 1), torch.randn(8, 3), torch.randn(8)
optimizer = torch.optim.SGD(model.parameters(), 0.1)
for step in range(3):
    pred = model(x)
    loss = nn.functional.mse_loss(pred, y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print("a program's output is not an answer of the server")
"""


def session(folder: Path, *calls: tuple[str, dict[str, Any]], lang: str = "en") -> list[Any]:
    """The results of several calls of tools, in one session with one server."""

    async def talk() -> list[Any]:
        server = StdioServerParameters(
            command=sys.executable,
            args=["-m", "wellshaped", "mcp", "--lang", lang],
            cwd=folder,
            env=dict(os.environ),
        )
        async with Client(stdio_client(server)) as client:
            listed = await client.list_tools()
            return [listed, *[await client.call_tool(name, given) for name, given in calls]]

    return asyncio.run(asyncio.wait_for(talk(), 240))


def text(result) -> str:
    (content,) = result.content
    return str(content.text)


@pytest.fixture
def program(tmp_path: Path) -> Path:
    (tmp_path / "train.py").write_text(SILENT)
    return tmp_path / "train.py"


@pytest.mark.slow
def test_check_fix_and_explain(program: Path) -> None:
    asked = {"program": "train.py", "folder": str(program.parent)}
    listed, checked, shown, written, page, told = session(
        Path.home(),
        ("check", asked),
        ("fix", asked),
        ("fix", {**asked, "apply": True, "unsafe": True}),
        ("explain", {"text": "ws301"}),
        ("explain", {"text": "mat1 and mat2 shapes cannot be multiplied (4x9 and 8x5)"}),
    )
    assert [each.name for each in listed.tools] == ["check", "fix", "explain"]
    assert text(checked).startswith("error[WS301]: `mse_loss` compared every prediction")
    (found,) = checked.structured_content["findings"]
    assert (found["code"], found["file"], found["line"]) == ("WS301", "train.py", 9)
    assert shown.structured_content["written"] == 0
    (repair,) = shown.structured_content["fixes"]["repairs"]
    assert repair["repair"]["proven"]
    assert written.structured_content["written"] == 1
    assert program.read_text() != SILENT
    assert "silent-broadcast" in text(page)
    assert told.structured_content["told"] == {"left": [4, 9], "right": [8, 5]}


@pytest.mark.slow
def test_a_run_that_does_not_end_is_incomplete(tmp_path: Path) -> None:
    (tmp_path / "clean.py").write_text("import torch\ntorch.zeros(2) + torch.zeros(2)\n")
    (tmp_path / "leaves.py").write_text("import torch, os\nos._exit(0)\n")
    _, clean, leaves = session(
        tmp_path, ("check", {"program": "clean.py"}), ("check", {"program": "leaves.py"})
    )
    assert clean.structured_content["status"] == 0
    assert leaves.structured_content["status"] == 3
    assert not leaves.structured_content["complete"]
    assert "no shape mistakes found" in text(clean)
    assert "no shape mistakes found" not in text(leaves)
    assert "exited by os._exit(0)" in text(leaves)


@pytest.mark.slow
def test_what_cannot_be_done_is_an_error_with_a_code(tmp_path: Path) -> None:
    (tmp_path / "ends.py").write_text(
        "import os\nos.kill(os.getppid(), 9)\nraise KeyError('mine')\n"
    )
    _, missing, failed, unknown = session(
        tmp_path,
        ("check", {"program": "nothing.py"}),
        ("check", {"program": "ends.py"}),
        ("explain", {"text": "WS999999"}),
        lang="es",
    )
    for result, code in ((missing, "WS930"), (failed, "WS933"), (unknown, "WS931")):
        assert result.is_error
        assert f"[{code}]: " in text(result)
        assert "error" in text(result)
    assert "no existe" in text(missing)
