"""What a supervised algorithm is: settings with their defaults, and what it makes of its data."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from wellshaped.train.events import EventSink
from wellshaped.train.loop_settings import LoopSettings
from wellshaped.train.options import check_settings, option, require_share

if TYPE_CHECKING:
    from wellshaped.train.data.rows import Data
    from wellshaped.train.distributed.processes import Accelerator
    from wellshaped.train.training_task import TrainingTask


@dataclass(frozen=True)
class PreparedRun:
    """A model and its data, ready to be trained.

    `digest` tells the data from any other. `task` is what the loop trains; what is found out
    about the model on the way goes to the sink. `result` is the model in what was trained, as it
    is handed to the caller and to `save`.
    """

    tokenizer: Any
    digest: str
    task: Callable[[Accelerator, EventSink], TrainingTask]
    result: Callable[[Any], Any]
    save: Callable[[Any, Path], None]


@dataclass(frozen=True, kw_only=True)
class SupervisedAlgorithm(ABC):
    """Training on rows of data: the settings that every such algorithm has.

    `length` is the most tokens of a text, `batch` the rows of a batch in each process, `hold_out`
    the share of the data to evaluate on where no other is given, `threads` those of torch.
    """

    name: ClassVar[str]
    help: ClassVar[str]
    description: ClassVar[str]
    # The folder of a result that is given no other, and whether there is anything without data.
    out: ClassVar[str]
    needs_data: ClassVar[bool] = True

    length: int = option(1024, "most tokens of a text", least=1)
    batch: int = option(8, "rows of a batch in each process", least=1)
    hold_out: float = option(0.1, "share of the data")
    threads: int | None = option(None, "of torch", least=1)
    loop: LoopSettings = field(default_factory=LoopSettings)

    def __post_init__(self) -> None:
        check_settings(self)
        require_share(self.hold_out)

    @classmethod
    @abstractmethod
    def defaults(cls, given: Mapping[str, Any], *, is_new: bool) -> dict[str, Any]:
        """Settings that depend on others, or on whether the model `is_new`, made by the run."""

    @abstractmethod
    def prepare(
        self,
        model: str | Path | None,
        data: Data | None,
        held_out: Data | None,
        *,
        skip: bool,
        tell: EventSink,
    ) -> PreparedRun:
        """Load the model and read all data; rows that cannot be used are reported, or end it."""

    def marks(self) -> dict[str, Any]:
        """All that a run must have in common with one it goes on from, but for the loop's."""
        found = asdict(self)
        return {name: value for name, value in found.items() if name not in ("loop", "threads")}
