"""One change of one tensor on its way to the shape a loss asks for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal["drop", "add", "move", "flatten", "cast", "index"]


@dataclass(frozen=True, slots=True)
class AlignmentStep:
    """A named change of an argument; printed as the code that makes it."""

    argument: str
    kind: Kind
    axis: int = 0
    to: int = 0
    dtype: str = ""

    def __str__(self) -> str:
        return f"{self.argument}{self.code}"

    @property
    def code(self) -> str:
        """The method call that makes the change."""
        return {
            "drop": f".squeeze({self.axis})",
            "add": f".unsqueeze({self.axis})",
            "move": f".movedim({self.axis}, {self.to})",
            "flatten": f".flatten({self.axis}, {self.to})",
            "cast": f".to(torch.{self.dtype})",
            "index": f".argmax({self.axis})",
        }[self.kind]
