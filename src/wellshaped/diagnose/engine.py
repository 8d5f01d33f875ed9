"""Asks the rules in order, and knows their pages."""

from __future__ import annotations

from wellshaped.diagnose.faults import rule, rules
from wellshaped.diagnose.own_codes import PAGES
from wellshaped.records.finding import Finding
from wellshaped.records.observation import Observation


def finding_of(observation: Observation) -> Finding | None:
    """The finding of the first rule that recognises the observation."""
    return next((found for each in rules() if (found := each.diagnose(observation))), None)


def page(code: str) -> str:
    """The page of a rule; raises KeyError where there is none."""
    found = rule(code.upper()) or rule(code)
    if found is None:
        name, text = PAGES[code.upper()]
        return f"{code.upper()}  {name}  (note)\n\n{text}\n"
    return f"{found.code}  {found.name}  ({found.severity})\n\n{found.page}\n"


def index() -> list[tuple[str, str, str]]:
    """Code, name and first sentence of every rule."""
    ordered = sorted(rules(), key=lambda each: each.code)
    faults = [(each.code, each.name, each.page.splitlines()[0]) for each in ordered]
    own = [(code, name, text.splitlines()[0]) for code, (name, text) in PAGES.items()]
    return faults + own
