"""The shapes of a training step: of the expressions of the program, and of its layers."""

from __future__ import annotations

from dataclasses import dataclass

from wellshaped.records.shape import TensorFact
from wellshaped.records.source import Passage, Place

# What one evaluation of an expression gave: one tensor, or several.
Tensors = tuple[TensorFact, ...]


@dataclass(frozen=True, slots=True)
class ExpressionShapes:
    """An expression of the program, and the different shapes that it had, in their order.

    `name` is how the expression is shown: the variable that it is assigned to, or its own text;
    `assigned` is whether it is such a variable.
    """

    passage: Passage
    name: str
    seen: tuple[Tensors, ...]
    assigned: bool = False


@dataclass(frozen=True, slots=True)
class LayerShapes:
    """A layer at its first call: its path in the model, what it got and gave, its parameters."""

    path: str
    kind: str
    inputs: Tensors
    outputs: Tensors
    parameters: int

    @property
    def depth(self) -> int:
        """How many layers it is inside of; 0 for the model itself."""
        return len(self.path.split(".")) if self.path else 0


@dataclass(frozen=True, slots=True)
class ModelShapes:
    """A model that the program called: where, and its layers in the order of their definition."""

    place: Place
    layers: tuple[LayerShapes, ...]


@dataclass(frozen=True, slots=True)
class StepShapes:
    """All that a run showed of its shapes, in the order in which it was computed first."""

    expressions: tuple[ExpressionShapes, ...] = ()
    models: tuple[ModelShapes, ...] = ()


@dataclass(frozen=True, slots=True)
class ShapesReport:
    """The shapes of a program, and the exception that ended its run, if one did, with its line."""

    program: str
    shapes: StepShapes
    batch_sizes: tuple[int, ...] = ()
    error: str = ""
    place: Place | None = None
    complete: bool = True
