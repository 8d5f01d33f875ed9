"""What was seen of a running program."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from wellshaped.records.facts import Facts
from wellshaped.records.shape import TensorFact
from wellshaped.records.source import Passage, Place
from wellshaped.records.verdict import Verdict

Kind = Literal["loss", "module", "operation", "iteration", "collate", "backward", "silent"]


@dataclass(frozen=True, slots=True)
class HardcodedRows:
    """A number that a tensor is made with: where its name makes tensors, the own place first.

    `beside` are tensors that have a name there already, each with its number of rows. A tensor
    that is made before a loop is `ahead` of them: then the places are those that use it inside.
    """

    value: int
    places: tuple[Passage, ...]
    beside: tuple[tuple[str, int], ...] = ()
    ahead: bool = False


@dataclass(frozen=True, slots=True)
class Origin:
    """The expression that gave a tensor the axes it has: a step on the way from its origin.

    `operation` is the name of the call (`squeeze`, `view`, `Linear`, `ones`), `arguments` are
    its plain arguments in order, as far as they are known. `settings` are, for a layer, the
    expressions it was built with; `options` then holds their numbers. `fact` is the shape it
    gave, None where that could not be recomputed. `counts` are the numbers it was made with.
    `level` counts steps from the tensor itself: where it does not grow from one birth to the next,
    the next stands on another branch.
    """

    operation: str
    passage: Passage
    arguments: tuple[Any, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    settings: tuple[Operand, ...] = ()
    fact: TensorFact | None = None
    counts: tuple[HardcodedRows, ...] = ()
    level: int = 0


@dataclass(frozen=True, slots=True)
class Operand:
    """One tensor of the failing call.

    `role` is the name of the parameter it is given for; `origins` are the steps that made it,
    the nearest first. `traits` say what is known of its values: `whole`, `one_hot`,
    `unit` (all within [0, 1]), `sums_to_one`, `falling` (no entry above the one before it), or
    `held`, of a buffer or parameter of a model;
    `bounds` are the least and the largest of integers. `given` is what the caller wrote, where
    the expression is a parameter of the function. `at` are its shapes at other batch sizes, as far
    as the steps that made it could be replayed.
    """

    role: str
    fact: TensorFact | None
    passage: Passage | None = None
    origins: tuple[Origin, ...] = ()
    traits: frozenset[str] = frozenset()
    bounds: tuple[int, int] | None = None
    given: Passage | None = None
    at: tuple[tuple[int, tuple[int, ...]], ...] = ()

    @property
    def text(self) -> str:
        """The expression as the user wrote it, or its role where that is unknown."""
        return (self.passage.text if self.passage else "") or self.role

    @property
    def shape(self) -> tuple[int, ...]:
        """Its shape; empty where unknown."""
        return self.fact.shape if self.fact else ()

    def origin_by(self, *operations: str) -> Origin | None:
        """The nearest step with one of these names."""
        return next((birth for birth in self.origins if birth.operation in operations), None)


@dataclass(frozen=True, slots=True)
class FrameNames:
    """A function of the user's that was being called: its line, and what its names held.

    Names are those of tensors and of positive whole numbers, attributes of `self` among them.
    """

    place: Place
    names: tuple[tuple[str, TensorFact | int], ...]


@dataclass(frozen=True, slots=True)
class Observation:
    """One call that failed, or that ran and is a hazard.

    `callee` is torch's name (`cross_entropy`, `Linear`, `matmul`, `view`), `label` the name
    the user knows it by (`CrossEntropyLoss`), `layer` the path of a module inside the one
    that was called. `options` are its arguments that are not tensors. `facts` are what a detector
    found out of it. `stopped` is where the error was raised, if an earlier call is to blame for it.
    `frames` are the user's functions that a failure passed, the innermost first.
    """

    kind: Kind
    callee: str
    label: str
    passage: Passage
    operands: tuple[Operand, ...]
    options: Mapping[str, Any] = field(default_factory=dict)
    layer: str = ""
    callers: tuple[Passage, ...] = ()
    error_type: str = ""
    error_text: str = ""
    count: int = 1
    facts: Facts | None = None
    stopped: Place | None = None
    frames: tuple[FrameNames, ...] = ()

    @property
    def raised(self) -> bool:
        """Whether the program ended here."""
        return bool(self.error_type)

    def operand(self, role: str) -> Operand | None:
        """The operand given for a parameter."""
        return next((each for each in self.operands if each.role == role), None)


@dataclass(frozen=True, slots=True)
class LossCall:
    """A call of a loss that was judged, where it stands, and how often it was seen.

    `rows` are the numbers of rows it was seen with: those of the batches that a loader gave, or the
    smallest leading sizes of its tensors.
    """

    loss: str
    verdict: Verdict
    facts: Mapping[str, Any]
    place: Place
    count: int = 1
    observation: Observation | None = None
    values: tuple[float, float] | None = None
    rows: frozenset[int] = frozenset()
