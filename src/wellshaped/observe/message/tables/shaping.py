"""What views, expansion, broadcasting and indexing say."""

from wellshaped.observe.message.notation import Pattern

PATTERNS = (
    Pattern("view", "shape '{sizes:shape}' is invalid for input of size {count:n}"),
    Pattern("view_two", "only one dimension can be inferred"),
    Pattern(
        "view_strides",
        "Cannot view a tensor with shape {input:shape} and strides {strides:shape} as a tensor"
        " with shape {sizes:shape}",
        "view size is not compatible with input tensor's size and stride",
    ),
    Pattern(
        "unflatten",
        "unflatten: Provided sizes {sizes:shape} don't multiply up to the size of dim {axis:n}"
        " ({count:n}) in the input tensor",
    ),
    Pattern(
        "expand",
        "The expanded size of the tensor ({wants:n}) must match the existing size ({got:n}) at"
        " non-singleton dimension {axis:n}. Target sizes: {sizes:shape}. Tensor sizes:"
        " {input:shape}",
    ),
    Pattern(
        "expand_few",
        "expand({type:word}{{{input:shape}}}, size={sizes:shape}): the number of sizes provided",
    ),
    Pattern("repeat_few", "Number of dimensions of repeat dims can not be smaller than number"),
    Pattern(
        "broadcast",
        "The size of tensor a ({left_size:n}) must match the size of tensor b ({right_size:n}) at"
        " non-singleton dimension {axis:n}",
    ),
    Pattern(
        "broadcast_shapes",
        "Attempting to broadcast a dimension of length {size:n} at {axis:n}! Mismatching argument"
        " at index {place:n} had {right:shape}; but expected shape should be broadcastable to"
        " {left:shape}",
        "Value is not broadcastable with batch_shape+event_shape: {right:shape} vs {left:shape}",
    ),
    Pattern(
        "in_place", "output with shape {out:shape} doesn't match the broadcast shape {full:shape}"
    ),
    Pattern(
        "no_axis",
        "Dimension out of range (expected to be in range of [{least:n}, {most:n}], but got"
        " {axis:n})",
    ),
    Pattern("no_axes", "Dimension specified as {axis:n} but tensor has no dimensions"),
    Pattern("many_indices", "too many indices for tensor of dimension {rank:n}"),
    Pattern(
        "permute",
        "number of dimensions in the tensor input does not match the length of the desired"
        " ordering of dimensions i.e. input.dim() = {rank:n} is not equal to len(dims) = {given:n}",
    ),
    Pattern("unpack", "not enough values to unpack (expected {wants:n}, got {got:n})"),
    Pattern("unpack", "too many values to unpack (expected {wants:n}"),
    Pattern(
        "scalar",
        "len() of a 0-d tensor",
        "iteration over a 0-d tensor",
        "invalid index of a 0-dim tensor",
    ),
    Pattern(
        "index_range",
        "index {index:n} is out of bounds for dimension {axis:n} with size {size:n}",
    ),
    Pattern(
        "index_beyond", "INDICES element is out of DATA bounds, id={index:n} axis_dim={size:n}"
    ),
    Pattern(
        "mask",
        "The shape of the mask {mask:shape} at index {place:n} does not match the shape of the"
        " indexed tensor {input:shape} at index {axis:n}",
    ),
    Pattern(
        "index_shapes",
        "indexing tensors could not be broadcast together with shapes {first:shape},"
        " {second:shape}",
    ),
    Pattern(
        "index_value",
        "shape mismatch: value tensor of shape {value:shape} cannot be broadcast to indexing"
        " result of shape {wants:shape}",
    ),
    Pattern(
        "index_dtype",
        "tensors used as indices must be long, int, byte or bool tensors",
        "tensors used as indices must be long, byte or bool tensors",
    ),
    Pattern("index_dtype", "Expected dtype int32/int64 for index, but got {got:dtype}"),
    Pattern(
        "index_dtype",
        "{callee:word}(): Expected dtype int32/int64 for index",
        "{callee:word}(): Expected dtype int32 or int64 for index",
    ),
    Pattern("gather_axes", "Index tensor must have the same number of dimensions as"),
    Pattern(
        "gather_axes",
        "input and indices should have the same number of dimensions, but got {rank:n} dimensions"
        " for input, and {got:n} dimensions for indices",
    ),
    Pattern("gather_vector", "index_select(): Index is supposed to be a vector"),
    Pattern(
        "gather",
        "Size does not match at dimension {axis:n} expected index {index:shape} to be no larger"
        " than self {input:shape} apart from dimension {dim:n}",
        "Expected index {index:shape} to be no larger than self {input:shape} apart from dimension"
        " {dim:n}",
        "Size does not match at dimension {axis:n} expected index {index:shape} to be smaller than"
        " self {input:shape} apart from dimension {dim:n}",
        "Expected index {index:shape} to be smaller than self {input:shape} apart from dimension"
        " {dim:n}",
    ),
    Pattern("gather_source", "Expected index {index:shape} to be no larger than src {src:shape}"),
    Pattern(
        "split",
        "split_with_sizes expects split_sizes to sum exactly to {wants:n} (input tensor's size at"
        " dimension {axis:n}), but got split_sizes={sizes:shape}",
    ),
    Pattern("top", "selected index k out of range", "k not in range for dimension"),
    Pattern(
        "one_value",
        "a Tensor with {count:n} elements cannot be converted to Scalar",
        "only one element tensors can be converted to Python scalars",
        "Boolean value of Tensor with more than one value is ambiguous",
    ),
)
