"""The detectors of all faults: each is declared by the `detect` module of a fault, and found there.

`RECORD` and `DETECT` name functions by the operation they are asked at: trackers, which only record
something for later, and detectors. `FOLLOW` are contexts over a run, `BLAME` are asked after an
exception. `LAST` is for one that has to conclude after all others.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable, Mapping
from functools import cache
from types import ModuleType

from wellshaped.diagnose.faults import DETECT_MODULE, fault_modules
from wellshaped.observe.trace.detect import Detectors
from wellshaped.observe.trace.lineage import Detector

_DECLARED = ("RECORD", "DETECT", "FOLLOW", "BLAME")


@cache
def detectors() -> Detectors:
    """What every fault declares, in the order of the codes; what only records comes first."""
    modules = _detect_modules()
    record, detect, follow, blame = (
        [getattr(each, name) for each in modules if hasattr(each, name)] for name in _DECLARED
    )
    return Detectors(
        by_operation=_by_operation([*record, *detect]),
        # The first is left last: faults conclude in the order of their codes.
        follow=tuple(each for declared in reversed(follow) for each in declared),
        blame=tuple(each for declared in blame for each in declared),
    )


def _detect_modules() -> list[ModuleType]:
    found = [
        (fault.CODE, importlib.import_module(f"{fault.__name__}.{DETECT_MODULE}"))
        for fault in fault_modules()
        if _has_detect(fault)
    ]
    found.sort(key=lambda each: (getattr(each[1], "LAST", False), each[0]))
    for _, module in found:
        assert any(hasattr(module, name) for name in _DECLARED), (
            f"{module.__name__} detects nothing"
        )
    return [module for _, module in found]


def _has_detect(fault: ModuleType) -> bool:
    inside = pkgutil.iter_modules(getattr(fault, "__path__", []))
    return any(each.name == DETECT_MODULE for each in inside)


def _by_operation(
    declared: Iterable[Mapping[str, Detector | tuple[Detector, ...]]],
) -> Mapping[str, tuple[Detector, ...]]:
    """The detectors of each operation."""
    found: dict[str, tuple[Detector, ...]] = {}
    for each in declared:
        for name, detector in each.items():
            more = detector if isinstance(detector, tuple) else (detector,)
            found[name] = (*found.get(name, ()), *more)
    return found
