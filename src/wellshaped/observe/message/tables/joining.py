"""What joining, stacking and collating say."""

from wellshaped.observe.message.notation import Pattern

PATTERNS = (
    Pattern(
        "joined",
        "Sizes of tensors must match except in dimension {axis:n}. Expected size {wants:n} but got"
        " size {got:n} for tensor number {place:n} in the list",
        "Sizes of tensors must match except in dimension {axis:n}. Expected {wants:n} in dimension"
        " {where:n} but got {got:n} for tensor number {place:n} in the list",
    ),
    Pattern(
        "joined_axes",
        "Tensors must have same number of dimensions: got {wants:n} and {got:n}",
        "Number of dimensions of tensors must match. Expected {wants:n}-D tensors, but got"
        " {got:n}-D for tensor number {place:n} in the list",
    ),
    Pattern("joined_scalar", "zero-dimensional tensor (at position {place:n}) cannot be"),
    Pattern(
        "joined_none",
        "expected a non-empty list of Tensors",
        "cat expects at least one tensor, but received zero",
    ),
    Pattern(
        "stacked",
        "stack expects each tensor to be equal size, but got {first:shape} at entry {one:n} and"
        " {second:shape} at entry {place:n}",
        "stack expects each tensor to be equal size, but got {first:shape} at entry {one:n}",
    ),
    Pattern(
        "ragged",
        "each element in list of batch should be of equal size",
        "Trying to resize storage that is not resizable",
    ),
    Pattern(
        "ragged_lists",
        "expected sequence of length {wants:n} at dim {axis:n} (got {got:n})",
    ),
)
