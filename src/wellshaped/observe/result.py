"""What a run of a program differs by, and what came of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, field
from typing import Literal

from wellshaped.execute.instrument import Statement
from wellshaped.execute.sandbox.enter import Note
from wellshaped.execute.weights.fake.fake_weights import StandIn
from wellshaped.observe.trace.gradients import Reach
from wellshaped.records.broadcast import Broadcast
from wellshaped.records.failure import Raised
from wellshaped.records.observation import LossCall, Observation
from wellshaped.records.shapes import StepShapes
from wellshaped.records.source import Place

How = Literal["ended", "raised", "late", "died", "large"]
# By file, the statements that ran, each with the rows of the batches it ran with; None is no batch.
Reached = Mapping[str, tuple[tuple[Statement, frozenset[int | None]], ...]]
Weights = Literal["auto", "real", "fake"]


@dataclass(frozen=True, slots=True)
class Setting:
    """What a run differs by: a batch size for the loaders, short loaders, other source text.

    With fake weights the data is real and everything behind a weight is shape and dtype; with
    `auto` they are real, and the run ends as `large` where the model does not fit. Loops that
    show nothing new are ended early once `patience` CPU seconds are over. A traced run follows
    every tensor to where it comes from, and is slower for it; it lists `broadcasts` if asked to.
    With `shapes` it records the shape of every expression and layer.
    """

    batch: int | None = None
    whole: bool = False
    sources: Mapping[str, str] = field(default_factory=dict)
    weights: Weights = "real"
    patience: float = 0.0
    traced: bool = False
    broadcasts: bool = False
    shapes: bool = False


@dataclass(frozen=True, slots=True, order=True)
class Unreached:
    """Lines that a run never came to."""

    file: str
    line: int
    end_line: int
    function: str


@dataclass(frozen=True, slots=True)
class RunResult:
    """What came of a run.

    `sizes` are the batch sizes its loaders were asked for, `batch_sizes_seen` the numbers of rows
    that came, the last one `current`; without loaders, the first sizes its models were given.
    `axes` are the other sizes that its models and losses met. `whole_batches_only` is whether
    every loader drops its last partial batch. `files` are the texts of the program's own files;
    `shortened` is whether a loop or a loader was ended early, `followed` whether every tensor was.
    `reached` are the statements that ran, `stack` the user's lines that a run stopped in, from the
    outermost on. `batch` is the batch size of a run without loaders, where one is known;
    `passed_over` are calls that refuse one row by design, and were let through.
    `raised` is the exception that ended it, `errors` the end of its standard error.
    `seconds` are CPU seconds. `waited` is whether a late run was ended while it used almost none,
    `unsettled` whether it failed after it was shortened, and took too long in full.
    """

    setting: Setting
    ended: How
    _: KW_ONLY
    status: int = 0
    observation: Observation | None = None
    error: str = ""
    place: Place | None = None
    hazards: tuple[LossCall, ...] = ()
    sizes: tuple[int, ...] = ()
    batch_sizes_seen: tuple[int, ...] = ()
    current: int | None = None
    axes: frozenset[int] = frozenset()
    whole_batches_only: bool = False
    unreached: tuple[Unreached, ...] = ()
    stand_ins: tuple[StandIn, ...] = ()
    files: Mapping[str, str] = field(default_factory=dict)
    shortened: bool = False
    output: str = ""
    seconds: float = 0.0
    refused: tuple[Note, ...] = ()
    gradients: Reach = field(default_factory=Reach)
    silent: tuple[Observation, ...] = ()
    broadcasts: tuple[Broadcast, ...] = ()
    followed: bool = False
    reached: Reached = field(default_factory=dict)
    stack: tuple[Place, ...] = ()
    by_loader: bool = False
    batch: int | None = None
    passed_over: tuple[Place, ...] = ()
    raised: Raised | None = None
    errors: str = ""
    waited: bool = False
    unsettled: bool = False
    shapes: StepShapes = field(default_factory=StepShapes)
