"""One file per fault, in the folder of its family: it is found by being here.

A fault that has to be detected in a run is a folder: the rule, and beside it a module `detect`.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from types import ModuleType

from wellshaped.records.finding import Finding, Severity
from wellshaped.records.observation import Observation
from wellshaped.records.repair import Repair

# What detects a fault loads torch, and is loaded where programs are run.
DETECT_MODULE = "detect"


@dataclass(frozen=True, slots=True)
class Rule:
    """A fault: its page, its English, its examples, and how it is recognised and repaired.

    `headlines` and `whys` are sentences by variant, `titles` names of repairs, `phrases` parts
    of sentences; their placeholders are filled with the facts of a finding. `fires` and `quiet`
    are short programs: the last line of each is the call in question.
    """

    code: str
    name: str
    severity: Severity
    priority: int
    page: str
    headlines: Mapping[str, str]
    whys: Mapping[str, str]
    titles: Mapping[str, str]
    phrases: Mapping[str, str]
    fires: tuple[str, ...]
    quiet: tuple[str, ...]
    diagnose: Callable[[Observation], Finding | None]
    repairs: Callable[[Finding], tuple[Repair, ...]]


def read_rule(module: ModuleType) -> Rule:
    """The rule a file declares."""
    return Rule(
        code=module.CODE,
        name=module.NAME,
        severity=module.SEVERITY,
        priority=module.PRIORITY,
        page=inspect.cleandoc(module.__doc__ or ""),
        headlines=module.HEADLINES,
        whys=module.WHYS,
        titles=module.TITLES,
        phrases=getattr(module, "PHRASES", {}),
        fires=module.FIRES,
        quiet=module.QUIET,
        diagnose=module.diagnose,
        repairs=module.repairs,
    )


@cache
def rules() -> tuple[Rule, ...]:
    """Every rule, those that know more first."""
    found = map(read_rule, fault_modules())
    return tuple(sorted(found, key=lambda rule: (rule.priority, rule.code)))


@cache
def fault_modules() -> tuple[ModuleType, ...]:
    """The files and folders that declare a rule, by their names."""
    return tuple(each for each in _modules(__path__, f"{__name__}.") if hasattr(each, "CODE"))


def _modules(path: Iterable[str], prefix: str) -> Iterator[ModuleType]:
    for each in pkgutil.iter_modules(path, prefix):
        if each.name != f"{prefix}{DETECT_MODULE}":
            module = importlib.import_module(each.name)
            yield module
            if each.ispkg:
                yield from _modules(module.__path__, f"{each.name}.")


def rule(code: str) -> Rule | None:
    """The rule with this code, or with this name."""
    return next((each for each in rules() if code in (each.code, each.name)), None)
