"""`wellshaped mcp`: check, fix and explain as tools of the Model Context Protocol, over stdio."""

from __future__ import annotations

from typing import Annotated, Any

from mcp.server import MCPServer
from mcp_types import CallToolResult, TextContent, ToolAnnotations
from pydantic import Field

from wellshaped import __version__
from wellshaped.execute import Program
from wellshaped.integrations.jobs import Done, Job, carried_out
from wellshaped.locale import words
from wellshaped.records.phrase import UserError
from wellshaped.report.summary import error_line

_INSTRUCTIONS = """\
Finds tensor-shape mistakes in PyTorch programs, also those that raise nothing, and repairs them.
Call `check` after a training script is written or changed, `fix` where it found something, and
`explain` for the text of a torch error or for a code such as WS301.
`check` and `fix` execute the program in a sandbox that protects against accidents, not against
malice: do not run programs that you do not trust. What a program writes goes to a scratch folder
that is removed; connections, other programs and signals are refused. The kernel (Landlock, Linux
5.19 or later) denies what native code writes elsewhere; without it the tools refuse, unless
`kernel_sandbox` is false."""

_Name = Annotated[str, Field(description="the script or notebook, a path from `folder`")]
_Given = Annotated[list[str] | None, Field(description="the program's own arguments")]
_Folder = Annotated[str, Field(description="the working directory of the program")]
_Budget = Annotated[float, Field(description="CPU seconds in all", gt=0)]
_Pick = Annotated[
    dict[str, int] | None,
    Field(description='choices to take, a number by code: {"WS205": 2}; the code "" means every'),
]
_Kernel = Annotated[
    bool,
    Field(description="false: run without Landlock; writes by native code are not blocked"),
]
_READ_ONLY = ToolAnnotations(read_only_hint=True, open_world_hint=False)
_WRITES = ToolAnnotations(read_only_hint=False, destructive_hint=True, open_world_hint=False)


def serve(lang: str | None = None) -> None:
    """Answer on stdin and stdout until the client goes."""
    server(lang).run("stdio")


def server(lang: str | None = None) -> MCPServer[Any]:
    """The three tools; what they say is in one language."""
    made: MCPServer[Any] = MCPServer("wellshaped", version=__version__, instructions=_INSTRUCTIONS)

    @made.tool(annotations=_READ_ONLY)
    async def check(
        program: _Name,
        arguments: _Given = None,
        folder: _Folder = ".",
        batch_sizes: Annotated[list[int] | None, Field(description="sizes to try")] = None,
        budget: _Budget = 60.0,
        kernel_sandbox: _Kernel = True,
    ) -> CallToolResult:
        """Run a training program dry, at several batch sizes, and list its shape mistakes.

        Each finding has its code, place, shapes, the batch sizes at which it fails and holds,
        and repairs with their proof. Nothing is written.
        """
        sizes = tuple(batch_sizes or ())
        asked = Program(program, tuple(arguments or ()))
        job = Job("check", asked, folder, sizes, budget, lang=lang, kernel_sandbox=kernel_sandbox)
        return await _told(job, lang)

    @made.tool(annotations=_WRITES)
    async def fix(
        program: _Name,
        arguments: _Given = None,
        folder: _Folder = ".",
        apply: Annotated[bool, Field(description="write the repairs to the files")] = False,
        unsafe: Annotated[bool, Field(description="also those that change results")] = False,
        pick: _Pick = None,
        budget: _Budget = 120.0,
        kernel_sandbox: _Kernel = True,
    ) -> CallToolResult:
        """Search for the smallest edits that repair a program, each proven by running it edited.

        Without `apply` nothing is written: the edits are in the answer, line by line. Repairs of
        losses that ran and were wrong change results and are written with `unsafe` only. A repair
        that chooses, drops or invents something is a choice: it has a number, and is taken only by
        `pick`. Ask the user which one is right; each says what it means and when it is right.
        """
        asked = Program(program, tuple(arguments or ()))
        job = Job(
            "fix",
            asked,
            folder,
            budget=budget,
            apply=apply,
            unsafe=unsafe,
            lang=lang,
            kernel_sandbox=kernel_sandbox,
            picks=pick or {},
        )
        return await _told(job, lang)

    @made.tool(annotations=_READ_ONLY)
    async def explain(
        text: Annotated[str, Field(description="a torch error or traceback, or a code")],
    ) -> CallToolResult:
        """Say what is behind a torch error about shapes or dtypes, or give the page of a code."""
        return await _told(Job("explain", text=text, lang=lang), lang)

    return made


async def _told(job: Job, lang: str | None) -> CallToolResult:
    try:
        done = await carried_out(job)
    except UserError as error:
        line = error_line(error.code, error.message, words(lang))
        return CallToolResult(content=[_text(line)], is_error=True)
    return CallToolResult(content=[_text(done.text)], structured_content=_data(job, done))


def _text(text: str) -> TextContent:
    return TextContent(type="text", text=text)


def _data(job: Job, done: Done) -> dict[str, Any]:
    return {**done.data, "written": done.written} if job.kind == "fix" else dict(done.data)
