"""What recurrent layers and packing say."""

from wellshaped.observe.message.notation import Pattern

PATTERNS = (
    Pattern(
        "rnn_features",
        "input.size(-1) must be equal to input_size. Expected {wants:n}, got {got:n}",
        "input has inconsistent input_size: got {got:n} expected {wants:n}",
    ),
    Pattern(
        "rnn_axes",
        "{callee:word}: Expected input to be {least:n}D or {most:n}D, got {rank:n}D instead",
        "{callee:word}: Expected input to be {least:n}D or {most:n}D, got {rank:n}D tensor instead",
        "{callee:word}: Expected input to be {least:n}-D or {most:n}-D but received {rank:n}-D"
        " tensor",
    ),
    Pattern(
        "hidden",
        "Expected hidden[{part:n}] size {wants:shape}, got {got:shape}",
        "Expected hidden size {wants:shape}, got {got:shape}",
    ),
    Pattern(
        "hidden_axes",
        "For batched {rank:n}-D input, hx and cx should also be {wants:n}-D but got ({got:n}-D,",
        "For batched {rank:n}-D input, hx should also be {wants:n}-D but got {got:n}-D",
        "For unbatched {rank:n}-D input, hx and cx should also be {wants:n}-D but got ({got:n}-D,",
        "For unbatched {rank:n}-D input, hx should also be {wants:n}-D but got {got:n}-D",
    ),
    Pattern(
        "hidden_rows", "Input batch size {wants:n} doesn't match hidden{part:n} batch size {got:n}"
    ),
    Pattern(
        "hidden_width",
        "hidden{part:n} has inconsistent hidden_size: got {got:n}, expected {wants:n}",
    ),
    Pattern(
        "rnn_dtype",
        "RNN input dtype ({got:dtype}) does not match weight dtype ({wants:dtype})",
    ),
    Pattern(
        "lengths_count",
        "Expected `len(lengths)` to be equal to batch_size, but got {got:n} (batch_size={wants:n})",
        callee="pack_padded_sequence",
    ),
    Pattern(
        "lengths_order",
        "`lengths` array must be sorted in decreasing order when `enforce_sorted` is True",
        callee="pack_padded_sequence",
    ),
    Pattern(
        "lengths_zero",
        "Length of all samples has to be greater than 0, but found an element in 'lengths'",
        callee="pack_padded_sequence",
    ),
    Pattern(
        "lengths_axes",
        "'lengths' argument should be a 1D CPU int64 tensor, but got {rank:n}D {device:word}"
        " {got:dtype} tensor",
        callee="pack_padded_sequence",
    ),
    Pattern(
        "cut_beyond", "start ({start:n}) + length ({length:n}) exceeds dimension size ({size:n})"
    ),
)
