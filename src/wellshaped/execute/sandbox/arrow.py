"""The local file system of pyarrow over the overlay: datasets reach files by it, all of it in C.

pyarrow lets a file system be written in Python. One that calls Python's file functions, which
are the overlay's by then, takes the place of the native one; the files it opens are native.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
from collections.abc import Callable
from types import ModuleType
from typing import Any

from wellshaped.execute.sandbox.files import Files
from wellshaped.execute.sandbox.notes import aside

MODULE = "pyarrow.fs"


def arrow_stand_ins(module: ModuleType, files: Files) -> dict[str, Any]:
    """What takes the place of two classes of `pyarrow.fs`, by their names."""
    local = _local(module, files)
    return {"LocalFileSystem": local, "FileSystem": _any(module.FileSystem, local)}


def _local(module: Any, files: Files) -> type[Any]:
    native, handler = module.LocalFileSystem, _handler(module, files)

    class Kind(type(native)):  # type: ignore[misc]
        def __instancecheck__(cls, instance: object) -> bool:
            return isinstance(instance, native) or type.__instancecheck__(cls, instance)

    class LocalFileSystem(module.PyFileSystem, metaclass=Kind):  # type: ignore[misc]
        type_name = "local"  # the native one's; made in Python it would be `py::local`

        def __init__(self, *, use_mmap: bool = False) -> None:
            super().__init__(handler(use_mmap))

        @staticmethod
        def from_uri(uri: Any) -> tuple[Any, str]:
            system, path = module_from_uri(uri)
            return (LocalFileSystem() if type(system) is native else system), path

    module_from_uri = module.FileSystem.from_uri
    return LocalFileSystem


def _any(native: Any, local: Any) -> type[Any]:
    """`FileSystem` itself: it makes local ones from URIs, and absolute paths are such."""

    class Kind(type(native)):  # type: ignore[misc]
        def __instancecheck__(cls, instance: object) -> bool:
            return isinstance(instance, native)

    return Kind("FileSystem", (native,), {"from_uri": staticmethod(local.from_uri)})


def _handler(module: Any, files: Files) -> Callable[[bool], Any]:
    """The class of handlers: pyarrow is the program's, and none of ours to import."""

    class Handler(_Folders, module.FileSystemHandler):  # type: ignore[misc]
        def __init__(self, use_mmap: bool) -> None:
            self._arrow = __import__("pyarrow")
            self._use_mmap = use_mmap

        def __eq__(self, other: object) -> bool:
            return type(other) is type(self)

        def __hash__(self) -> int:
            return hash(type(self))

        def get_file_info(self, paths: list[str]) -> list[Any]:
            return [self._info(path) for path in paths]

        def get_file_info_selector(self, selector: Any) -> list[Any]:
            if selector.allow_not_found and not os.path.isdir(selector.base_dir):
                return []
            return [self._info(each) for each in _below(selector.base_dir, selector.recursive)]

        def open_input_file(self, path: str) -> Any:
            with aside:
                opening = self._arrow.memory_map if self._use_mmap else self._arrow.OSFile
                return opening(files.reading(path), "r")

        open_input_stream = open_input_file

        def open_output_stream(self, path: str, metadata: Any) -> Any:
            with aside:
                return self._arrow.OSFile(files.writing("open_output_stream", path), "w")

        def open_append_stream(self, path: str, metadata: Any) -> Any:
            with aside:
                real = files.writing("open_append_stream", path, keep=True)
                return self._arrow.OSFile(real, "a")

        def _info(self, path: str) -> Any:
            try:
                facts = os.stat(path)
            except (FileNotFoundError, NotADirectoryError):
                return module.FileInfo(path, module.FileType.NotFound)
            kinds = {stat.S_IFREG: module.FileType.File, stat.S_IFDIR: module.FileType.Directory}
            kind = kinds.get(stat.S_IFMT(facts.st_mode), module.FileType.Unknown)
            size = facts.st_size if kind == module.FileType.File else None
            return module.FileInfo(path, kind, size=size, mtime_ns=facts.st_mtime_ns)

    return Handler


class _Folders:
    """What a handler does to names, by the functions of Python."""

    def get_type_name(self) -> str:
        """As the native one calls itself."""
        return "local"

    def normalize_path(self, path: str) -> str:
        """POSIX paths are as they should be."""
        return path

    def create_dir(self, path: str, recursive: bool) -> None:
        """Make a folder, if it is not there."""
        if recursive:
            os.makedirs(path, exist_ok=True)
        elif not os.path.isdir(path):
            os.mkdir(path)

    def delete_dir(self, path: str) -> None:
        """Remove a folder with what is in it."""
        shutil.rmtree(path)

    def delete_dir_contents(self, path: str, missing_dir_ok: bool = False) -> None:
        """Empty a folder."""
        with contextlib.suppress(FileNotFoundError) if missing_dir_ok else contextlib.nullcontext():
            for name in os.listdir(path):
                each = os.path.join(path, name)
                is_folder = os.path.isdir(each) and not os.path.islink(each)
                (shutil.rmtree if is_folder else os.remove)(each)

    def delete_root_dir_contents(self) -> None:
        """The native one refuses it, too."""
        raise OSError("the root of the file system is not to be emptied")

    def delete_file(self, path: str) -> None:
        """Remove a file."""
        os.remove(path)

    def move(self, src: str, dest: str) -> None:
        """Rename a file or a folder, in place of what has the new name."""
        os.replace(src, dest)

    def copy_file(self, src: str, dest: str) -> None:
        """Copy the contents of a file."""
        shutil.copyfile(src, dest)


def _below(folder: str, recursive: bool) -> list[str]:
    """What a folder lists, and what is listed below it; links are not entered."""
    found = []
    for entry in os.scandir(folder):
        found.append(os.path.join(folder, entry.name))
        if recursive and entry.is_dir(follow_symlinks=False):
            found += _below(found[-1], recursive)
    return found
