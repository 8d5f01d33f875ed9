"""The table of tasks: the shapes of what goes in, comes out, is aimed at, and of the loss.

B rows, T positions, S positions of the source, D features, C classes, L labels, K outputs,
V words of the vocabulary. Shapes are in the notation of the contracts. The heads, losses and
metrics check themselves by this table; the documentation and the tests are made from it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

# What a target holds: class numbers, 0 or 1, any numbers, or the scores of other rows.
Values = Literal["classes", "zero_one", "numbers", "scores"]


@dataclass(frozen=True, slots=True)
class TaskRow:
    """One task: `task(name, option=size)`, and what belongs together in it."""

    name: str
    inputs: tuple[str, ...]
    outputs: str
    targets: str
    target_values: Values
    # The loss with `reduction="none"`; "mean" divides by as many of them as are real.
    elements: str
    predictions: str
    # The function of torch.nn.functional that computes it.
    loss: str
    metrics: tuple[str, ...]
    # The option that says how many, and the axis it sizes.
    option: str | None = None
    axis: str | None = None
    # Further options, whole numbers all of them.
    settings: tuple[str, ...] = ()

    @property
    def by_position(self) -> bool:
        """Whether each position has a target of its own, so that the loss asks what is real."""
        return "T" in self.elements


_ROWS: Final = ("features (B, D)", "features (B, T, D)  real (B, T)")

TABLE: Final[tuple[TaskRow, ...]] = (
    TaskRow(
        name="binary",
        inputs=_ROWS,
        outputs="(B)",
        targets="(B)",
        target_values="zero_one",
        elements="(B)",
        predictions="(B)",
        loss="binary_cross_entropy_with_logits",
        metrics=("accuracy", "precision", "recall", "f1"),
    ),
    TaskRow(
        name="multiclass",
        inputs=_ROWS,
        outputs="(B, C)",
        targets="(B)",
        target_values="classes",
        elements="(B)",
        predictions="(B)",
        loss="cross_entropy",
        metrics=("accuracy", "macro_f1"),
        option="num_classes",
        axis="C",
    ),
    TaskRow(
        name="multilabel",
        inputs=_ROWS,
        outputs="(B, L)",
        targets="(B, L)",
        target_values="zero_one",
        elements="(B, L)",
        predictions="(B, L)",
        loss="binary_cross_entropy_with_logits",
        metrics=("label_accuracy", "exact_match", "micro_f1", "macro_f1"),
        option="num_labels",
        axis="L",
    ),
    TaskRow(
        name="regression",
        inputs=_ROWS,
        outputs="(B)",
        targets="(B)",
        target_values="numbers",
        elements="(B)",
        predictions="(B)",
        loss="mse_loss",
        metrics=("mae", "rmse", "r2"),
    ),
    TaskRow(
        name="regression",
        inputs=_ROWS,
        outputs="(B, K)",
        targets="(B, K)",
        target_values="numbers",
        elements="(B, K)",
        predictions="(B, K)",
        loss="mse_loss",
        metrics=("mae", "rmse", "r2"),
        option="num_outputs",
        axis="K",
    ),
    TaskRow(
        name="tagging",
        inputs=("features (B, T, D)  real (B, T)",),
        outputs="(B, T, C)",
        targets="(B, T)",
        target_values="classes",
        elements="(B, T)",
        predictions="(B, T)",
        loss="cross_entropy",
        metrics=("token_accuracy", "exact_match", "macro_f1"),
        option="num_classes",
        axis="C",
    ),
    TaskRow(
        name="seq2seq",
        inputs=("memory (B, S, D)  source_real (B, S)  targets (B, T)  real (B, T)",),
        outputs="(B, T, V)",
        targets="(B, T)",
        target_values="classes",
        elements="(B, T)",
        predictions="(B, T)",
        loss="cross_entropy",
        metrics=("token_accuracy", "exact_match"),
        option="vocab_size",
        axis="V",
        settings=("bos", "eos"),
    ),
    TaskRow(
        name="reward",
        inputs=_ROWS,
        outputs="(B)",
        targets="(B)",
        target_values="scores",
        elements="(B)",
        predictions="(B)",
        loss="binary_cross_entropy_with_logits",
        metrics=("pair_accuracy", "margin"),
    ),
)


def axes_of(shape: str) -> tuple[str, ...]:
    """The axes of a shape in the table: `(B, L)` as ("B", "L")."""
    return tuple(axis.strip() for axis in shape.strip("()").split(","))
