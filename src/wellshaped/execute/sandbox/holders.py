"""Finds what holds a callable: searches all objects, or only those its parent had not searched.

A search goes through the whole heap and compares every reference with everything that it is for:
a tenth of a second where torch is loaded, in each of many runs. A process that is ours alone
searches once, before it forks, and freezes what it searched (`search_ahead`); its children search
what came later. Whatever they look for that was not looked for before, they look for everywhere.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class _Searched:
    """What was looked for, with how many modules loaded, and what holds it, or holds a holder."""

    originals: tuple[Any, ...]
    modules: int
    direct: tuple[Any, ...]
    behind: tuple[Any, ...]

    def covers(self, originals: Sequence[Any]) -> bool:
        """Whether these were looked for, or what they replaced: its holders hold them now."""
        asked = {id(each) for each in self.originals}
        return all(id(getattr(each, "replaces", each)) in asked for each in originals)


_searched: _Searched | None = None
_is_ours = False


def allow_search_ahead() -> None:
    """Say that this process is ours: to freeze the heap of another would keep its garbage."""
    global _is_ours
    _is_ours = True


def search_ahead(originals: Callable[[], Sequence[Any]]) -> None:
    """Search now for what children will ask for, if this process is ours and has loaded more."""
    global _searched
    if not _is_ours or (_searched is not None and _searched.modules == len(sys.modules)):
        return
    _searched = None
    gc.unfreeze()
    asked = tuple(originals())
    direct, behind = _search(asked, ())
    _searched = _Searched(asked, len(sys.modules), tuple(direct), tuple(behind))
    gc.freeze()


def holders_of(originals: Sequence[Any], ours: set[int]) -> tuple[list[Any], list[Any]]:
    """What holds one of these, and what holds a `staticmethod` or a tuple that does.

    What is `ours` is left out, by its id.
    """
    known = _searched
    if known is None or not known.covers(originals):
        gc.unfreeze()  # what a parent froze before it forked would not be searched
        return _search(originals, ours)
    direct = [each for each in known.direct if id(each) not in ours]
    new, behind = _search(originals, ours, direct)
    return [*direct, *new], [*known.behind, *behind]


def _search(
    originals: Sequence[Any], ours: set[int] | tuple[()], known: Sequence[Any] = ()
) -> tuple[list[Any], list[Any]]:
    found = [each for each in gc.get_referrers(*originals) if id(each) not in ours]
    # Both are looked for at once, and few, as each is compared with every reference there is.
    held = [each for each in (*known, *found) if type(each) in (staticmethod, tuple)]
    return found, gc.get_referrers(*held) if held else []
