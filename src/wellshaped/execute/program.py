"""Runs the user's program in this process as plain `python` would run it."""

from __future__ import annotations

import contextlib
import io
import os
import pkgutil
import re
import runpy
import sys
from collections.abc import Callable
from dataclasses import dataclass
from importlib import machinery
from types import CodeType, FrameType, FunctionType, ModuleType
from typing import Any

from wellshaped.notebook import SUFFIX
from wellshaped.records.phrase import UserError

# How a source file declares its encoding (PEP 263), and a line that lets the next one do it.
_COOKIE = re.compile(rb"(?:\xef\xbb\xbf)?[ \t\f]*#.*?coding[:=][ \t]*[-\w.]+")
_NO_CODE = re.compile(rb"(?:\xef\xbb\xbf)?[ \t\f]*(?:[#\r]|$)")
# What python itself calls for `-m` and for folders: its frames belong in their tracebacks.
_RUN_MODULE = runpy._run_module_as_main  # type: ignore[attr-defined]

OnException = Callable[[BaseException], None]
Compile = Callable[..., CodeType]  # of a source, its file and, for a cell, compiler flags


@dataclass(frozen=True, slots=True)
class Program:
    """What follows `python`: a script, folder or zip file, or the module of `-m`; its arguments.

    The script may be a notebook, whose code cells are run in their order.
    """

    name: str
    arguments: tuple[str, ...] = ()
    is_module: bool = False


@dataclass(frozen=True, slots=True)
class ProgramEnd:
    """How a program ended: its exit status, and the exception nobody caught."""

    status: int
    exception: BaseException | None = None


class NoProgram(UserError):
    """The script cannot be opened, or the notebook not be read."""


def execute(
    program: Program,
    *,
    on_exception: OnException | None = None,
    compiled: Compile | None = None,
) -> ProgramEnd:
    """Run the program; after its own traceback `on_exception` sees the exception, frames alive.

    The program takes over `__main__`, `sys.argv` and `sys.path[0]`, and keeps them for its
    threads and exit handlers.
    """
    launch = _launch(program, compiled or compile_source)
    try:
        return _finish(launch, on_exception)
    finally:
        _forget_file()


def _finish(launch: Callable[[], None], on_exception: OnException | None) -> ProgramEnd:
    try:
        launch()
    except SystemExit as request:
        return ProgramEnd(_exit_status(request))
    except BaseException as error:  # python, too, prints every kind
        exception = error
    else:
        return ProgramEnd(0)
    # Out of the `except` block: to the program's hook nothing is being handled, as in python.
    _hide_our_frames(exception)
    status = _print_exception(exception)
    _flush()
    if on_exception is not None:
        on_exception(exception)
    return ProgramEnd(status, exception)


def _launch(program: Program, compiled: Compile) -> Callable[[], None]:
    if program.is_module:
        return lambda: _run_module(program, "-m", os.getcwd())
    # Python joins without normalising: `./a.py` is `/here/./a.py` in tracebacks.
    path = os.path.join(os.getcwd(), program.name)
    if pkgutil.get_importer(path) is not None:  # a folder or a zip file
        return lambda: _run_module(program, program.name, path)
    try:
        with io.open_code(path) as file:
            source = file.read()
    except OSError as error:
        reason = (error.strerror or type(error).__name__).lower()
        raise NoProgram("WS930", "cannot_open", file=program.name, reason=reason) from error
    if path.endswith(SUFFIX):
        return _launch_notebook(program, path, source, compiled)
    return lambda: _run_script(program, path, source, compiled)


def _launch_notebook(
    program: Program, path: str, data: bytes, compiled: Compile
) -> Callable[[], None]:
    from wellshaped.notebook.read import NotReadable, parse_notebook  # a script needs none of it

    try:
        cells = parse_notebook(data, path).cells
    except NotReadable as error:
        raise NoProgram(error.code, error.message.name, **error.message.facts) from error
    return lambda: _run_notebook(program, path, cells, compiled)


def _run_notebook(program: Program, path: str, cells: Any, compiled: Compile) -> None:
    """Run the cells as a kernel would: in the notebook's folder, and without a `__file__`."""
    from wellshaped.execute.notebook_cells import remember, run_cells

    folder = os.path.dirname(os.path.realpath(path))
    _settle([program.name, *program.arguments], folder)
    os.chdir(folder)
    main = _new_main()
    remember(cells)
    _make_room(calls_in_c=1)
    try:
        run_cells(cells, vars(main), call=_at_the_bottom, compiled=compiled)
    finally:
        _flush()


def _run_module(program: Program, argv0: str, folder: str) -> None:
    _settle([argv0, *program.arguments], folder, always=not program.is_module)
    _new_main()
    _make_room()
    name = program.name if program.is_module else "__main__"
    _at_the_bottom(_RUN_MODULE, name, program.is_module)


def _run_script(program: Program, path: str, source: bytes, compiled: Compile) -> None:
    _settle([program.name, *program.arguments], os.path.dirname(os.path.realpath(path)))
    main = _new_main()
    main.__file__ = path
    vars(main)["__cached__"] = None
    if path.endswith(".pyc"):
        main.__loader__ = loader = machinery.SourcelessFileLoader("__main__", path)
        code = loader.get_code("__main__")
    else:
        main.__loader__ = machinery.SourceFileLoader("__main__", path)
        code = compiled(source, path)
    _make_room(calls_in_c=1)
    try:
        _at_the_bottom(exec, code, vars(main))
    finally:
        _flush()  # python writes a script's output before its traceback, a module's after


