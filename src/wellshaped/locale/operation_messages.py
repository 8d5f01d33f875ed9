"""What is said of a pasted text about an operation, an option, a type or a value, by its kind."""

from __future__ import annotations

from typing import Final

HEADLINES: Final[dict[str, str]] = {
    "rank": "`{callee}` needs `{needs}` axes for `{operand}` and got {got}",
    "rank_open": "`{callee}` got `{operand}` with another number of axes than `{needs}`",
    "ranks_differ": "`{callee}` got tensors with different numbers of axes, {left} and {right}",
    "mask_rank": "attention got `{operand}` with {got} axes",
    "square": "`{callee}` takes square matrices and got {rows} by {columns}",
    "sizes_differ": "`{callee}` got sizes that do not agree, {left} and {right}",
    "sizes_differ_open": "`{callee}` got `{operand}` and `{other}` whose sizes do not agree",
    "size_wrong": "`{callee}` needs {wants} for `{operand}` and got {got}",
    "size_wrong_open": "`{callee}` needs {wants} for `{operand}` and got another size",
    "divides": "`{callee}` got {got} for `{operand}`, which {divisor} does not divide",
    "sizes_zero": "a size is zero or negative: {got}",
    "empty_axis": "`{callee}` got a tensor whose axis {axis} is empty",
    "empty": "`{callee}` got nothing to work on",
    "view_zero": "an empty tensor was to be viewed as {sizes}",
    "option": "`{callee}` got {got} for `{option}`",
    "option_open": "`{callee}` got a value for `{option}` that it does not take",
    "setting": "`{option}` got the value {got}",
    "setting_open": "`{option}` got a value that it does not take",
    "count": "`{option}` takes {wants} entries and got {got}",
    "options_one": "exactly one of `{first}` and `{second}` is to be given",
    "option_with": "`{callee}` does not take `{option}` together with `{other}`",
    "option_needed": "`{callee}` needs `{option}` where `{other}` is given",
    "repeated_axis": "an operation names one axis twice",
    "index_beyond": "index {index} lies beyond the tensor that it points into",
    "letter_equation": "the equation of an `einsum` does not go with its operands",
    "one_row_target": "a loss for classes got one row of scores and {got} targets",
    "class_weights_open": "a loss for classes got weights that are not one for each class",
    "pair_axes_one": "`cosine_embedding_loss` got one label for {input1} and {input2}",
    "argument_type": "`{callee}` takes `{wants}` for `{operand}` and got `{got}`",
    "argument_open": "`{callee}` takes `{wants}` for `{operand}` and got something else",
    "arguments": "`{callee}` got arguments of types that it does not take: `{got}`",
    "argument_missing": "`{callee}` lacks the argument `{operand}`",
    "operator_types": "`{operator}` does not combine `{left}` with `{right}`",
    "list_type": "a list of tensors has `{got}` at place {place}",
    "samples_type": "a `DataLoader` cannot make a batch of `{got}`",
    "array_type": "an array of `{got}` does not make a tensor",
    "array_layout": "the memory of a NumPy array is in an order that torch does not take",
    "made_of": "a tensor cannot be made of `{got}`",
    "dtypes_differ": "`{callee}` takes one dtype and got {left} and {right}",
    "dtypes_differ_open": "`{callee}` takes one dtype and got tensors of several",
    "factor_dtypes_open": "two factors have different dtypes",
    "operation_dtype": "`{callee}` takes `{needs}` and got {got}",
    "operation_dtype_open": "`{callee}` got another dtype than `{needs}`",
    "refused_dtype": "`{callee}` does not take {got}",
    "mask_open": "`{operand}` is of a dtype that no mask has",
    "overflow": "a number does not fit into {wants}",
    "values": "`{callee}` got values for `{operand}` outside `{rule}`",
    "saved_names": "saved weights lack `{missing}` and have `{extra}`, which the model has not",
    "saved_missing": "saved weights lack `{missing}`, which the model has",
    "saved_extra": "saved weights have `{extra}`, which the model has not",
    "saved_groups": "the saved state of an optimizer belongs to other parameters",
}

