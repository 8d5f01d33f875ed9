"""Libraries that open files by name in C, and which argument holds the name.

Python's file functions never see these calls: the name itself is replaced by that of the real
file. What is not in the table reads the user's files as ever, and is denied writing by the
kernel where Linux offers it (`sandbox_kernel`).
"""

from __future__ import annotations

import functools
import inspect
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any
from urllib.parse import quote, unquote

from wellshaped.execute.sandbox import arrow as sandbox_arrow
from wellshaped.execute.sandbox.files import Files
from wellshaped.execute.sandbox.notes import aside

Arguments = dict[str, Any]
Route = Callable[[Files, "Door", Any, Arguments], str]


@dataclass(frozen=True, slots=True)
class Door:
    """A callable that opens a file by name: where it lives, its first parameters, its route."""

    module: str
    name: str
    parameters: tuple[str, ...]
    path: str
    route: Route


def _reads(files: Files, door: Door, path: Any, arguments: Arguments) -> str:
    return files.reading(path)


def _writes(files: Files, door: Door, path: Any, arguments: Arguments) -> str:
    return files.writing(door.name, path)


def _writes_into(files: Files, door: Door, path: Any, arguments: Arguments) -> str:
    """A folder: what is written into it is new, or in place of what is there."""
    return files.writing(door.name, path, keep=True)


def _shares(files: Files, door: Door, path: Any, arguments: Arguments) -> str:
    """A memory map: what is written to a shared one reaches the file."""
    if not arguments.get("shared"):
        return files.reading(path)
    return files.writing(door.name, path, keep=True)


def _by_mode(files: Files, door: Door, path: Any, arguments: Arguments) -> str:
    mode = arguments.get("mode") or "r"
    if mode in ("r", "rb"):
        return files.reading(path)
    return files.writing(door.name, path, keep=not mode.startswith("w"))


def _database(files: Files, door: Door, path: Any, arguments: Arguments) -> str:
    """SQLite writes to what it opens, and keeps recent changes in files next to it."""
    name, is_uri = os.fsdecode(path), bool(arguments.get("uri"))
    plain, _, query = name.removeprefix("file:").partition("?") if is_uri else (name, "", "")
    if ":memory:" in name or "mode=memory" in query or not plain:
        return name
    plain = unquote(plain) if is_uri else plain
    for suffix in ("-wal", "-journal"):
        if os.path.exists(files.reading(plain + suffix)):
            files.writing(door.name, plain + suffix, keep=True)
    real = files.writing(door.name, plain, keep=True)
    return f"file:{quote(real)}?{query}" if is_uri else real


_SQLITE = ("database", "timeout", "detect_types", "isolation_level", "check_same_thread")
DOORS = (
    Door("torch._C", "PyTorchFileReader", ("name",), "name", _reads),
    Door("torch._C", "PyTorchFileWriter", ("name",), "name", _writes),
    Door("torch._C", "import_ir_module", ("cu", "filename"), "filename", _reads),
    Door("torch", "from_file", ("filename", "shared"), "filename", _shares),
    Door("torch", "UntypedStorage.from_file", ("filename", "shared"), "filename", _shares),
    Door("torch.jit._script", "RecursiveScriptModule.save", ("self", "f"), "f", _writes),
    Door(
        "torch.autograd.profiler", "profile.export_chrome_trace", ("self", "path"), "path", _writes
    ),
    Door("safetensors._safetensors_rust", "safe_open", ("filename",), "filename", _reads),
    Door(
        "safetensors._safetensors_rust",
        "serialize_file",
        ("tensor_dict", "filename"),
        "filename",
        _writes,
    ),
    Door("tokenizers.tokenizers", "Tokenizer.from_file", ("path",), "path", _reads),
    Door("tokenizers.tokenizers", "Tokenizer.save", ("self", "path"), "path", _writes),
    Door("tokenizers.tokenizers", "Tokenizer.train", ("self", "files"), "files", _reads),
    Door("tokenizers.models", "Model.save", ("self", "folder"), "folder", _writes_into),
    Door(
        "_sqlite3",
        "connect",
        (*_SQLITE, "factory", "cached_statements", "uri"),
        "database",
        _database,
    ),
    Door("h5py._hl.files", "File.__init__", ("self", "name", "mode"), "name", _by_mode),
    Door("pyarrow.lib", "OSFile", ("path", "mode"), "path", _by_mode),
    Door("pyarrow.lib", "memory_map", ("path", "mode"), "path", _by_mode),
    Door("pyarrow.lib", "create_memory_map", ("path",), "path", _writes),
    Door("pyarrow.lib", "input_stream", ("source",), "source", _reads),
    Door("pyarrow.lib", "output_stream", ("source",), "source", _writes),
    Door("pyarrow._csv", "read_csv", ("input_file",), "input_file", _reads),
    Door("pyarrow._csv", "open_csv", ("input_file",), "input_file", _reads),
    Door("pyarrow._csv", "write_csv", ("data", "output_file"), "output_file", _writes),
    Door("pyarrow._csv", "CSVWriter", ("sink",), "sink", _writes),
    Door("pyarrow._json", "read_json", ("input_file",), "input_file", _reads),
    Door("pyarrow._json", "open_json", ("input_file",), "input_file", _reads),
    Door("pyarrow._feather", "FeatherReader", ("source",), "source", _reads),
    Door("pyarrow._feather", "write_feather", ("table", "dest"), "dest", _writes),
    Door("pyarrow.ipc", "RecordBatchFileReader.__init__", ("self", "source"), "source", _reads),
    Door("pyarrow.ipc", "RecordBatchFileWriter.__init__", ("self", "sink"), "sink", _writes),
    Door("pyarrow.ipc", "RecordBatchStreamReader.__init__", ("self", "source"), "source", _reads),
    Door("pyarrow.ipc", "RecordBatchStreamWriter.__init__", ("self", "sink"), "sink", _writes),
    Door("pyarrow.orc", "ORCFile.__init__", ("self", "source"), "source", _reads),
    Door("pyarrow.orc", "ORCWriter.__init__", ("self", "where"), "where", _writes),
    Door("pyarrow.parquet.core", "ParquetFile.__init__", ("self", "source"), "source", _reads),
    Door("soundfile", "SoundFile.__init__", ("self", "file", "mode"), "file", _by_mode),
    Door("torchvision.io.image", "read_file", ("path",), "path", _reads),
    Door("torchvision.io.image", "write_file", ("filename",), "filename", _writes),
    Door("torchvision.io.image", "write_png", ("input", "filename"), "filename", _writes),
    Door("torchvision.io.image", "write_jpeg", ("input", "filename"), "filename", _writes),
    Door("readline", "read_history_file", ("filename",), "filename", _reads),
    Door("readline", "write_history_file", ("filename",), "filename", _writes),
    Door("cv2", "imread", ("filename",), "filename", _reads),
    Door("cv2", "imwrite", ("filename",), "filename", _writes),
    Door("cv2", "VideoCapture", ("filename",), "filename", _reads),
    Door("cv2", "VideoWriter", ("filename",), "filename", _writes),
)


