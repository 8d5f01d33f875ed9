"""One row of a table: a loss, what its documentation asks for, and what torch really does."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

TargetKind = Literal["classes", "class lists", "numbers", "probabilities", "signs", "none"]
Pairing = Literal["elements", "positions", "rows", "sequences"]
InputKind = Literal[
    "scores", "probabilities", "log probabilities", "numbers", "features", "embeddings"
]
Activation = Literal["log_softmax", "sigmoid"]
UnequalShapes = Literal["refused", "warned", "silent"]


@dataclass(frozen=True, slots=True)
class Contract:
    """What a loss asks of its tensors.

    `needs` holds the documented arrangements of axes, in the notation; a call torch accepts
    outside of them is a hazard. `steps` is the computation torch performs, in the language of
    `formula.py`: it decides what is accepted, and the shape and dtype of the result.

    The fields in front of them are what other modules ask about losses (`questions.py`):

    - `target`: what the target holds. `classes` is one class number each, `class lists` several
      in a row, `signs` 1 or -1; `none` has no target.
    - `pairs`: what one number of the target belongs to: an element of the input, a position
      (all classes of it), a row, or a sequence.
    - `takes`: what the input has to be. `features` and `embeddings` have no axis of classes.
    - `applies`: the activation that the loss applies to its input as it comes.
    - `zero_when_equal`: whether the loss is 0 where input and target are the same tensor.
    - `unequal`: what torch does with a pair of unequal shapes, a column `(B, 1)` and a vector.
    """

    name: str
    module: str
    tensors: tuple[str, ...]
    predicts: tuple[str, ...]
    target: TargetKind
    pairs: Pairing
    takes: InputKind
    needs: tuple[str, ...]
    steps: str
    applies: Activation | None = None
    zero_when_equal: bool = False
    unequal: UnequalShapes = "refused"
    dtypes: str = "floating point"
    modules: tuple[str, ...] = field(default=())
