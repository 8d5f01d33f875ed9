"""What torch says of values, indices and equations that it does not take."""

from wellshaped.observe.message.notation import Pattern

PATTERNS = (
    Pattern(
        "no_grad",
        "One of the differentiated Tensors does not require grad",
    ),
    Pattern(
        "class_number",
        "argument #2 'target' is out of range",
        callee="multilabel_margin_loss",
    ),
    Pattern(
        "class_number",
        "target out of range",
        callee="multi_margin_loss",
    ),
    Pattern(
        "class_number",
        "Class values must be non-negative",
        callee="one_hot",
    ),
    Pattern(
        "one_row_target",
        "For 1D input, 1D target must have size 1, but got target size: {got:n}",
    ),
    Pattern(
        "class_weights_open",
        "weight tensor should be defined either for all or no classes",
    ),
    Pattern(
        "pair_axes_one",
        "0D target tensor expects 1D input tensors, but found inputs with sizes"
        " {input1:shape} and {input2:shape}",
    ),
    Pattern(
        "factor_axes",
        "both arguments to linear need to be at least 1D, but they are {left:n}D and {right:n}D",
    ),
    Pattern(
        "lookup_range",
        "Index {place:n} of input takes value {number:n} which is not in the valid range"
        " [0, {rows:n})",
        callee="embedding_bag",
    ),
    Pattern(
        "index_beyond",
        "{callee:word}(): index {index:n} out of range for tensor of size {input:shape} at"
        " dimension {axis:n}",
    ),
    Pattern(
        "index_beyond",
        "out of range: tried to access index {index:n} on a tensor of {count:n} elements",
    ),
    Pattern(
        "letter_size",
        "einsum(): subscript {letter:word} is repeated for operand {place:n} but the sizes"
        " don't match, {got:n} != {wants:n}",
    ),
    Pattern(
        "letter_equation",
        "einsum(): output subscript {letter:word} does not appear in the equation for any input",
        "einsum(): output subscript {letter:word} appears more than once in the output",
    ),
    Pattern(
        "letter_equation",
        "einsum(): fewer operands were provided than specified in the equation",
        "einsum(): more operands were provided than specified in the equation",
        "einsum(): must specify the equation string and at least one operand",
    ),
    Pattern(
        "letter_count",
        "einsum(): the number of subscripts in the equation ({wants:n}) is more than the"
        " number of dimensions ({got:n}) for operand {place:n}",
    ),
    Pattern(
        "letter_equation",
        "einsum(): invalid subscript given at index {place:n} in the",
        "einsum(): found '.' for",
    ),
    Pattern(
        "letter_equation",
        "einsum(): dimension {axis:n} covered by ellipsis in operand {place:n}has size"
        " {got:n} which does not broadcast with previously seen ellipsis with size"
        " {wants:n}",
    ),
    Pattern(
        "values",
        "{callee:word}: The diagonal element {place:n} is zero, the inversion could not be"
        " completed because the input matrix is singular",
        "{callee:word}: (Batch element {row:n}): The diagonal element {place:n} is zero,"
        " the inversion could not be completed because the input matrix is singular",
        "{callee:word}: The solver failed because the input matrix is singular",
        "{callee:word}: (Batch element {row:n}): The solver failed because the input matrix"
        " is singular",
        operand="A",
        rule="det(A) != 0",
    ),
    Pattern(
        "values",
        "{callee:word}: The factorization could not be completed because the input is not"
        " positive-definite (the leading minor of order {place:n} is not positive-definite)",
        "{callee:word}: (Batch element {row:n}): The factorization could not be completed"
        " because the input is not positive-definite",
        operand="A",
        rule="x @ A @ x > 0",
    ),
    Pattern(
        "values",
        "{callee:word}: The algorithm failed to converge because the input matrix contained"
        " non-finite values",
        "{callee:word}: (Batch element {row:n}): The algorithm failed to converge because"
        " the input matrix contained non-finite values",
        operand="A",
        rule="abs(A) < inf",
    ),
    Pattern(
        "values",
        "Expected parameter {operand:word} ({_:word} of shape {shape:shape}) of"
        " distribution {callee:word}({_:long}) to satisfy the constraint {rule:rule}, but"
        " found invalid values",
    ),
    Pattern(
        "values",
        "Expected value argument (Tensor of shape {shape:shape}) to be within the support"
        " ({rule:rule}) of the distribution {callee:word}(",
        operand="value",
    ),
    Pattern(
        "values",
        "normal expects all elements of std >= 0.0",
        callee="normal",
        operand="std",
        rule=">= 0",
    ),
    Pattern(
        "values",
        "Expected p_in >= 0 && p_in <= 1 to be true, but got false",
        callee="bernoulli",
        operand="input",
        rule="0 ... 1",
    ),
    Pattern(
        "values",
        "invalid multinomial distribution (sum of probabilities <= 0)",
        callee="multinomial",
        operand="input",
        rule="sum(input) > 0",
    ),
    Pattern(
        "values",
        "probability tensor contains either `inf`, `nan` or element < 0",
        callee="multinomial",
        operand="input",
        rule="0 <= input < inf",
    ),
    Pattern(
        "values",
        "invalid Poisson rate, expected rate to be non-negative",
        callee="poisson",
        operand="input",
        rule=">= 0",
    ),
    Pattern(
        "values",
        "bincount only supports 1-d non-negative integral inputs",
        callee="bincount",
        operand="input",
        rule="(N,) int64 >= 0",
    ),
    Pattern(
        "values",
        "Expected {operand:word} to have value at least {least:n}, but got value {got:n}"
        " (while checking arguments for {callee:word})",
        rule=">= {least}",
    ),
    Pattern(
        "empty",
        "{callee:word}(): Expected reduction dim to be specified for input.numel() == 0",
    ),
    Pattern(
        "empty",
        "{callee:word} expects a non-empty TensorList",
        "{callee:word}: Expected at least one model, got 0",
        "{callee:word} expects at least one tensor",
    ),
    Pattern(
        "empty",
        "Can not infer total number of classes from empty tensor",
        callee="one_hot",
    ),
    Pattern(
        "empty",
        "Expected sequence length to be larger than 0 in RNN",
        callee="RNN",
    ),
    Pattern(
        "empty",
        "Cannot pack empty tensors",
        callee="pack_padded_sequence",
    ),
    Pattern(
        "empty",
        "received an empty list of sequences",
        callee="pad_sequence",
    ),
    Pattern(
        "empty",
        "datasets should not be an empty iterable",
        callee="ConcatDataset",
    ),
    Pattern(
        "empty",
        "optimizer got an empty parameter list",
        callee="Optimizer",
    ),
    Pattern(
        "gradient_shape",
        "attempting to assign a gradient of size '{got:shape}' to a tensor of size '{wants:shape}'",
        "Trying to set a forward gradient that has a different size than that of the"
        " original Tensor, this is not supported. Tensor is of size {wants:shape} while the"
        " given forward gradient is of size {got:shape}",
        "tangent:{_:n} with shape {got:shape} in flattened pytree doesn't match the shape"
        " {wants:shape}",
    ),
    Pattern(
        "sizes_differ_open",
        "hook {_:quoted} has changed the size of value",
        callee="register_hook",
        operand="gradient",
        other="tensor",
    ),
    Pattern(
        "count",
        "got {wants:n} tensors and {got:n} gradients",
        "returned an incorrect number of gradients (expected {wants:n}, got {got:n})",
        option="gradients",
    ),
)
