"""What sliding windows say: kernels, pooling, padding, folding and their options."""

from wellshaped.observe.message.notation import Pattern

PATTERNS = (
    Pattern(
        "kernel",
        "Given input with spatial size {size:shape}, kernel_size={kernel:shape},"
        " dilation={_:shape}, padding={_:shape}, calculated shape of the array of sliding"
        " blocks as {out:shape}",
    ),
    Pattern(
        "kernel",
        "maximum size for tensor at dimension {axis:n} is {size:n} but size is {kernel:n}",
    ),
    Pattern(
        "kernel",
        "fractional_max_pool{_:n}d(): pool {_:word} {kernel:n} too large relative to input"
        " {_:word} {size:n}",
    ),
    Pattern(
        "kernel",
        "Given input size per channel: ({size:by}). Calculated output size per channel:"
        " ({_:any}). Output size is too small",
    ),
    Pattern(
        "kernel",
        "Invalid computed output size: {out:n}",
    ),
    Pattern(
        "option",
        "requested an output size of {got:shape}, but valid sizes range from {least:shape}"
        " to {most:shape} (for an input of {input:shape})",
        callee="ConvTranspose",
        option="output_size",
        rule="{least} ... {most}",
    ),
    Pattern(
        "option",
        "Padding size should be less than the corresponding input dimension, but got:"
        " padding {got:shape} at dimension {axis:n} of input {input:shape}",
        callee="pad",
        option="pad",
        rule="< input.size({axis})",
    ),
    Pattern(
        "setting",
        "pad should be at most half of effective kernel size, but got pad={got:n},"
        " kernel_size={kernel:n}",
        "padding should be at most half of kernel size, but got padding={got:n} and"
        " kernel_size={kernel:n}",
        option="padding",
        rule="<= kernel_size / 2",
    ),
    Pattern(
        "setting",
        "output padding must be smaller than either stride or dilation, but got"
        " output_padding_height: {got:n}",
        option="output_padding",
        rule="< stride, < dilation",
    ),
    Pattern(
        "setting",
        "{option:word} must be non-negative, but got {_:word}: {got:real}",
        "{option:word} must be non-negative, but got {got:real}",
        "{option:word} must be non-negative but got {got:real}",
        "{option:word} must be non-negative, got{got:real}",
        rule=">= 0",
    ),
    Pattern(
        "setting",
        "{option:word} must be greater than zero, but got {got:real}",
        "kernel size should be greater than zero, but got {option:word}: {got:n}",
        "stride should be greater than zero, but got {option:word}: {got:n}",
        "dilation should be greater than zero, but got {option:word}: {got:n}",
        rule="> 0",
    ),
    Pattern(
        "setting_open",
        "stride should not be zero",
        option="stride",
        rule="!= 0",
    ),
    Pattern(
        "setting_open",
        "non-positive {option:word} is not supported",
        rule="> 0",
    ),
    Pattern(
        "setting_open",
        "negative {option:word} is not supported",
        rule=">= 0",
    ),
    Pattern(
        "setting_open",
        "divisor must be not zero",
        option="divisor_override",
        rule="!= 0",
    ),
    Pattern(
        "count",
        "expected {option:word} to be a single integer value or a list of {wants:n} values"
        " to match the convolution dimensions, but got {_:word}={got:shape}",
        "{option:word} must be an int, list of ints or tuple of ints of size {wants:n} but"
        " got size {got:n}",
    ),
    Pattern(
        "count",
        "output_size should be a sequence containing {wants:n} or {_:n} elements, but it"
        " has a length of '{got:n}'",
        "for {_:n}D input, output_size must have {wants:n} or {_:n} elements (got {got:n})",
        option="output_size",
    ),
    Pattern(
        "option_open",
        "{callee:word}: {option:word} must either be a single int, or a tuple of {_:word} ints",
        "{callee:word}: {option:word} must either be omitted, a single int, or a tuple of"
        " {_:word} ints",
        "{callee:word}: {option:word} must be either a single int, or a tuple of {_:word} ints",
        "{callee:word}: {option:word} must either be a single Int or tuple of Ints",
        "{callee:word}(): internal error: {option:word}.size() must be {_:n}",
        rule="int, tuple",
    ),
    Pattern(
        "option_open",
        "{callee:word}: output_size must be {_:n}",
        option="output_size",
        rule="int, tuple",
    ),
    Pattern(
        "option_open",
        "Padding length must be divisible by 2",
        callee="pad",
        option="pad",
        rule="len(pad) == 2 * n",
    ),
    Pattern(
        "option",
        "Padding length should be less than or equal to two times the input dimension but"
        " got padding length {got:n} and input of dimension {rank:n}",
        callee="pad",
        option="pad",
        rule="len(pad) <= 2 * {rank}",
    ),
    Pattern(
        "option",
        "Got shape with {got:n} values but input tensor only has {most:n} dimensions",
        callee="fft",
        option="s",
        rule="len(s) <= {most}",
    ),
    Pattern(
        "option",
        "Input and scale_factor must have the same number of spatial dimensions, but got"
        " input with spatial dimensions of {wants:shape} and scale_factor of shape"
        " {got:shape}",
        callee="interpolate",
        option="scale_factor",
        rule="len(scale_factor) == len({wants})",
    ),
    Pattern(
        "option",
        "Input and output must have the same number of spatial dimensions, but got input"
        " with spatial dimensions of {wants:shape} and output size of {got:shape}",
        callee="interpolate",
        option="size",
        rule="len(size) == len({wants})",
    ),
    Pattern(
        "count",
        "expected total rotation dims == {wants:n}, but got dims = {got:n}",
        callee="rot90",
        option="dims",
    ),
    Pattern(
        "option",
        "{callee:word}: If dim is specified, it must be of length 1 or {wants:n}. Got {got:shape}",
        option="dim",
        rule="len(dim) <= {wants}",
    ),
    Pattern(
        "option_open",
        "'len(size) == sparse_dim + dense_dim' is not satisfied",
        callee="sparse_coo_tensor",
        option="size",
        rule="len(size) == sparse_dim + dense_dim",
    ),
    Pattern(
        "option",
        'invalid output_size "{got:shape}" (dim {axis:n} must be between {least:n} and {most:n})',
        callee="max_unpool",
        option="output_size",
        rule="{least} ... {most}",
    ),
    Pattern(
        "empty_axis",
        "{callee:word}(): Expected input to have non-zero size for non-batch dimensions,"
        " but input has sizes {input:shape} with dimension {axis:n} being empty",
        "{callee:word}(): expected input to have non-empty spatial dimensions, but input"
        " has sizes {input:shape} with dimension {axis:n} being empty",
        "{callee:word}(): Expected reduction dim {axis:n} to have non-zero size",
        "{callee:word}: Expected reduction dim {axis:n} to have non-zero size",
    ),
    Pattern(
        "sizes_zero",
        "Input and output sizes should be greater than 0, but got input (H: {_:n}, W:"
        " {_:n}) output (H: {got:n}, W: {_:n})",
        "Expected non-zero, positive output size. Got {got:shape}",
        "Non-empty 4D data tensor expected but got a tensor with sizes {got:shape}",
        "Trying to create tensor with negative dimension {_:n}: {got:shape}",
        "invalid shape dimension {got:n} at index {_:n} of shape {sizes:shape}",
        "elements of output_size must be greater than or equal to 0 but received {{{got:n}",
    ),
    Pattern(
        "index_beyond",
        "Found an invalid max index: {index:n} (output volumes are of size {size:by})",
    ),
)
