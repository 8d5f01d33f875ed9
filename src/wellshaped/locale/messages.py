"""What is said of a text that was pasted: a headline and a reason for each kind of it."""

from __future__ import annotations

from typing import Final

from wellshaped.locale import operation_messages

HEADLINES: Final[dict[str, str]] = {
    "loss": "a loss got operands whose shapes differ",
    "warned": "a loss stretched {input} and {target} against each other",
    "class_loss": "a loss for classes got scores {input} and a target {target}",
    "target_rows": "a loss for classes got scores for {rows} rows and a target {target}",
    "scores_rank": "a loss for classes got scores with axes it does not know, {input}",
    "target_axes": "a loss got a target with two or more axes, and takes a vector",
    "loss_rows": "a loss got scores and targets with different numbers of rows",
    "target_size": "a loss for classes takes a target {wants} for these scores and got {got}",
    "map_axes": "a loss for class maps got a target with {rank} axes, and takes three",
    "class_weights": "a loss for {classes} classes got weights of shape {weight}",
    "loss_weights": "a loss got weights of another shape than its input",
    "class_number": "a class number lies outside the classes that there are",
    "probability_range": "a loss of probabilities got values outside 0 to 1",
    "one_hot_dtype": "`cross_entropy` got a target of the scores' shape with whole numbers",
    "class_dtype": "a loss for classes got a target of dtype {got}",
    "variance": "`gaussian_nll_loss` got a variance whose shape does not fit the input",
    "variance_sign": "`gaussian_nll_loss` got a negative variance",
    "pair_axes": "`cosine_embedding_loss` got inputs {input1} and {input2}, and takes matrices",
    "triplet_axes": "a triplet loss got tensors with {anchor}, {positive} and {negative} axes",
    "ctc_lengths": "`ctc_loss` got `{lengths}` that are not one for each row of the batch",
    "ctc_too_long": "`ctc_loss` got a length of {got} in `{lengths}`, and has {wants} steps",
    "ctc_targets": "`ctc_loss` got targets with {got} entries on axis {axis}, and needs {wants}",
    "inner_sizes": "two sizes that are multiplied with each other differ, {inner} and {rows}",
    "inner": "two factors cannot be multiplied, {left} and {right}",
    "product_batch": "the second factor begins with {got}, and {wants} is needed",
    "matrix_axes": "a product of matrices got `{operand}` with another number of axes than two",
    "stack_axes": "a product of stacks of matrices got `{operand}` without three axes",
    "factor_axes": "a product got factors with {left} and {right} axes",
    "letter_size": "`einsum` met the letter `{letter}` with the sizes {wants} and {got}",
    "letter_count": "`einsum` names {wants} axes of an operand that has {got}",
    "factor_dtypes": "two factors have different dtypes, {left} and {right}",
    "channels": "a convolution takes {wants} channels and got {got}",
    "transposed_channels": "a transposed convolution takes {wants} channels and got {got}",
    "some_channels": "a convolution got another number of channels than it takes",
    "shuffled_channels": "`PixelShuffle` cannot deal its channels out to blocks",
    "conv_axes": "`{callee}` takes {least} or {most} axes and got {input}",
    "kernel": "a kernel or a pooling window is larger than the map it works on",
    "layer_bias": "a convolution with weight {weight} got a bias of shape {bias}",
    "layer_axes": "a layer got a tensor with a number of axes it does not take",
    "features": "a layer built for {wants} features got {got}",
    "trailing": "a layer that normalises {wants} got a tensor that does not end so",
    "group_features": "a `GroupNorm` with {weight} channels got {input}",
    "groups": "{input} has a number of channels that {groups} does not divide",
    "one_row": "a normalisation layer in training got {input}: one value for each channel",
    "lookup_dtype": "an embedding got numbers of dtype {got}",
    "lookup_range": "a number that looks up a row is not below the number of rows",
    "one_hot_index": "`one_hot` got class numbers of another dtype than int64",
    "rnn_features": "a recurrent layer takes {wants} features and got {got}",
    "rnn_axes": "`{callee}` takes {least} or {most} axes and got {rank}",
    "hidden": "a recurrent layer takes a state {wants} here and got {got}",
    "hidden_axes": "a recurrent layer got an input with {rank} axes and a state with {got}",
    "hidden_rows": "a recurrent cell got {wants} rows and a state for {got}",
    "hidden_width": "a recurrent cell has a state of width {wants} and got {got}",
    "rnn_dtype": "a recurrent layer of dtype {wants} got {got}",
    "lengths_count": "`pack_padded_sequence` got {got} lengths for {wants} sequences",
    "lengths_order": "`pack_padded_sequence` got lengths that are not sorted",
    "lengths_zero": "`pack_padded_sequence` got a length of zero",
    "lengths_axes": "`pack_padded_sequence` got lengths with {rank} axes on `{device}`",
    "cut_beyond": "a slice from {start} of {length} steps leaves an axis of size {size}",
    "embed": "attention got tensors of another width than it was built for",
    "key_value": "attention got keys {key} and values {value}",
    "mask_shape": "attention got a mask {got}, and needs {wants}",
    "padding_mask": "attention got a padding mask with {got} on axis {axis}, and needs {wants}",
    "attention_axes": "attention got queries, keys and values with axes that do not go together",
    "heads": "attention has a width that its number of heads does not divide",
    "source_rows": "a transformer got source and target with different numbers of rows",
    "attention_dtypes": "attention got {query} queries, {key} keys and {value} values",
    "mask_dtype": "attention got a mask of dtype {got}",
    "joined": "tensors joined along axis {axis} differ on another axis, {wants} and {got}",
    "joined_axes": "tensors that are joined have {wants} and {got} axes",
    "joined_scalar": "a tensor without axes was to be joined, at place {place}",
    "joined_none": "nothing was given to be joined",
    "stacked": "tensors that are stacked have different shapes",
    "ragged": "samples of different sizes do not make a batch",
    "ragged_lists": "nested lists of lengths {wants} and {got} do not make a tensor",
    "view": "a tensor with {count} elements does not fill {sizes}",
    "view_two": "two sizes of a view are left open with -1",
    "view_strides": "a view would join axes that do not lie one behind the other in memory",
    "unflatten": "an axis of size {count} cannot be cut into {sizes}",
    "expand": "{input} cannot be stretched to {sizes}",
    "expand_few": "`expand` got {sizes} for {input}, which has more axes",
    "repeat_few": "`repeat` got fewer numbers than the tensor has axes",
    "broadcast": "two tensors meet on axis {axis} with the sizes {left_size} and {right_size}",
    "broadcast_shapes": "two tensors meet whose shapes do not go together, {left} and {right}",
    "in_place": "a result of shape {full} does not fit into the tensor {out} it is put into",
    "no_axis": "an operation names axis {axis}, and the axes go from {least} to {most}",
    "no_axes": "an operation names axis {axis} of a tensor without axes",
    "many_indices": "an index names more axes than the {rank} that there are",
    "permute": "`permute` got {given} axes for a tensor with {rank}",
    "unpack": "{wants} names stand before a thing with another number of parts",
    "scalar": "a tensor without axes was used as if it had one",
    "index_range": "index {index} lies beyond axis {axis}, which has size {size}",
    "mask": "a mask {mask} does not cover the tensor {input} it selects from",
    "index_shapes": "indices of shapes {first} and {second} do not go together",
    "index_value": "a value of shape {value} was put into a place of shape {wants}",
    "index_dtype": "something that is not whole numbers was used as an index",
    "gather_axes": "an index has another number of axes than the tensor it picks from",
    "gather_vector": "`index_select` takes a vector of indices",
    "gather": "an index {index} is larger than the tensor {input} beside axis {dim}",
    "gather_source": "an index {index} is larger than the source {src}",
    "split": "parts {sizes} do not make up axis {axis}, which has size {wants}",
    "top": "`topk` asks for more entries than the axis has",
    "one_value": "a tensor with several values was used as one number",
    "not_scalar": "`backward()` was called on a tensor with several values",
    "no_grad": "`backward()` was called on a tensor that depends on no parameter",
    "gradient_shape": "a gradient has the shape {got}, and its tensor {wants}",
    "grad_dtype": "a tensor of whole numbers was asked for gradients",
    "saved_shape": "the saved `{name}` has shape {got}, the model's {wants}",
    "layer_dtype": "a layer with a {part} of dtype {wants} got an input of dtype {got}",
    "found_dtype": "a tensor of dtype {got} stands where {wants} is needed",
    "scalar_type": "a tensor of dtype {got} stands where {wants} is needed",
    "cast": "a result of dtype {got} was to be put into a tensor of dtype {wants}",
    "mixed": "an operation got tensors of different dtypes",
    "not_float": "an operation for numbers with fractions got {got}",
    "mask_not_bool": "a mask of dtype {got} stands where truth values are needed",
    **operation_messages.HEADLINES,
}

