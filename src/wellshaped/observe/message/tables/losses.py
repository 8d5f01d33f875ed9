"""What the losses say."""

from wellshaped.observe.message.notation import Pattern

PATTERNS = (
    Pattern(
        "loss",
        "margin_ranking_loss : All input tensors should have same dimension but got sizes:"
        " input1: {input1:shape}, input2: {input2:shape}, target: {target:shape}",
        callee="margin_ranking_loss",
    ),
    Pattern(
        "loss",
        "Using a target size ({target:shape}) that is different to the input size ({input:shape})"
        " is deprecated",
        callee="binary_cross_entropy",
    ),
    Pattern(
        "warned",
        "Using a target size ({target:shape}) that is different to the input size"
        " ({input:shape}). This will likely lead to incorrect results",
    ),
    Pattern(
        "loss",
        "Target size ({target:shape}) must be the same as input size ({input:shape})",
        callee="binary_cross_entropy_with_logits",
    ),
    Pattern(
        "loss",
        "inconsistent target size: {target:shape} for input of size: {input:shape}",
        callee="multilabel_margin_loss",
    ),
    Pattern(
        "class_loss",
        "multi_margin_loss: target tensor should be 1-D with size equal to the number of input"
        " samples (batch size). Expected target size {wants:shape}, but got {target:shape}."
        " Input has shape {input:shape}.",
        callee="multi_margin_loss",
    ),
    Pattern(
        "class_loss",
        "size mismatch (got input: {input:shape} , target: {target:shape}",
        "size mismatch (got input: {input:shape}, target: {target:shape})",
        callee="nll_loss",
    ),
    Pattern("target_rows", "inconsistent target size, expected {rows:n} but got {target:shape}"),
    Pattern(
        "scores_rank",
        "Expected non-empty vector or matrix with optional 0-dim batch size, but got:"
        " {input:shape}",
    ),
    Pattern(
        "target_axes",
        "0D or 1D target tensor expected, multi-target not supported, got {rank:n}D",
        "0D or 1D target tensor expected, multi-target not supported",
    ),
    Pattern(
        "loss_rows",
        "Expected input batch_size ({input_rows:n}) to match target batch_size ({target_rows:n})",
    ),
    Pattern(
        "loss_rows",
        "Input and target should have the same size in the batch dimension.",
        callee="adaptive_log_softmax_with_loss",
    ),
    Pattern("target_size", "Expected target size {wants:shape}, got {got:shape}"),
    Pattern(
        "map_axes",
        "only batches of spatial targets supported (3D tensors) but got targets of dimension:"
        " {rank:n}",
    ),
    Pattern(
        "class_weights",
        "weight tensor should be defined either for all {classes:n} classes or no classes but got"
        " weight tensor of shape: {weight:shape}",
        "inconsistent weight size, expected {classes:n} but got {weight:shape}",
    ),
    Pattern("loss_weights", "Weights and input must have the same size."),
    Pattern("class_number", "Target {number:n} is out of bounds."),
    Pattern(
        "class_number",
        "Target values should be in [0, {last:n}], but values in range [{least:n}, {number:n}]",
        callee="adaptive_log_softmax_with_loss",
    ),
    # The kernels of CUDA check on the device and name the condition that does not hold.
    Pattern("class_number", "Assertion `t >= 0 && t < n_classes` failed"),
    Pattern("probability_range", "all elements of {operand:word} should be between 0 and 1"),
    Pattern("probability_range", "Assertion `input_val >= zero && input_val <= one` failed"),
    Pattern(
        "one_hot_dtype",
        "Expected floating point type for target with class probabilities, got {got:dtype}",
        callee="cross_entropy",
    ),
    Pattern("class_dtype", "expected target dtype to be Long or Byte, but got {got:dtype}"),
    Pattern("variance", "var is of incorrect size", callee="gaussian_nll_loss"),
    Pattern("variance_sign", "var has negative entry/entries", callee="gaussian_nll_loss"),
    Pattern(
        "pair_axes",
        "1D target tensor expects 2D input tensors, but found inputs with sizes {input1:shape} and"
        " {input2:shape}",
        callee="cosine_embedding_loss",
    ),
    Pattern(
        "triplet_axes",
        "The anchor, positive, and negative tensors are expected to have the same number of"
        " dimensions, but got: anchor {anchor:n}D, positive {positive:n}D, and negative"
        " {negative:n}D inputs",
        callee="triplet_margin_loss",
    ),
    Pattern("ctc_lengths", "{lengths:word} must be of size batch_size", callee="ctc_loss"),
    Pattern(
        "ctc_too_long",
        "Expected {lengths:word} to have value at most {wants:n}, but got value {got:n}"
        " (while checking arguments for ctc_loss",
        callee="ctc_loss",
    ),
    Pattern(
        "ctc_targets",
        "Expected tensor to have size {wants:n} at dimension {axis:n}, but got size {got:n} for"
        " argument #2 'targets' (while checking arguments for ctc_loss",
        "Expected tensor to have size at least {wants:n} at dimension {axis:n}, but got size"
        " {got:n} for argument #2 'targets' (while checking arguments for ctc_loss",
        callee="ctc_loss",
    ),
    Pattern(
        "inner_sizes",
        "expected equal input and linear_weight last dimensions (in_features), got {inner:n} and"
        " {rows:n}",
        callee="linear_cross_entropy",
    ),
)
