"""What operations say of sizes that do not agree, or that they cannot cut."""

from wellshaped.observe.message.notation import Pattern

PATTERNS = (
    Pattern(
        "size_wrong",
        "expected the frequency dimension (3rd to the last) of the input tensor to match"
        " n_fft / 2 + 1 when onesided=True, but got {got:n}",
        callee="istft",
        operand="input",
        wants="n_fft / 2 + 1",
    ),
    Pattern(
        "square",
        "{callee:word}: A must be batches of square matrices, but they are {rows:n} by"
        " {columns:n} matrices",
        "{callee:word}: {_:word} must be batches of square matrices, but they are {rows:n}"
        " by {columns:n} matrices",
    ),
    Pattern(
        "sizes_differ",
        "{callee:word}() the last dimension must match on both input tensors but got shapes"
        " {left:shape} and {right:shape}",
        "{callee:word}: Incompatible shapes of A and B for the equation AX = B ({left:by}"
        " and {right:by})",
        "Incompatible matrix sizes for {callee:word} ({left:by} and {right:by})",
        "Incompatible matrix sizes for {callee:word}: each A matrix is {left:n} by {_:n}"
        " but each b matrix is {right:n} by {_:n}",
        "{callee:word}(): tensors {_:n} and {_:n} with shapes {left:shape} and"
        " {right:shape} cannot be multiplied",
        "{callee:word}(): input batch dimensions do not match at dim {axis:n}: got {left:n}"
        " and {right:n}",
        "{callee:word}(): Number of indices ({left:n}) should be equal to source.size(dim):"
        " ({right:n})",
        "{callee:word}(): Number of indices ({left:n}) should be equal to source.size(dim)"
        " ({right:n})",
        "{callee:word}(): Source/destination tensor must have same slice shapes."
        " Destination slice shape: {left:by} at dimension {_:n} and source slice shape:"
        " {right:by}",
        "{callee:word}(): Expected source and index to have the same number of elements,"
        " but got source.numel() = {left:n}, index.numel() = {right:n}",
        "{callee:word}(): boundary and sorter must have the same size, but got boundary"
        " tensor {left:shape}and got sorter tensor {right:shape}",
        "{callee:word}(): boundaries tensor should be 1 dimension or the first N-1"
        " dimensions of boundaries tensor and input value tensor must match, but we got"
        " boundaries tensor {left:shape} and input value tensor {right:shape}",
        "{callee:word}(): expected {_:word} to have the same numel as there are"
        " observations in the input but got {left:n} != {right:n}",
        "{callee:word}: Expected all tensors to have the same size in the mapped dimension,"
        " got sizes [{left:n}, {right:n}]",
        "{callee:word}: If per_sample_weights ({left:shape}) is not None, then it must have"
        " the same shape as the input ({right:shape})",
        "{callee:word}(): expected grid and input to have same batch size, but got input"
        " with sizes {left:shape} and grid with sizes {right:shape}",
    ),
    Pattern(
        "sizes_differ",
        "batch1 and batch2 must have same number of batches, got {left:n} and {right:n}",
        callee="baddbmm",
    ),
    Pattern(
        "sizes_differ",
        "contracted dimensions need to match, but first has size {left:n} in dim {_:n} and"
        " second has size {right:n} in dim {_:n}",
        callee="tensordot",
    ),
    Pattern(
        "sizes_differ",
        "source tensor shape must match self tensor shape, excluding the specified"
        " dimension. Got self.shape = {left:shape} source.shape = {right:shape}",
        callee="index_add_",
    ),
    Pattern(
        "sizes_differ",
        "repeats must have the same size as input along dim, but got repeats.size(0) ="
        " {left:n} and input.size({_:n}) = {right:n}",
        callee="repeat_interleave",
    ),
    Pattern(
        "sizes_differ",
        "Expected self to satisfy the requirement prod(self.shape[{_:any}]) =="
        " prod(self.shape[{_:any}]), but got {left:n} != {right:n}",
        callee="tensorsolve` / `tensorinv",
    ),
    Pattern(
        "sizes_differ",
        "expected src to have a size equal to the slice of self. src size = {left:shape},"
        " slice size = {right:shape}",
        callee="diagonal_scatter` / `select_scatter` / `slice_scatter",
    ),
    Pattern(
        "sizes_differ",
        "Expected shape of indices to be same as that of the input tensor ({left:shape})"
        " but got indices tensor with shape: {right:shape}",
        callee="max_unpool",
    ),
    Pattern(
        "sizes_differ",
        "key's sequence and batch dims {left:shape} do not match value's {right:shape}",
        callee="multi_head_attention_forward",
    ),
    Pattern(
        "sizes_differ",
        "indices and values must have same nnz, but got nnz from indices: {left:n}, nnz"
        " from values: {right:n}",
        callee="sparse_coo_tensor",
    ),
    Pattern(
        "sizes_differ",
        "The right-most size of value must match event_shape: {left:shape} vs {right:shape}",
        callee="log_prob",
    ),
    Pattern(
        "sizes_differ",
        "`mixture_distribution component` ({left:n}) does not equal"
        " `component_distribution.batch_shape[-1]` ({right:n})",
        callee="MixtureSameFamily",
    ),
    Pattern(
        "sizes_differ",
        "The values for attribute 'shape' do not match: {left:shape} != {right:shape}",
        callee="assert_close",
    ),
    Pattern(
        "sizes_differ",
        "shifts and dimensions must align. shifts: {left:n}, dims:{right:n}",
        callee="roll",
    ),
    Pattern(
        "sizes_differ",
        "Invalid source or destination dims: source ({left:shape} dims) should contain the"
        " same number of dims as destination ({right:shape} dims)",
        callee="movedim",
    ),
    Pattern(
        "sizes_differ_open",
        "{callee:word}: {operand:word}.size({_:n}) should match {other:word}.size({_:n})",
    ),
    Pattern(
        "sizes_differ_open",
        "{callee:word}: {operand:word}.shape[-1] must be greater than or equal to"
        " {other:word}.shape[-1]",
        "{callee:word}: {operand:word}.shape[-1] must be equal to min({other:word}.shape[-2]",
    ),
    Pattern(
        "sizes_differ_open",
        "{callee:word}: There must be one `{operand:word}` value for each sample point",
        other="y",
    ),
    Pattern(
        "sizes_differ_open",
        "Input dim 2 (input channels) is not == dim 1 in the weight tensor",
        callee="conv_tbc",
        operand="input",
        other="weight",
    ),
    Pattern(
        "sizes_differ_open",
        "Bias size must equal dim 2 in the weight tensor",
        callee="conv_tbc",
        operand="bias",
        other="weight",
    ),
    Pattern(
        "sizes_differ_open",
        "Shape of weight does not match num_embeddings and embedding_dim",
        callee="Embedding",
        operand="_weight",
        other="num_embeddings, embedding_dim",
    ),
    Pattern(
        "sizes_differ_open",
        "weights should be 1-d and have the same length as input",
        callee="bincount",
        operand="weights",
        other="input",
    ),
    Pattern(
        "sizes_differ_open",
        "mismatch in length of strides and shape",
        callee="as_strided",
        operand="stride",
        other="size",
    ),
    Pattern(
        "sizes_differ_open",
        "both dimension lists should have same length",
        callee="tensordot",
        operand="dims[0]",
        other="dims[1]",
    ),
    Pattern(
        "sizes_differ_open",
        "in_shape, out_shape have different numbers of elements",
        callee="ReshapeTransform",
        operand="in_shape",
        other="out_shape",
    ),
    Pattern(
        "sizes_differ_open",
        "Number of elements of source < number of ones in mask",
        callee="masked_scatter",
        operand="source",
        other="mask",
    ),
    Pattern(
        "sizes_differ_open",
        "Size mismatch between tensors",
        callee="TensorDataset",
        operand="tensors[0]",
        other="tensors",
    ),
    Pattern(
        "sizes_differ_open",
        "Size mismatch between datasets",
        callee="StackDataset",
        operand="datasets[0]",
        other="datasets",
    ),
    Pattern(
        "sizes_differ_open",
        "Sum of input lengths does not equal the length of the input dataset",
        callee="random_split",
        operand="lengths",
        other="dataset",
    ),
    Pattern(
        "size_wrong",
        "{callee:word}: inputs dimension {axis:n} must have length {wants:n}. Got {got:n}"
        " and {_:n}",
        operand="input",
    ),
    Pattern(
        "size_wrong",
        "{callee:word}(): expected {operand:word} to have size {wants:n} in last dimension,"
        " but got grid with sizes {got:shape}",
        "{callee:word}: Argument #{place:n} ({operand:word}): Expected dim {axis:n} size"
        " {wants:n}, got {got:n}",
    ),
    Pattern(
        "size_wrong",
        "{callee:word}(): When source is scalar, index should have one element (got {got:n})",
        operand="index",
        wants=1,
    ),
    Pattern(
        "size_wrong",
        "Expected {operand:word} to be of same shape as normalized_shape, but got {_:word}"
        " of shape {got:shape} and normalized_shape = {wants:shape}",
        callee="layer_norm",
    ),
    Pattern(
        "sizes_differ",
        "Expected bias to be a vector of size equal to the number of channels in input, but"
        " got bias of shape {left:shape} and input of shape {right:shape}",
        callee="group_norm",
    ),
    Pattern(
        "size_wrong",
        "{operand:word} should contain {wants:n} elements not {got:n}",
        callee="batch_norm",
    ),
    Pattern(
        "size_wrong",
        "Expected `{operand:word}` shape to be {wants:shape} but got {got:shape}",
        "expecting key weights shape of {wants:shape}, but got {got:shape}",
        "expecting value weights shape of {wants:shape}, but got {got:shape}",
        callee="multi_head_attention_forward",
        operand="k_proj_weight` / `v_proj_weight",
    ),
    Pattern(
        "size_wrong",
        "Expected a batch of 2D affine matrices of shape Nx2x3 for size {size:shape}. Got"
        " {got:shape}",
        callee="affine_grid",
        operand="theta",
        wants="(N, 2, 3)",
    ),
    Pattern(
        "size_wrong",
        "v has invalid size: should be {wants:shape} but got {got:shape}",
        callee="autograd.functional",
        operand="v",
    ),
    Pattern(
        "size_wrong",
        "expected size of input's dimension {axis:n} to match the calculated number of"
        " sliding blocks {_:any} = {wants:n}, but got input.size({_:n})={got:n}",
        callee="fold",
        operand="input",
    ),
    Pattern(
        "size_wrong",
        "expected a 1D window tensor of size equal to win_length={wants:n}, but got window"
        " with size {got:shape}",
        callee="stft",
        operand="window",
    ),
    Pattern(
        "size_wrong_open",
        "no dimension of size {wants:n} in input",
        callee="cross",
        operand="input",
    ),
    Pattern(
        "size_wrong_open",
        "Tensor must have a last dimension of size {wants:n}",
        callee="view_as_complex",
        operand="input",
    ),
    Pattern(
        "size_wrong_open",
        "{operand:word} must be a batch of vectors with shape {wants:shape}",
        "{operand:word} must be a batch of matrices with shape {wants:n} x m",
        callee="LowRankMultivariateNormal",
    ),
    Pattern(
        "size_wrong_open",
        "Halving dimension must be even, but dimension {axis:n} is size {got:n}",
        callee="glu",
        operand="input",
        wants="2 * n",
    ),
    Pattern(
        "features",
        "expected input's size at dim=1 to match num_features ({wants:n}), but got: {got:n}",
    ),
    Pattern(
        "divides",
        "pixel_unshuffle expects {operand:word} to be divisible by downscale_factor, but"
        " input.size({_:n})={got:n} is not divisible by {divisor:n}",
        callee="pixel_unshuffle",
    ),
    Pattern(
        "divides",
        "{callee:word} attempted to split along dimension {axis:n}, but the size of the"
        " dimension {got:n} is not divisible by the split_size {divisor:n}",
        operand="input",
    ),
    Pattern(
        "divides",
        "Number of channels must be divisible by groups. Got {got:n} channels and"
        " {divisor:n} groups",
        callee="channel_shuffle",
        operand="channels",
    ),
    Pattern(
        "divides",
        "num_channels ({got:n}) must be divisible by num_groups ({divisor:n})",
        callee="GroupNorm",
        operand="num_channels",
    ),
    Pattern(
        "divides",
        "self.size(-1) must be divisible by {divisor:n} to view {_:word} as {_:word}"
        " (different element sizes), but got {got:n}",
        callee="view",
        operand="input",
    ),
    Pattern(
        "divides",
        "Expected size of input's dimension {axis:n} to be divisible by the product of"
        " kernel_size, but got input.size({_:n})={got:n} and kernel_size={divisor:shape}",
        callee="fold",
        operand="input",
    ),
    Pattern(
        "divides",
        "Given groups={_:n}, expected weight to be divisible by {divisor:n} at dimension 0,"
        " but got weight of size [{got:shape}] instead",
        "Given groups={_:n}, expected weight to be at least {divisor:n} at dimension 0, but"
        " got weight of size {got:shape} instead",
        callee="conv",
        operand="weight",
    ),
    Pattern(
        "option_open",
        "in_channels must be divisible by groups",
        callee="Conv",
        option="in_channels",
        rule="groups * n",
    ),
    Pattern(
        "option_open",
        "out_channels must be divisible by groups",
        callee="Conv",
        option="out_channels",
        rule="groups * n",
    ),
    Pattern(
        "option_open",
        "dim 0 must be divisible by groups",
        callee="dirac_",
        option="tensor.size(0)",
        rule="groups * n",
    ),
    Pattern(
        "option_open",
        "Number of heads in key and value must divide the number of heads in",
        callee="scaled_dot_product_attention",
        option="query.size(-3)",
        rule="key.size(-3) * n",
    ),
)
