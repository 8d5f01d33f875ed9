"""The training algorithms, one file each, found by being there.

A file holds the settings of its algorithm, from which the options of its command derive, its loss
and, for a policy method, its advantages. A supervised algorithm is trained by
`wellshaped.train.supervised`, a policy method by `wellshaped.train.rollout`. Importing a file
loads no torch: commands read the settings.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from typing import TypeVar

from wellshaped.records.phrase import UserError
from wellshaped.train.rollout_algorithm import RolloutAlgorithm
from wellshaped.train.supervised_algorithm import SupervisedAlgorithm

A = TypeVar("A", SupervisedAlgorithm, RolloutAlgorithm)


@cache
def algorithms(kind: type[A]) -> dict[str, type[A]]:
    """The algorithms of a kind by their names, which are those of their files."""
    found: dict[str, type[A]] = {}
    for module in pkgutil.iter_modules(__path__, f"{__name__}."):
        file = importlib.import_module(module.name)
        for each in vars(file).values():
            is_one = isinstance(each, type) and issubclass(each, kind)
            if is_one and each.__module__ == file.__name__:
                found[each.name] = each
    return found


def algorithm(kind: type[A], name: str) -> type[A]:
    """The algorithm of this name."""
    known = algorithms(kind)
    if name not in known:
        facts = {"name": "method", "known": ", ".join(known), "got": name}
        raise UserError("WS988", "setting_choice", **facts)
    return known[name]
