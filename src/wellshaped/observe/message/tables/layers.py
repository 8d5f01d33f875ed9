"""What convolutions, pooling, normalisation and embeddings say."""

from wellshaped.observe.message.notation import Pattern

PATTERNS = (
    Pattern(
        "channels",
        "Given groups={groups:n}, weight of size {weight:shape}, expected input{input:shape} to"
        " have {wants:n} channels, but got {got:n} channels instead",
    ),
    Pattern(
        "transposed_channels",
        "Given transposed={transposed:n}, weight of size {weight:shape}, expected"
        " input{input:shape} to have {wants:n} channels, but got {got:n} channels instead",
    ),
    Pattern("some_channels", "Invalid channel dimensions"),
    Pattern("shuffled_channels", "pixel_shuffle expects its input's 'channel' dimension to be"),
    Pattern(
        "conv_axes",
        "Expected {least:n}D (unbatched) or {most:n}D (batched) input to {callee:word}, but got"
        " input of size: {input:shape}",
    ),
    Pattern(
        "kernel",
        "Calculated padded input size per channel: ({size:by}). Kernel size: ({kernel:by}). Kernel"
        " size can't be greater than actual input size",
        "Given input size: ({size:by}). Calculated output size: ({out:by}). Output size is too",
    ),
    Pattern(
        "layer_bias",
        "Given weight of size {weight:shape}, expected bias to be 1-dimensional with {wants:n}"
        " elements, but got bias of size {bias:shape} instead",
    ),
    Pattern(
        "layer_axes",
        "{callee:word}(): Expected {_:n}D or {_:n}D tensor, but got {input:shape}",
        "{callee:word}(): Expected 3D or 4D tensor, but got: {input:shape}",
        "Expected 3D or 4D tensor, but got {input:shape}",
        "{callee:word}: Expected 2D or 3D (batch mode) tensor with optional 0 dim batch size for"
        " input, but got:{input:shape}",
        "Expected 2 to 3 dimensions, but got {rank:n}-dimensional tensor for argument #1 'self'"
        " (while checking arguments for {callee:word})",
        "non-empty {_:n}D or {_:n}D (batch mode) tensor expected for input",
        "expected {least:n}D or {most:n}D input (got {rank:n}D input)",
        "expected {most:n}D input (got {rank:n}D input)",
        "input has to be 1D or 2D Tensor, but got Tensor of dimension {rank:n}",
    ),
    Pattern("features", "running_mean should contain {got:n} elements not {wants:n}"),
    Pattern(
        "trailing",
        "Given normalized_shape={wants:shape}, expected input with shape [{_:any}], but got input"
        " of size{input:shape}",
        "Given normalized_shape={wants:shape}, expected input with shape [{_:any}], but got input"
        " of size {input:shape}",
    ),
    Pattern(
        "group_features",
        "Expected weight to be a vector of size equal to the number of channels in input, but got"
        " weight of shape {weight:shape} and input of shape {input:shape}",
    ),
    Pattern(
        "groups",
        "Expected number of channels in input to be divisible by num_groups, but got input of"
        " shape {input:shape} and num_groups={groups:n}",
    ),
    Pattern(
        "features",
        "Mismatch of parameter numbers and input channel size. Found parameter numbers ="
        " {wants:n} and channel size = {got:n}",
    ),
    Pattern(
        "one_row",
        "Expected more than 1 value per channel when training, got input size {input:shape}",
        "Expected more than 1 spatial element when training, got input size {input:shape}",
    ),
    Pattern(
        "lookup_dtype",
        "Expected tensor for argument #1 'indices' to have one of the following scalar types:"
        " Long, Int; but got {got:dtype} instead",
        callee="embedding",
    ),
    Pattern("lookup_range", "index out of range in self"),
    Pattern("class_number", "Class values must be smaller than num_classes.", callee="one_hot"),
    Pattern(
        "one_hot_index",
        "one_hot is only applicable to index tensor",
        callee="one_hot",
    ),
)
