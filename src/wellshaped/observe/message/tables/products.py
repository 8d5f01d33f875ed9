"""What matrix products say, those inside `Linear` too."""

from wellshaped.observe.message.notation import Pattern

PATTERNS = (
    Pattern(
        "inner",
        "mat1 and mat2 shapes cannot be multiplied ({left:by} and {right:by})",
        "a and b must have same reduction dim, but got {left:shape} X {right:shape}",
    ),
    Pattern(
        "product_batch",
        "Expected size for first two dimensions of batch2 tensor to be: {wants:shape} but got:"
        " {got:shape}",
    ),
    Pattern(
        "inner",
        "size mismatch, got input ({rows:by}), mat ({left:by}), vec ({right:by})",
        "size mismatch, got input ({left:by}), vec ({right:by})",
    ),
    Pattern(
        "inner",
        "inconsistent tensor size, expected tensor {left:shape} and src {right:shape} to have the",
    ),
    Pattern("matrix_axes", "{operand:word} must be a matrix", "{operand:word} must be 2D"),
    Pattern("stack_axes", "{operand:word} must be a 3D tensor"),
    Pattern(
        "factor_axes",
        "both arguments to matmul need to be at least 1D, but they are {left:n}D and {right:n}D",
        "1D tensors expected, but got {left:n}D and {right:n}D tensors",
    ),
    Pattern(
        "letter_size",
        "einsum(): subscript {letter:word} has size {got:n} for operand {place:n} which does not"
        " broadcast with previously seen size {wants:n}",
    ),
    Pattern(
        "letter_count",
        "einsum(): the number of subscripts in the equation ({wants:n}) does not match the number"
        " of dimensions ({got:n}) for operand {place:n}",
    ),
    Pattern(
        "inner_sizes",
        "bilinear(): {operand:word} size does not match weight size: got {inner:n} but expected"
        " {rows:n}",
        "X1 and X2 must have the same number of columns. X1: {inner:n} X2: {rows:n}",
    ),
    Pattern(
        "factor_dtypes",
        "mat1 and mat2 must have the same dtype, but got {left:dtype} and {right:dtype}",
        "expected m1 and m2 to have the same dtype, but got: {left:dtype} != {right:dtype}",
    ),
    Pattern("factor_dtypes_open", "mat1 and mat2 must have the same dtype"),
)
