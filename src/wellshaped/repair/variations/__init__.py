"""Small changes of the lines a fault comes from, for a program that no rule has a repair for.

Each changes one expression: the dimension a size is read from, a number, a step, an option. None
is more than a candidate: it is tried on the program.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from wellshaped.contracts import losses
from wellshaped.records.observation import Observation
from wellshaped.records.repair import Edit, Repair
from wellshaped.records.shape import TensorFact
from wellshaped.repair.backward_slice import Site, last_name, parsed, sliced
from wellshaped.repair.variations.calls import at_the_call, other_calls, other_names
from wellshaped.repair.variations.collate import collated
from wellshaped.repair.variations.conflict import Conflict, conflict_of
from wellshaped.repair.variations.expressions import other_readings
from wellshaped.repair.variations.given import Signatures, given_at_call, signatures
from wellshaped.repair.variations.masked import masked_rows
from wellshaped.repair.variations.numbers import (
    dividing,
    made_up,
    no_sizes,
    other_numbers,
    scaled,
    tensor_sizes,
)
from wellshaped.repair.variations.precedence import regrouped
from wellshaped.repair.variations.products import without_rows
from wellshaped.repair.variations.put_in import handed_over
from wellshaped.repair.variations.record import ORDER, SmallChange
from wellshaped.repair.variations.scope import fixed_rows, options_left, other_parameters
from wellshaped.repair.variations.slices import other_counts, other_cuts, to_classes
from wellshaped.repair.variations.spans import span_of
from wellshaped.repair.variations.words import Words, other_words, words_by_setting

TITLE = "vary"


def small_changes(observation: Observation, texts: Mapping[str, str]) -> list[Repair]:
    """Changes of what the fault stands on or comes from, the likeliest first."""
    found: dict[tuple[Edit, ...], tuple[tuple[int, int], Repair]] = {}
    sites = slice_of(observation, texts)
    known = _Known.of(sites, texts)
    conflict = conflict_of(observation)
    for site in sites:
        for each in _variations(site, observation, conflict, known):
            changes = ((each.node, each.text), *each.also)
            edits = tuple(
                Edit(site.file, span_of(node, texts[site.file]), text) for node, text in changes
            )
            facts = {"before": ast.unparse(each.node), "after": each.text, "why": each.why}
            rank = ORDER.index(each.why), site.depth
            found.setdefault(edits, (rank, Repair(TITLE, facts, edits=edits)))
    repairs = [repair for _, repair in sorted(found.values(), key=lambda each: each[0])]
    return [*_together(repairs), *repairs]


def _together(repairs: list[Repair]) -> Iterator[Repair]:
    """The same change of several expressions in one file: two bare squeezes are two mistakes."""
    alike: dict[tuple[str, str], list[Repair]] = {}
    for each in repairs:
        before, after = str(each.facts["before"]), str(each.facts["after"])
        if each.facts["why"] == "squeeze":
            step = after[len(before) - len("squeeze()") :] if after[:3] == before[:3] else after
            alike.setdefault((each.edits[0].file, step), []).append(each)
    for group in alike.values():
        edits = tuple(edit for each in group for edit in each.edits)
        if len({(edit.span.line, edit.span.column) for edit in edits}) == len(edits) > 1:
            yield Repair(TITLE, group[0].facts, edits=edits)


def in_turns(repairs: Sequence[Repair]) -> list[Repair]:
    """The likeliest change of each kind, then the next of each: a few show most of it."""
    kinds: dict[object, list[Repair]] = {}
    for each in repairs:
        kinds.setdefault(each.facts["why"], []).append(each)
    places = max(map(len, kinds.values()), default=0)
    return [
        group[place] for place in range(places) for group in kinds.values() if place < len(group)
    ]


def slice_of(observation: Observation, texts: Mapping[str, str]) -> list[Site]:
    """What the lines of a failure depend on, the nearest first."""
    return sliced(_starts(observation), texts)


def _starts(observation: Observation) -> Iterator[tuple[str, int]]:
    """The line that failed, those that called it, and those where its tensors were made."""
    yield observation.passage.place.file, observation.passage.place.line
    for each in observation.callers:
        yield each.place.file, each.place.line
    for operand in observation.operands:
        for origin in operand.origins:
            yield origin.passage.place.file, origin.passage.place.line


@dataclass(frozen=True, slots=True)
class _Known:
    """What is known of a whole program.

    Its numbers, what its calls leave to defaults, the words that its settings may be, its functions
    by file and name.
    """

    numbers: frozenset[int]
    calls: Signatures
    words: Words
    trees: Mapping[str, ast.Module]
    functions: Mapping[tuple[str, str], list[ast.FunctionDef]]

    @classmethod
    def of(cls, sites: list[Site], texts: Mapping[str, str]) -> _Known:
        """Read what the sites show."""
        numbers = {
            node.value
            for site in sites
            for expression in site.expressions
            for node in ast.walk(expression)
            if isinstance(node, ast.Constant) and type(node.value) is int
        }
        trees = {file: tree for file, text in texts.items() if (tree := parsed(file, text))}
        functions: dict[tuple[str, str], list[ast.FunctionDef]] = defaultdict(list)
        for file, tree in trees.items():
            for node in ast.walk(tree):
                if isinstance(node, ast.FunctionDef):
                    functions[file, node.name].append(node)
        every = tuple(trees.values())
        return cls(
            frozenset(numbers),
            signatures(list(every)),
            words_by_setting(every),
            trees,
            functions,
        )


def _variations(
    site: Site, observation: Observation, conflict: Conflict, known: _Known
) -> Iterator[SmallChange]:
    frames = [
        each
        for each in observation.frames
        if (each.place.file, each.place.function) == (site.file, site.function)
    ]
    held = {
        name: fact for each in frames for name, fact in each.names if isinstance(fact, TensorFact)
    }
    for expression in site.expressions:
        skipped, data = no_sizes(expression), made_up(expression)
        for node in ast.walk(expression):
            if isinstance(node, ast.expr):
                yield from _of_tensors(node, observation, conflict, known, held)
                yield from tensor_sizes(node, frames, conflict)
                yield from _of_settings(node, site, conflict, known)
                yield from without_rows(node, observation, known.trees[site.file])
                if observation.kind == "collate":
                    yield from collated(node, known.functions, site.file, known.trees[site.file])
                if node not in skipped:
                    default = isinstance(site.node, ast.expr)
                    yield from dividing(node, observation)
                    yield from other_numbers(
                        node, conflict, known.numbers, is_default=default, is_data=node in data
                    )
                if not site.depth:
                    yield from at_the_call(node, frames, held, observation, conflict)
    yield from other_words(site, known.words, known.trees.get(site.file))
    if _is_setting(site.node) and conflict.pairs and observation.kind != "silent":
        for expression in site.expressions:
            yield from (each for node in _plain(expression) for each in scaled(node, conflict))
    yield from handed_over(site, observation, conflict, frozenset(held))


def _of_tensors(
    node: ast.expr,
    observation: Observation,
    conflict: Conflict,
    known: _Known,
    held: Mapping[str, TensorFact],
) -> Iterator[SmallChange]:
    """Other readings of what a tensor is made by."""
    yield from other_readings(node, conflict, held)
    yield from regrouped(node)
    yield from other_cuts(node, conflict)
    yield from other_counts(node, conflict, held)
    yield from to_classes(node, conflict, _classes(observation))
    yield from other_calls(node, observation, conflict)
    yield from other_names(node, held, observation, conflict)


def _of_settings(
    node: ast.expr, site: Site, conflict: Conflict, known: _Known
) -> Iterator[SmallChange]:
    """Other settings of what a call is given."""
    functions = known.functions.get((site.file, site.function), [])
    yield from masked_rows(node, functions)
    yield from given_at_call(node, known.calls, known.numbers, conflict)
    yield from options_left(node, functions, conflict)
    yield from other_parameters(node, functions, conflict)
    yield from fixed_rows(node, functions, conflict)


def _classes(observation: Observation) -> int | None:
    """The classes of a loss that takes class numbers."""
    given = observation.operand("input")
    if observation.callee not in losses(target="classes") or given is None:
        return None
    return given.shape[1] if len(given.shape) > 1 else None


def _is_setting(node: ast.stmt | ast.expr) -> bool:
    """Whether a statement sets a number by itself: a default, a constant, an option, a field."""
    match node:
        case ast.Assign(value=ast.Constant()) | ast.AnnAssign(value=ast.Constant()):
            return True
        case ast.Expr(value=ast.Call(func=func)):
            return last_name(func) in ("add_argument", "option")
    return isinstance(node, ast.expr)


def _plain(expression: ast.expr) -> Iterator[ast.expr]:
    """A number itself, or the one that an option has by default."""
    if isinstance(expression, ast.Call):
        yield from (each.value for each in expression.keywords if each.arg == "default")
    else:
        yield expression