def loaded_doors() -> list[Any]:
    """What is replaced in modules that are loaded, and may be held elsewhere."""
    pairs = [(sys.modules.get(each.module), each.name) for each in DOORS if "." not in each.name]
    return [getattr(module, name) for module, name in pairs if hasattr(module, name)]


class Doors(MetaPathFinder):
    """Reroutes the doors of modules that are loaded, and of others as they are imported."""

    def __init__(self, files: Files) -> None:
        self._files = files
        self._names = {sandbox_arrow.MODULE, *(door.module for door in DOORS)}

    def replacements(self) -> list[tuple[Any, Any]]:
        """The doors that other modules may hold already; what is imported later is watched for."""
        sys.meta_path.insert(0, self)
        loaded = [sys.modules[name] for name in self._names & sys.modules.keys()]
        return [pair for module in loaded for pair in self._arrive(module)]

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The spec that the other finders give, with our step after the module has been run."""
        if name not in self._names:
            return None
        others = [finder for finder in sys.meta_path if finder is not self]
        found = (finder.find_spec(name, path, target) for finder in others)
        spec = next(filter(None, found), None)
        if spec is not None and spec.loader is not None:
            run = spec.loader.exec_module

            def run_and_reroute(module: ModuleType) -> None:
                run(module)
                self._arrive(module)

            vars(spec.loader)["exec_module"] = run_and_reroute
        return spec

    def _arrive(self, module: ModuleType) -> list[tuple[Any, Any]]:
        """Reroute the doors of a module; those that hang on a class are held by nobody else."""
        pairs = []
        if module.__name__ == sandbox_arrow.MODULE:
            for name, stand_in in sandbox_arrow.arrow_stand_ins(module, self._files).items():
                pairs.append((getattr(module, name), stand_in))
                setattr(module, name, stand_in)
        for door in (door for door in DOORS if door.module == module.__name__):
            *parents, last = door.name.split(".")
            owner: Any = module
            for parent in parents:
                owner = getattr(owner, parent, None)
            original = getattr(owner, last, None)
            if original is None:
                continue  # another version of the library
            replacement = _rerouted(original, door, self._files)
            if inspect.isclass(owner):
                is_bound = inspect.isbuiltin(original)
                setattr(owner, last, staticmethod(replacement) if is_bound else replacement)
            else:
                setattr(owner, last, replacement)
                pairs.append((original, replacement))
        return pairs


def _rerouted(original: Any, door: Door, files: Files) -> Any:
    def reroute(args: tuple[Any, ...], kwargs: Arguments) -> tuple[tuple[Any, ...], Arguments]:
        arguments = dict(zip(door.parameters, args, strict=False)) | kwargs
        path = arguments.get(door.path)
        several = path if isinstance(path, (list, tuple)) else [path]
        if aside.depth or not all(isinstance(each, (str, bytes, os.PathLike)) for each in several):
            return args, kwargs
        with aside:
            found = [door.route(files, door, each, arguments) for each in several]
        real = found if several is path else found[0]
        if door.path in kwargs:
            return args, kwargs | {door.path: real}
        at = door.parameters.index(door.path)
        return (*args[:at], real, *args[at + 1 :]), kwargs

    @functools.wraps(original)
    def replacement(*args: Any, **kwargs: Any) -> Any:
        args, kwargs = reroute(args, kwargs)
        return original(*args, **kwargs)

    del replacement.__wrapped__  # `rebind` would turn it into a reference to itself
    if not inspect.isclass(original):
        return replacement
    try:
        return _subclass(original, reroute)
    except TypeError:  # classes made in Rust are final
        return replacement


def _subclass(original: type[Any], reroute: Callable[..., Any]) -> type[Any]:
    """A class that reroutes its arguments before either `__new__` or `__init__` sees them."""

    class Kind(type(original)):  # type: ignore[misc]
        def __call__(cls, *args: Any, **kwargs: Any) -> Any:
            args, kwargs = reroute(args, kwargs)
            return super().__call__(*args, **kwargs)

        def __instancecheck__(cls, instance: object) -> bool:
            return isinstance(instance, original)  # the library makes some of its own

    return Kind(original.__name__, (original,), {"__module__": original.__module__})