def _settle(argv: list[str], folder: str, *, always: bool = False) -> None:
    """Put the arguments and the program's folder where python puts them."""
    sys.argv = argv
    if not sys.flags.safe_path:
        sys.path[0] = folder  # until now the entry of our own command
    elif always:
        sys.path.insert(0, folder)
    else:
        return
    _forget_shadowed(folder)


def _forget_shadowed(folder: str) -> None:
    """Drop the standard modules we loaded that the program's folder replaces by its own."""
    known = sys.stdlib_module_names.intersection(sys.modules) - {"encodings"}
    if os.path.isdir(folder) and os.access(
        folder, os.R_OK
    ):  # else a zip file; to look for each would take longer than to list
        known &= {each.partition(".")[0] for each in os.listdir(folder)}
    for name in known:
        if machinery.BuiltinImporter.find_spec(name) is not None:
            continue
        if machinery.FrozenImporter.find_spec(name) is not None:
            continue
        spec = machinery.PathFinder.find_spec(name, [folder])
        if spec is not None and spec.loader is not None:
            for loaded in [*sys.modules]:
                if loaded.partition(".")[0] == name:
                    del sys.modules[loaded]


def _new_main() -> ModuleType:
    """A `__main__` with what python puts there, in its order."""
    main = ModuleType("__main__")
    main.__loader__ = machinery.BuiltinImporter
    if "__annotations__" in vars(sys.modules["__main__"]):
        main.__annotations__ = {}
    vars(main)["__builtins__"] = sys.modules["builtins"]
    sys.modules["__main__"] = main
    return main


def _forget_file() -> None:
    """Python takes these two from a script that has ended: exit handlers do not see them."""
    main = getattr(sys.modules.get("__main__"), "__dict__", {})
    if main.get("__spec__") is None:
        main.pop("__file__", None)
        main.pop("__cached__", None)


def compile_source(source: bytes | str, path: str, flags: int = 0) -> CodeType:
    """The code of a source text, or the `SyntaxError` that python has for it."""
    if isinstance(source, bytes):
        _refuse_unknown_encoding(source, path)
    code: CodeType = compile(source, path, "exec", flags, dont_inherit=True)
    return code


def _refuse_unknown_encoding(source: bytes, path: str) -> None:
    first, second = (*source.split(b"\n", 2), b"")[:2]
    if not (_COOKIE.match(first) or (_NO_CODE.match(first) and _COOKIE.match(second))):
        try:
            source.decode()
        except UnicodeDecodeError as error:
            raise _not_utf8(source, path, at=error.start) from None


def _not_utf8(source: bytes, path: str, *, at: int) -> SyntaxError:
    """What python says of such a file; `compile` says it otherwise, or not at all (3.11)."""
    line = source.count(b"\n", 0, at) + 1
    return SyntaxError(
        f"Non-UTF-8 code starting with '\\x{source[at]:02x}' in file {path} on line {line}, but no"
        " encoding declared; see https://peps.python.org/pep-0263/ for details"
    )


def _call(function: Callable[..., Any], *args: Any) -> Any:
    return function(*args)


# Plain python has no frame under the program's first one, and shows a warning whose `stacklevel`
# reaches too far at "sys:1". Frames of this function pass for that place.
_beneath = FunctionType(_call.__code__.replace(co_filename="sys", co_firstlineno=0), vars(sys))
_BENEATH = (_beneath,) * 9


def _at_the_bottom(function: Callable[..., Any], *args: Any) -> Any:
    return _beneath(*_BENEATH, function, *args)


def _make_room(*, calls_in_c: int = 0) -> None:
    """Raise the recursion limit by our own frames; the call of `exec` counts as one (3.11)."""
    limit, own_frame = sys.getrecursionlimit(), 1
    expected, left = limit - 1, _at_the_bottom(_headroom)
    sys.setrecursionlimit(limit + expected - left - own_frame + calls_in_c)


def _headroom() -> int:
    try:
        return 1 + _headroom()
    except RecursionError:
        return 0


def _exit_status(request: SystemExit) -> int:
    code = request.code
    if code is None:
        return 0
    if isinstance(code, int):
        return int(code)
    with contextlib.suppress(Exception):
        print(code, file=sys.__stderr__ if sys.stderr is None else sys.stderr)
    return 1


def _print_exception(exception: BaseException) -> int:
    """Let the program's own hook print it, as python does when nobody caught it."""
    status = 130 if type(exception) is KeyboardInterrupt else 1
    traceback = exception.__traceback__
    sys.last_type, sys.last_value, sys.last_traceback = type(exception), exception, traceback
    if sys.version_info >= (3, 12):
        sys.last_exc = exception
    try:
        sys.excepthook(type(exception), exception, traceback)
    except SystemExit as request:
        return _exit_status(request)
    except BaseException as error:  # python, too, prints whatever a hook raises
        failed = error
    else:
        return status
    _hide_our_frames(failed)
    with contextlib.suppress(Exception):
        print("Error in sys.excepthook:", file=sys.stderr)
        sys.__excepthook__(type(failed), failed, failed.__traceback__)
        print("\nOriginal exception was:", file=sys.stderr)
        sys.__excepthook__(type(exception), exception, traceback)
    return status


def _flush() -> None:
    for stream in (sys.stderr, sys.stdout):
        with contextlib.suppress(Exception):
            stream.flush()


def _hide_our_frames(exception: BaseException) -> None:
    """Let its traceback begin where the program does."""
    traceback = exception.__traceback__
    while traceback is not None and _is_ours(traceback.tb_frame):
        traceback = traceback.tb_next
    exception.__traceback__ = traceback


def _is_ours(frame: FrameType) -> bool:
    if frame.f_globals.get("__name__") == "wellshaped.execute.notebook_cells":
        return True
    return frame.f_globals is globals() or frame.f_code is _beneath.__code__
