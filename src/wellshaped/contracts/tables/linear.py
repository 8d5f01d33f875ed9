"""Losses that carry their own linear layer."""

from wellshaped.contracts.contract import Contract

_CLASS_NUMBERS = "input and weights of one floating point dtype; target int64 class numbers"

TABLE = (
    Contract(
        name="linear_cross_entropy",
        module="LinearCrossEntropyLoss",
        tensors=("input", "linear_weight", "target", "linear_bias", "weight"),
        predicts=("input", "linear_weight", "linear_bias"),
        target="classes",
        pairs="positions",
        takes="features",
        needs=(
            "input (B, F)  linear_weight (C, F)  target (B)  linear_bias? (C)  weight? (C)",
            "input (F)  linear_weight (C, F)  target ()  linear_bias? (C)  weight? (C)",
            "input (B, F)  linear_weight (C, *S, F)  target (B, *S)  linear_bias? (C, *S)  "
            "weight? (C)",
            "input (B, F)  linear_weight (C, *S, F)  target (B, C, *S)  linear_bias? (C, *S)  "
            "weight? (C)",
            "input (F)  linear_weight (C, F)  target (C)  linear_bias? (C)  weight? (C)",
        ),
        dtypes=_CLASS_NUMBERS + ", or floating point probabilities",
        steps="""
            linear_cross_entropy(head(input, linear_weight, linear_bias), target, weight, \
reduction_name(reduction), ignore_index, label_smoothing, options)
        """,
    ),
    Contract(
        name="adaptive_log_softmax_with_loss",
        module="AdaptiveLogSoftmaxWithLoss",
        tensors=("input", "target"),
        predicts=("input",),
        target="classes",
        pairs="rows",
        takes="features",
        needs=("input (B, F)  target (B)", "input (F)  target ()"),
        dtypes=_CLASS_NUMBERS,
        steps="""
            adaptive(input, target, in_features, cutoffs, dtype)
        """,
    ),
)
