"""Losses over sequences."""

from wellshaped.contracts.contract import Contract

TABLE = (
    Contract(
        name="ctc_loss",
        module="CTCLoss",
        tensors=("log_probs", "targets", "input_lengths", "target_lengths"),
        predicts=("log_probs",),
        target="class lists",
        pairs="sequences",
        takes="log probabilities",
        needs=(
            "log_probs (T, B, C)  targets (B, S)  input_lengths? (B)  target_lengths? (B)",
            "log_probs (T, B, C)  targets (S)  input_lengths? (B)  target_lengths? (B)",
            "log_probs (T, C)  targets (S)  input_lengths? ()  target_lengths? ()",
        ),
        dtypes="log_probs float32 or float64; targets and lengths integers",
        steps="""
            ctc(log_probs, targets, input_lengths, target_lengths, blank, \
reduction_name(reduction))
        """,
    ),
)
