"""Sizes that meet at a call: those of layers with a state, of equations, of parts to be joined."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from wellshaped.records.observation import Observation, Operand

_JOINS = frozenset(("cat", "concat", "concatenate", "hstack", "vstack"))
# Operations whose whole numbers say which entries are meant: their sizes set no other.
_BY_INDEX = ("index_", "gather", "scatter", "take", "put", "embedding")
# What an observation shows beside the tensors of its call.
_CONTEXT = frozenset(("entry", "built", "loader", "given input"))

_MESSAGES = (
    re.compile(
        r"tensor(?: a)? \((\d+)\) must match the (?:size of tensor b|existing size) \((\d+)\)"
    ),
    re.compile(r"[Ee]xpected (?:.*?size )?(\d+)\b.*? got (?:size )?(\d+)\b"),
    re.compile(r"has size (\d+).*? has size (\d+)\b"),
)


@dataclass(frozen=True, slots=True)
class SizeSpot:
    """A size at a call: that of a dimension of an operand, of an option, or one that is needed.

    `name` is the role of the operand or the name of the option; `dim` is None for an option, and
    for the number of classes that a class number asks for.
    """

    name: str
    dim: int | None
    size: int


@dataclass(frozen=True, slots=True)
class SizeMismatch:
    """Two sizes that met at a call and differ."""

    one: SizeSpot
    other: SizeSpot

    @property
    def sides(self) -> tuple[SizeSpot, SizeSpot]:
        """Both of them."""
        return self.one, self.other


def spots(operand: Operand) -> list[SizeSpot]:
    """The sizes of an operand."""
    return [SizeSpot(operand.role, dim, size) for dim, size in enumerate(operand.shape)]


def of_call(observation: Observation) -> list[Operand]:
    """The tensors that a call was given."""
    return [
        each for each in observation.operands if each.fact is not None and each.role not in _CONTEXT
    ]


def is_index(observation: Observation, operand: Operand) -> bool:
    """Whether an operand says which entries of another are meant."""
    whole = operand.fact is not None and operand.fact.dtype.startswith(("int", "uint"))
    return whole and observation.callee.startswith(_BY_INDEX) and operand.role != "input"


def joined_along(observation: Observation, rank: int) -> int | None:
    """The dimension along which tensors are joined: there their sizes may differ."""
    if observation.callee not in _JOINS:
        return None
    dim = observation.options.get("dim", 0)
    return dim % rank if type(dim) is int and rank and -rank <= dim < rank else None


def of_state(observation: Observation) -> Iterator[SizeMismatch]:
    """The state of a recurrent layer: a row for each layer and direction, and each sample."""
    options = observation.options
    layers, hidden = options.get("num_layers"), options.get("hidden_size")
    given = observation.operand("input")
    if type(layers) is not int or type(hidden) is not int or given is None:
        return
    layers *= 2 if options.get("bidirectional") else 1
    place = 0 if options.get("batch_first") else 1
    if len(given.shape) != 3:
        return
    wanted = (
        SizeSpot("num_layers", None, layers),
        SizeSpot("input", place, given.shape[place]),
        SizeSpot("hidden_size", None, hidden),
    )
    for state in observation.operands:
        if state.role.startswith("hx") and len(state.shape) == 3:
            for needed, got in zip(wanted, spots(state), strict=True):
                if needed.size != got.size:
                    yield SizeMismatch(needed, got)


def of_text(observation: Observation) -> Iterator[SizeMismatch]:
    """The two sizes that a message names, where the tensors of the call do not show them."""
    for pattern in _MESSAGES:
        found = pattern.search(observation.error_text)
        if found:
            one, other = (int(each) for each in found.groups()[:2])
            if one != other:
                yield SizeMismatch(SizeSpot("message", 0, one), SizeSpot("message", 1, other))
            return


def of_equation(observation: Observation) -> Iterator[SizeMismatch]:
    """Sizes of one letter of an equation that differ."""
    texts = [each for each in observation.options.values() if isinstance(each, str)]
    equation = next((each.replace(" ", "") for each in texts if "," in each), "")
    terms = equation.partition("->")[0].split(",")
    operands = of_call(observation)
    if observation.callee != "einsum" or "." in equation or len(terms) != len(operands):
        return
    first: dict[str, SizeSpot] = {}
    for term, operand in zip(terms, operands, strict=True):
        for letter, spot in zip(term, spots(operand), strict=False):
            known = first.setdefault(letter, spot)
            if known.size != spot.size and 1 not in (known.size, spot.size):
                yield SizeMismatch(known, spot)