_NUMBER = "The operation reads a meaning from each axis, so their number is given."
_AGREE = "These sizes count the same thing, so they are equal."
_TAKES = "What it takes: `{rule}`."
_ONE_DTYPE = "Nothing is converted here. Numbers that come from NumPy are float64."
_TENSOR = "Each argument has one type; lists and arrays become tensors by `torch.tensor`."

WHYS: Final[dict[str, str]] = {
    "rank": _NUMBER,
    "rank_open": _NUMBER,
    "ranks_differ": "The operation pairs their axes one by one.",
    "mask_rank": "A padding mask is `(B, S)`, an attention mask `(L, S)` or `(B * heads, L, S)`. "
    "Without a batch, the padding mask is `(S,)`.",
    "square": "Rows and columns stand for the same thing here, so they are as many.",
    "sizes_differ": _AGREE,
    "sizes_differ_open": _AGREE,
    "size_wrong": "The size follows from the other arguments, or from the operation itself.",
    "size_wrong_open": "The size follows from the other arguments, or from the operation itself.",
    "divides": "The axis is cut into parts of equal size.",
    "sizes_zero": "A size computed from others became zero or negative.",
    "empty_axis": "A reduction, or a map, has no value where there is no element.",
    "empty": "A filter left nothing over, a list was never filled, or a data set is empty.",
    "view_zero": "With no elements, a size left open with -1 could be any number.",
    "option": _TAKES,
    "option_open": _TAKES,
    "setting": _TAKES,
    "setting_open": _TAKES,
    "count": "There is one entry for each axis or tensor that it is about.",
    "options_one": "Each of them determines the result; two could contradict each other.",
    "option_with": "The two contradict each other.",
    "option_needed": "Without it the operation lacks something that it would have computed with.",
    "repeated_axis": "Each axis has one place in the result.",
    "index_beyond": "Indices count from 0 to one less than the size.",
    "letter_equation": "Each operand has its letters, each letter of the result occurs in an "
    "operand, and an ellipsis stands once for the axes without letters.",
    "one_row_target": "A vector of scores is one row without a batch axis: it has one class "
    "number. A `squeeze` of a batch with one row leaves such a vector.",
    "class_weights_open": "There is one weight for each class, and the classes are counted on "
    "axis 1 of the scores.",
    "pair_axes_one": "A label without axes belongs to one pair of vectors; a batch of pairs has "
    "a label for each row.",
    "argument_type": _TENSOR,
    "argument_open": _TENSOR,
    "arguments": _TENSOR,
    "argument_missing": "The argument has no default.",
    "operator_types": "An operator joins tensors with tensors or with numbers.",
    "list_type": "All entries are tensors: numbers and arrays are converted first.",
    "samples_type": "A batch is made of tensors, arrays, numbers, texts, and of lists and dicts of "
    "them. A data set that returns nothing for some sample gives `NoneType`.",
    "array_type": "Such an array holds Python objects or texts. Rows of different length, texts "
    "and missing values make it so.",
    "array_layout": "A reversed or byte-swapped array is copied first, with `.copy()` or "
    "`.astype`.",
    "made_of": "A tensor is made of numbers, and of lists of numbers of equal length.",
    "dtypes_differ": _ONE_DTYPE,
    "dtypes_differ_open": _ONE_DTYPE,
    "factor_dtypes_open": "Products do not convert. Weights are float32 unless they were made "
    "otherwise; numbers that come from NumPy are float64.",
    "operation_dtype": "Nothing is converted here: the tensor is cast before the call.",
    "operation_dtype_open": "Nothing is converted here: the tensor is cast before the call.",
    "refused_dtype": "The operation has no meaning, or no kernel, for this dtype.",
    "mask_open": "A mask holds truth values; for attention it may hold numbers with fractions that "
    "are added to the scores.",
    "overflow": "The dtype ends below this number: a larger one holds it.",
    "values": "The shapes fit, the numbers do not: the operation has no result for them.",
    "saved_names": "The weights are of a model with other layers. A prefix such as `module.` "
    "comes from `DataParallel`.",
    "saved_missing": "The weights are of a model with other layers, or only a part was saved.",
    "saved_extra": "The weights are of a model with other layers, or of one inside another.",
    "saved_groups": "The optimizer was built for another model, or with other groups.",
}  # fmt: skip
