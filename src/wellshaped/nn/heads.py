"""Heads: from features to the outputs of a task, for each row or for each position.

B rows, T positions, D features, C outputs. `real` is lengths (B,), a mask (B, T) or a
`Padded`: see `nn.real`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from torch import Tensor, nn

from wellshaped.batch.ragged import Padded
from wellshaped.nn.losses import Reduction
from wellshaped.nn.pooling import Pool
from wellshaped.nn.real import Real, as_mask, unreadable, without_padding
from wellshaped.records.phrase import UserError
from wellshaped.records.shape import shape_text

if TYPE_CHECKING:
    from wellshaped.nn.tasks import Task


class Head(nn.Module):
    """What every head has: its task's loss and predictions."""

    def __init__(self, task: Task) -> None:
        super().__init__()
        self.task = task

    def loss(
        self,
        outputs: Tensor,
        targets: Tensor | Padded,
        real: Real | None = None,
        *,
        reduction: Reduction = "mean",
    ) -> Tensor:
        """The task's loss of what this head gave."""
        return self.task.loss(outputs, targets, real, reduction=reduction)

    def predict(self, outputs: Tensor, real: Real | None = None) -> Tensor:
        """The task's predictions from what this head gave."""
        return self.task.predict(outputs, real)


class RowHead(Head):
    """Outputs for each row, from its features (B, D) or, pooled, those of its real positions."""

    def __init__(self, task: Task, in_features: int, *, pool: str | None = None) -> None:
        super().__init__(task)
        usual = "last" if task.row.target_values == "scores" else "mean"
        self.pool = Pool(usual if pool is None else pool, in_features)
        self.outputs = nn.Linear(in_features, task.size or 1)

    def forward(self, features: Tensor, real: Real | None = None) -> Tensor:
        """(B, D), or (B, T, D) with `real`, to (B, C); to (B,) where a row has one number."""
        ranks = (2, 3) if real is None else (3,)
        check_features(self.task, features, self.outputs.in_features, ranks=ranks)
        if features.dim() == 3:
            if real is None:
                raise unreadable(None, tuple(features.shape[:2]))
            features = self.pool(features, real)  # (B, D)
        outputs: Tensor = self.outputs(features)  # (B, C)
        return outputs.squeeze(-1) if self.task.size is None else outputs


class TokenHead(Head):
    """Outputs for each real position; 0 at padding."""

    def __init__(self, task: Task, in_features: int) -> None:
        super().__init__(task)
        self.outputs = nn.Linear(in_features, task.size or 1)

    def forward(self, features: Tensor, real: Real) -> Tensor:
        """(B, T, D) to (B, T, C)."""
        check_features(self.task, features, self.outputs.in_features, ranks=(3,))
        mask_BT = as_mask(real, features)
        outputs_BTC = self.outputs(without_padding(features, mask_BT))
        return without_padding(outputs_BTC, mask_BT)


def check_features(task: Task, features: Tensor, size: int, *, ranks: tuple[int, ...]) -> None:
    """Refuse features of another rank, or with another number of them."""
    if features.dim() in ranks and features.shape[-1] == size:
        return
    wanted = ", ".join(shape_text(("B", *("T",) * (rank - 2), size)) for rank in ranks)
    facts = {"argument": "features", "got": shape_text(tuple(features.shape)), "wanted": wanted}
    raise UserError("WS924", "task_shape", task=task.name, **facts)
