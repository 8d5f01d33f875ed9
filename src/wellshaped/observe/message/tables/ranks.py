"""What operations say of a number of axes that they do not take, and name themselves."""

from wellshaped.observe.message.notation import Pattern

PATTERNS = (
    Pattern(
        "rank",
        "Expected {least:n} to {most:n} dimensions, but got {got:n}-dimensional tensor for"
        " argument #{place:n} '{operand:word}' (while checking arguments for {callee:word})",
        needs="{least} ... {most}",
    ),
    Pattern(
        "rank",
        "{callee:word}: Expected {wants:n}-D argument {operand:word}, but got {got:n}-D",
        needs="{wants}",
    ),
    Pattern(
        "rank",
        "{callee:word} only supports at least {least:n}D tensors, {operand:word} got: {got:n}D",
        "{callee:word}: {operand:word} needs at least {least:n} dimensions, got {got:n} dimensions",
        "{callee:word}: Expected {operand:word} to have at least {least:n} dimensions, but"
        " it has {got:n} dimensions instead",
        "{callee:word} expects {operand:word} to have at least {least:n} dimensions, but"
        " got input with {got:n} dimension",
        needs=">= {least}",
    ),
    Pattern(
        "rank",
        "{callee:word} requires a tensor with at least {least:n} dimension, but got a"
        " tensor with {got:n} dimensions",
        "{callee:word}: Expected tensor with {least:n} or more dimensions. Got size: {got:shape}",
        operand="input",
        needs=">= {least}",
    ),
    Pattern(
        "rank",
        "{callee:word} expects input with > {_:n} dims, but got input with sizes {got:shape}",
        operand="input",
        needs=">= 3",
    ),
    Pattern(
        "rank",
        "{callee:word} expected at least a {least:n}-dimensional tensor, but got a tensor"
        " with {got:n} dims",
        "{callee:word}({_:word}{{{got:shape}}}): expected a tensor with {least:n} or more"
        " dimensions",
        operand="input",
        needs=">= {least}",
    ),
    Pattern(
        "rank_open",
        "{callee:word}: The input tensor {operand:word} must have at least {least:n} dimensions",
        "{callee:word}: {operand:word} must have at least {least:n} dimensions",
        needs=">= {least}",
    ),
    Pattern(
        "rank_open",
        "{callee:word}: The input tensor must have at least {least:n} dimensions",
        "{callee:word}: input tensor must have at least {least:n} dimensions",
        "{callee:word} expects at least a {least:n}-dimensional tensor",
        operand="input",
        needs=">= {least}",
    ),
    Pattern(
        "rank_open",
        "{callee:word} expects input to be at least one-dimensional",
        "{callee:word}() cannot be applied to a 0-dim tensor",
        "{callee:word} does not support scalars because halving size must be even",
        operand="input",
        needs=">= 1",
    ),
    Pattern(
        "rank",
        "{callee:word} only supports {wants:n}D tensors, got: {got:n}D",
        "tensor.{callee:word} is only supported on matrices ({wants:n}-D tensors). Got {got:n}-D",
        operand="input",
        needs="{wants}",
    ),
    Pattern(
        "rank",
        "tensor.{callee:word} is only supported on matrices or batches of matrices. Got {got:n}-D",
        operand="input",
        needs=">= 2",
    ),
    Pattern(
        "rank",
        "{callee:word}: expected a matrix, but got tensor with dim {got:n}",
        operand="input",
        needs=2,
    ),
    Pattern(
        "rank",
        "{callee:word}: expected input to be {least:n}D or {most:n}D, got {got:n}D instead",
        "{callee:word}(): Supports {least:n}D or {most:n}D tensors. Got {got:n}D",
        "{callee:word}: If dim is not specified but ord is, the input must be {least:n}D or"
        " {most:n}D. Got {got:n}D",
        "{callee:word}(): the first tensor must be {least:n}D or {most:n}D but got {got:n}D",
        "Input to {callee:word} should be a {least:n}d or {most:n}d Tensor, but got a"
        " tensor with {got:n} dimensions",
        operand="input",
        needs="{least} ... {most}",
    ),
    Pattern(
        "rank",
        "{callee:word}: Expected {operand:part} to be {least:n}D or {most:n}D, got {got:n}D",
        "{callee:word}(): {operand:word} should have dimension {most:n} or {least:n} (got {got:n})",
        "{callee:word}(): Index should have dimension {most:n} or {least:n} (got {got:n})",
        operand="index",
        needs="{least} ... {most}",
    ),
    Pattern(
        "rank",
        "{callee:word}: Expected `{operand:word}` to be a scalar or {most:n}D tensor, but"
        " got: ndim = {got:n}",
        needs="<= {most}",
    ),
    Pattern(
        "rank",
        "{callee:word}(): expected {operand:word} to have two or fewer dimensions but got"
        " an input with {got:n} dimensions",
        needs="<= 2",
    ),
    Pattern(
        "rank",
        "{callee:word}() expects a tensor with <= {most:n} dimensions, but self is {got:n}D",
        "{callee:word}: Input tensors must have {most:n} or fewer dimensions. Input"
        " {place:n} has {got:n} dimensions",
        operand="input",
        needs="<= {most}",
    ),
    Pattern(
        "rank",
        "{callee:word} expected tensor_indices_or_sections to be a zero-dimensional or"
        " one-dimensional tensor, but got a tensor with {got:n} dims",
        operand="tensor_indices_or_sections",
        needs="<= 1",
    ),
    Pattern(
        "rank_open",
        "{callee:word}: Expected 0D or 1D tensor in the tensor list but got",
        operand="tensors",
        needs="0 ... 1",
    ),
    Pattern(
        "rank",
        "{callee:word} only supports a {wants:n}-dimensional value tensor, but got tensor"
        " with {got:n} dimension",
        "{callee:word} only supports {wants:n}-dimension value tensor but got tensor with"
        " {got:n} dimension",
        operand="value",
        needs="{wants}",
    ),
    Pattern(
        "rank",
        "{callee:word} only supports {wants:n}-dimensional start and end tensors, but got"
        " {operand:word} with {got:n} dimension",
        needs="{wants}",
    ),
    Pattern(
        "rank",
        "{callee:word}: bins tensor should have one dimension, but got {got:n} dimensions",
        operand="bins",
        needs=1,
    ),
    Pattern(
        "rank",
        "{callee:word}(): Index is supposed to be a vector, but got dim: {got:n} with type:"
        " {dtype:dtype} and size: {index:shape}",
        operand="index",
        needs=1,
    ),
    Pattern(
        "rank_open",
        "{callee:word}() {operand:word} must be a scalar or 1D tensor",
        needs="0 ... 1",
    ),
    Pattern(
        "ranks_differ",
        "{callee:word}(): input dimensions do not match: got {left:n} and {right:n}",
        "{callee:word}(): When source and destination are not scalars, their dimensionality"
        " must match. Source dimensionality ({left:n}), destination dimensionality"
        " ({right:n})",
    ),
    Pattern(
        "rank_open",
        "{callee:word}: inputs must have the same number of dimensions",
        operand="other",
        needs="input.ndim",
    ),
)
