"""One row of a table: a loss, what its documentation asks for, and what torch really does."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Contract:
    """What a loss asks of its tensors.

    `needs` holds the documented arrangements of axes, in the notation; a call torch accepts
    outside of them is a hazard. `steps` is the computation torch performs, in the language of
    `formula.py`: it decides what is accepted, and the shape and dtype of the result.
    """

    name: str
    module: str
    tensors: tuple[str, ...]
    predicts: tuple[str, ...]
    needs: tuple[str, ...]
    steps: str
    dtypes: str = "floating point"
    modules: tuple[str, ...] = field(default=())
