"""The answer of a contract about one call of a loss."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from wellshaped.records.phrase import Phrase

Outcome = Literal["accept", "hazard", "reject"]
Backward = Literal["ok", "raises"]
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


@dataclass(frozen=True, slots=True)
class Blame:
    """The argument that does not fit, and which of its axes; `axis` is None for the whole.

    `reason` is English, for exceptions. Where shapes alone decide, `cause` says the same as facts.
    """

    argument: str
    axis: int | None
    reason: str
    cause: Phrase | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Needs:
    """The contract of a loss as it is printed: one line per accepted arrangement of axes."""

    arrangements: tuple[str, ...]
    dtypes: str

    def __str__(self) -> str:
        return "\n".join((*self.arrangements, self.dtypes) if self.dtypes else self.arrangements)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What torch does with a call, and whether that is what its documentation describes.

    `accept`: torch runs it, as documented. `hazard`: torch runs it, but pairs or reduces
    elements in a way that is not documented. `reject`: torch raises.
    """

    loss: str
    outcome: Outcome
    output_shape: tuple[int, ...] | None
    output_dtype: str | None
    backward: Backward
    needs: Needs
    blame: Blame | None

    @property
    def accepted(self) -> bool:
        """Whether torch runs the call."""
        return self.outcome != "reject"
