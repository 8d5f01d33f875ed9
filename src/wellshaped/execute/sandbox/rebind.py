"""Puts a callable of ours wherever the process holds one of Python's or of a library's."""

from __future__ import annotations

import contextlib
import functools
import os
import sys
from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any

from wellshaped.execute.sandbox.holders import holders_of
from wellshaped.execute.sandbox.notes import aside

_SUPPORTS = ("supports_dir_fd", "supports_fd", "supports_follow_symlinks", "supports_effective_ids")
_TAKE_TWO_PATHS = ("rename", "replace", "link", "symlink")


class Replacement:
    """Answers the program's calls of a builtin by `body`, and our own by the builtin, or by `own`.

    An object and not a function: as a class attribute a builtin does not bind `self` either.
    """

    def __init__(
        self,
        original: Callable[..., Any],
        body: Callable[..., Any],
        own: Callable[..., Any] | None = None,
    ) -> None:
        functools.update_wrapper(self, original)
        del vars(self)["__wrapped__"]  # `rebind` would turn it into a reference to itself
        self._original, self._body = (own or original,), body

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if aside.depth:
            return self._original[0](*args, **kwargs)
        with aside:
            try:
                return self._body(*args, **kwargs)
            except OSError as error:
                takes_two = self.__name__ in _TAKE_TWO_PATHS  # type: ignore[attr-defined]
                _show_given_paths(error, args, kwargs, takes_two=takes_two)
                raise

    def __reduce__(self) -> str:
        return str(self.__name__)  # type: ignore[attr-defined]  # copied and pickled by name


def _show_given_paths(
    error: OSError, args: tuple[Any, ...], kwargs: dict[str, Any], *, takes_two: bool
) -> None:
    """Name the paths as the program did, not where we looked for them."""
    if error.filename is not None:
        given = [*args, *(kwargs[name] for name in ("path", "src", "dst") if name in kwargs)]
        error.filename = given[0] if given else None
        if takes_two:
            error.filename2 = given[1]


def rebind(pairs: list[tuple[Any, Any]]) -> None:
    """Let every module, class, object and default argument that holds the first hold the second.

    Modules bind early: `tarfile.bltn_open`, `tempfile`'s `close(unlink=os.unlink)`, the dict of
    openers in numpy 2.4's `_datasource`, and `scandir = staticmethod(os.scandir)` in the class by
    which `Path.rglob` walks since Python 3.13.
    """
    new = {id(original): (original, replacement) for original, replacement in pairs}
    ours = {id(each) for each in (pairs, *pairs, *new.values())}
    ours |= {id(each._original) for _, each in pairs if isinstance(each, Replacement)}
    direct, behind = holders_of([original for original, _ in pairs], ours)
    # What a `staticmethod` holds cannot be changed: the class gets another one. Nor can a tuple:
    # the function gets other defaults.
    for each in direct:
        if type(each) is staticmethod and id(each.__func__) in new:
            new[id(each)] = (each, staticmethod(new[id(each.__func__)][1]))
    holders = [*direct, *behind]
    for names in (names for holder in holders for names in _dicts(holder)):
        for name, value in [*names.items()]:
            if id(value) in new:
                names[name] = new[id(value)][1]
    for owner in holders:
        if isinstance(owner, FunctionType) and owner.__defaults__:
            owner.__defaults__ = tuple(new.get(id(v), (v, v))[1] for v in owner.__defaults__)
    for original, replacement in pairs:
        for known in (getattr(os, name) for name in _SUPPORTS):
            if original in known:
                known.add(replacement)
    if hasattr(sys, "_clear_type_cache"):  # classes were changed behind its back
        sys._clear_type_cache()


def _dicts(holder: Any) -> Iterator[dict[Any, Any]]:
    if isinstance(holder, Replacement):
        return
    with contextlib.suppress(Exception):
        names = holder if type(holder) is dict else object.__getattribute__(holder, "__dict__")
        if type(names) is dict:
            yield names
