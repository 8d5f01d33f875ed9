"""Losses whose targets are class numbers, or probabilities of classes."""

from wellshaped.contracts.contract import Contract

_CLASS_NUMBERS = "input floating point; target int64 class numbers"

TABLE = (
    Contract(
        name="nll_loss",
        module="NLLLoss",
        modules=("NLLLoss2d",),
        tensors=("input", "target", "weight"),
        predicts=("input",),
        target="classes",
        pairs="positions",
        takes="log probabilities",
        needs=(
            "input (B, C, *S)  target (B, *S)  weight? (C)",
            "input (C)  target ()  weight? (C)",
        ),
        dtypes=_CLASS_NUMBERS,
        steps="""
            class_numbers(input, target, weight, reduction_name(reduction), ignore_index)
        """,
    ),
    Contract(
        name="cross_entropy",
        module="CrossEntropyLoss",
        tensors=("input", "target", "weight"),
        predicts=("input",),
        target="classes",
        pairs="positions",
        takes="scores",
        applies="log_softmax",
        needs=(
            "input (B, C, *S)  target (B, *S)  weight? (C)",
            "input (C)  target ()  weight? (C)",
            "input (B, C, *S)  target (B, C, *S)  weight? (C)",
            "input (C)  target (C)  weight? (C)",
        ),
        dtypes=_CLASS_NUMBERS + ", or floating point probabilities",
        steps="""
            cross_entropy(input, target, weight, reduction_name(reduction), ignore_index, \
label_smoothing)
        """,
    ),
    Contract(
        name="multi_margin_loss",
        module="MultiMarginLoss",
        tensors=("input", "target", "weight"),
        predicts=("input",),
        target="classes",
        pairs="rows",
        takes="scores",
        needs=("input (B, C)  target (B)  weight? (C)", "input (C)  target ()  weight? (C)"),
        dtypes=_CLASS_NUMBERS,
        steps="""
            refuse_unless(p == 1 or p == 2, "must be 1 or 2", "p")
            refuse_unless(not weight or weight.rank == 1, "must have one axis", "weight")
            multi_margin(input, target, weight, reduction_name(reduction))
        """,
    ),
    Contract(
        name="multilabel_margin_loss",
        module="MultiLabelMarginLoss",
        tensors=("input", "target"),
        predicts=("input",),
        target="class lists",
        pairs="rows",
        takes="scores",
        needs=("input (B, C)  target (B, C)", "input (C)  target (C)"),
        dtypes=_CLASS_NUMBERS + ", each row closed by -1",
        steps="""
            multilabel_margin(input, target, reduction_name(reduction))
        """,
    ),
)