WHYS: Final[dict[str, str]] = {
    "loss": "The loss pairs its operands element by element, and takes one shape for all.",
    "warned": "Broadcasting pairs axes from the right. The value is an average over pairs that "
    "do not belong together, and training goes on with it.",
    "class_loss": "The classes stand on axis 1 of the scores. The target has one class number "
    "for each row and position, so it has the other axes of the scores.",
    "target_rows": "The target is a vector with one class number for each row of the scores.",
    "scores_rank": "This loss takes scores `(B, C)` or `(C,)` and no axes behind them.",
    "target_axes": "One class number, or one label, is expected for each row. A second axis "
    "of size 1 is a column, one with a place for each class is a one-hot table.",
    "loss_rows": "The first axis counts the rows on both sides. Where one number is a multiple "
    "of the other, one side is flattened, or a `view` moved entries into the batch axis.",
    "target_size": "The loss reads the classes from axis 1 of the scores, and expects the target "
    "to have the axes that are left. Scores with the classes last put another axis there.",
    "map_axes": "Scores `(B, C, H, W)` have one class number for each pixel: `(B, H, W)`. A "
    "fourth axis is a channel, or a place for each class.",
    "class_weights": "There is one weight for each class, and the classes are counted on axis 1 "
    "of the scores.",
    "loss_weights": "Each element has a weight of its own here: nothing is stretched.",
    "class_number": "Class numbers count from 0 to one less than the number of scores in a row. "
    "Labels that count from 1, or an output for too few classes, go beyond it.",
    "probability_range": "This loss takes probabilities. Raw scores have to go through a sigmoid "
    "first, or into the loss that applies it itself, `binary_cross_entropy_with_logits`.",
    "one_hot_dtype": "A target of the scores' shape holds probabilities, which have fractions. "
    "Class numbers have no axis for the classes.",
    "class_dtype": "Class numbers are of dtype int64.",
    "variance": "The variance has the shape of the input, or lacks its last axis, or has size 1 "
    "there.",
    "variance_sign": "A variance is a squared width: an output of the model becomes one by `exp` "
    "or `softplus`.",
    "pair_axes": "With a target for each row, both inputs are `(B, features)`.",
    "triplet_axes": "Anchor, positive and negative are compared row by row.",
    "ctc_lengths": "Scores come as `(T, B, C)`: the batch is axis 1. With the batch first, "
    "`(B, T, C)`, the loss takes the number of steps for the number of rows.",
    "ctc_too_long": "Scores come as `(T, B, C)`: the steps are axis 0.",
    "ctc_targets": "Targets come as `(B, S)` with at least as many entries as the longest one.",
    "inner_sizes": "The last axis of the input is multiplied with the weights, one for each "
    "feature.",
    "inner": "The columns of the first are paired with the rows of the second. In a `Linear` "
    "the second is its weight: rows are `in_features`, and all axes before the last are "
    "merged into the rows of the first.",
    "product_batch": "Stacks of matrices are multiplied one by one: the batch sizes are equal, "
    "and the rows of each second matrix are the columns of the first.",
    "matrix_axes": "`mm` and `addmm` take matrices; `matmul` takes stacks of them too.",
    "stack_axes": "`bmm` takes stacks of matrices, `(B, N, M)`; `matmul` takes any.",
    "factor_axes": "A factor without axes is a number: it multiplies with `*`.",
    "letter_size": "One letter stands for one size in all operands.",
    "letter_count": "Each axis of an operand has a letter, or an ellipsis stands for the rest.",
    "factor_dtypes": "Products do not convert. Weights are float32 unless they were made "
    "otherwise; numbers that come from NumPy are float64.",
    "channels": "The channels are axis 1 of `(B, C, ...)`, and axis 0 of one sample.",
    "transposed_channels": "The channels are axis 1 of `(B, C, ...)`, and axis 0 of one sample.",
    "some_channels": "The channels are axis 1 of `(B, C, ...)`, and axis 0 of one sample.",
    "shuffled_channels": "The layer before must give a multiple of the square of the factor.",
    "conv_axes": "One axis is the channels, and one more the batch.",
    "kernel": "Each layer with a stride or without padding makes the map smaller. The input is "
    "too small for this many of them, or its axes are in another order.",
    "layer_bias": "There is one bias for each output channel.",
    "layer_axes": "One axis is the channels and the others are positions; some layers take one "
    "sample too, some a batch only.",
    "features": "The features are read from axis 1. Embeddings and recurrent layers give them "
    "on the last axis.",
    "trailing": "The layer normalises the last axes, and has a scale for each entry of them.",
    "group_features": "The channels are read from axis 1.",
    "groups": "Channels are cut into groups of equal size.",
    "one_row": "A single value has no spread to normalise by. The last batch of an epoch may "
    "have one row.",
    "lookup_dtype": "An embedding looks rows up by their number: whole numbers only.",
    "lookup_range": "An embedding with N rows takes the numbers 0 to N - 1. The vocabulary is "
    "larger than the table, or a number means something else.",
    "one_hot_index": "Class numbers are of dtype int64.",
    "rnn_features": "The features stand on the last axis, and are as many as `input_size`.",
    "rnn_axes": "A batch is `(B, T, features)` with `batch_first=True`, `(T, B, features)` "
    "without.",
    "hidden": "A state is `(layers x directions, B, width)`, with `batch_first=True` too. A "
    "state kept from a batch of another size has other rows.",
    "hidden_axes": "An input with three axes is a batch and has a state with three; one with two "
    "is a single sequence.",
    "hidden_rows": "The state has one row for each row of the input. A state kept from a batch "
    "of another size has other rows.",
    "hidden_width": "The state has as many columns as `hidden_size`.",
    "rnn_dtype": "Layers do not convert. Numbers that come from NumPy are float64.",
    "lengths_count": "There is one length for each sequence. Sequences are counted on axis 1, "
    "or on axis 0 with `batch_first=True`.",
    "lengths_order": "Longest first, unless `enforce_sorted=False` is given.",
    "lengths_zero": "A sequence without a single step cannot be packed.",
    "lengths_axes": "Lengths are a vector of int64 on the CPU.",
    "cut_beyond": "The axis ends before the slice does. Packed sequences give this where a "
    "length goes beyond the steps that there are.",
    "embed": "The last axis of queries, keys and values has the width of the layer.",
    "key_value": "Keys and values belong together one by one.",
    "mask_shape": "A mask has a row for each query and a column for each key; with three axes, "
    "one such table for each row of the batch and head.",
    "padding_mask": "A padding mask is `(B, number of keys)`, whatever `batch_first` is.",
    "attention_axes": "All three have the same number of axes: three for a batch, two without.",
    "heads": "Each head works on an equal part of the width.",
    "source_rows": "The batch is axis 1, or axis 0 with `batch_first=True`.",
    "attention_dtypes": "All three have one dtype.",
    "mask_dtype": "A mask holds truth values, or numbers that are added to the scores.",
    "joined": "Tensors are put behind each other along one axis, and agree on all others.",
    "joined_axes": "Tensors that are joined have the same number of axes.",
    "joined_scalar": "A number has no axis to be joined along. A `squeeze` of a batch with one "
    "row leaves such a tensor.",
    "joined_none": "A list that was to be filled by a loop is empty.",
    "stacked": "Stacking puts tensors of one shape side by side. A `DataLoader` does this with "
    "the samples of a batch.",
    "ragged": "A batch is one tensor: its samples have one shape. Sequences are padded first, "
    "in a `collate_fn`.",
    "ragged_lists": "A tensor has no ragged edge: shorter lists are padded first.",
    "view": "A view has as many elements as its tensor. A batch size written as a number is "
    "wrong for the last batch.",
    "view_two": "One size at most can follow from the others.",
    "view_strides": "A tensor that was transposed or permuted is in another order than its "
    "memory. `reshape` copies where it must.",
    "unflatten": "The parts multiply up to the size of the axis.",
    "expand": "Shapes are aligned from the right; an axis is stretched where its size is 1. "
    "Assigning to a part of a tensor stretches too.",
    "expand_few": "Each axis has its size; further ones are added in front.",
    "repeat_few": "Each axis has its number; further ones are added in front.",
    "broadcast": "Shapes are aligned from the right, and an axis is stretched only where its "
    "size is 1. The text does not say which tensors meet, nor their other axes.",
    "broadcast_shapes": "Shapes are aligned from the right, and an axis is stretched only where "
    "its size is 1.",
    "in_place": "An operation in place keeps the shape of the tensor it changes.",
    "no_axis": "The tensor has fewer axes than the operation counts on. A `squeeze` of a batch "
    "with one row takes the batch axis away.",
    "no_axes": "A `squeeze` of a batch with one row takes the batch axis away.",
    "many_indices": "The tensor has fewer axes than the index counts on.",
    "permute": "Each axis is named once.",
    "unpack": "Where a shape is taken apart, the tensor has another number of axes than there "
    "are names.",
    "scalar": "A `squeeze` of a batch with one row, or a mean over everything, leaves a tensor "
    "without axes.",
    "index_range": "Indices count from 0 to one less than the size of the axis.",
    "mask": "A mask has the sizes of the axes it stands for.",
    "index_shapes": "Indices are paired element by element.",
    "index_value": "The value is stretched to the place it is put into, where its sizes are 1.",
    "index_dtype": "Indices are whole numbers, or truth values where they are a mask.",
    "gather_axes": "The index has one entry for each entry of the result: a vector of class "
    "numbers needs an axis of size 1 behind it.",
    "gather_vector": "It picks whole rows; `gather` picks single entries.",
    "gather": "Beside the axis that is picked from, index and tensor are paired.",
    "gather_source": "Each entry of the index takes one entry of the source.",
    "split": "The parts follow one another and leave nothing over.",
    "top": "The number of entries asked for is at most the size of the axis.",
    "one_value": "Only a tensor with a single value is a number. A loss with "
    '`reduction="none"` has one for each element.',
    "not_scalar": "A gradient is that of one number. A loss with `reduction=\"none\"` has one "
    "for each element: its mean or sum is a number.",
    "no_grad": "The way back to the parameters is cut: by `detach`, `item`, `no_grad`, by "
    "`torch.tensor(...)` around a result, or by whole numbers.",
    "gradient_shape": "A gradient has one entry for each entry of its tensor.",
    "grad_dtype": "Only numbers with fractions have gradients.",
    "saved_shape": "The weights were saved from a model that was built with other sizes.",
    "layer_dtype": "Layers do not convert. Numbers that come from NumPy are float64, images "
    "are often uint8.",
    "found_dtype": "Nothing is converted here. Numbers that come from NumPy are float64, "
    "labels are often int64.",
    "scalar_type": "Nothing is converted here. Numbers that come from NumPy are float64, "
    "labels are often int64.",
    "cast": "A number with fractions does not fit into a tensor of whole numbers. Labels of "
    "dtype int64 in a loss that takes probabilities give this.",
    "mixed": "Nothing is converted here. Numbers that come from NumPy are float64.",
    "not_float": "Means, losses and normalisation need fractions.",
    "mask_not_bool": "A mask holds truth values: `mask.bool()`, or a comparison.",
    **operation_messages.WHYS,
}  # fmt: skip

PHRASES: Final[dict[str, str]] = {
    "may_be": "may be",
    "told": "told",
    "open": "the text leaves open which; `wellshaped run script.py` looks at the tensors",
    "unseen": "read from the text alone: `wellshaped run script.py` looks at the tensors",
    "reading": "reading {place} of {count}: the text leaves open which it is; "
    "`wellshaped run script.py` looks at the tensors",
    "given": "text",
    "unknown": "this text is not one of torch's about shapes or dtypes that is known here",
}
