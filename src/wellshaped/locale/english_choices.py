"""The English of choices, by the kind of move: what a repair means, and when it is right."""

from __future__ import annotations

from typing import Final

MEANS: Final[dict[str, str]] = {
    "layout": "every value stays; the dimensions get another order or grouping",
    "dtype": "values change their dtype, and fractions are cut off: `{after}`",
    "row_count": "the size is read from a tensor: `{after}`",
    "size_index": "the size of another dimension is read: `{after}`",
    "keepdim": "the reduced dimension stays, with size 1",
    "slice": "only part of the values is used: `{after}`",
    "pad": "values are added that are not in the data: `{after}`",
    "resize": "values are interpolated or pooled to another size: `{after}`",
    "argmax": "the index of the largest value replaces the values: `{after}`",
    "one_hot": "class indices become vectors of 0 and 1: `{after}`",
    "repeat": "the same values are used several times: `{after}`",
    "reduce": "a dimension is averaged or summed away: `{after}`",
    "number": "another size: `{after}` where `{before}` stands",
    "option": "another option of the call: `{after}`",
    "dim": "the operation works along another dimension: `{after}`",
    "callee": "another function is called: `{after}`",
    "other": "the code computes something else: `{after}`",
}
RIGHT_IF: Final[dict[str, str]] = {
    "layout": "the dimensions mean what their new places say",
    "dtype": "every value is a whole number",
    "row_count": "that tensor has the size that is meant here",
    "size_index": "that dimension is the one that is meant",
    "keepdim": "the result is to be combined with the tensor it was reduced from",
    "slice": "the rest is not needed: padding, or a border",
    "pad": "a mask or `ignore_index` keeps the added values out of the result",
    "resize": "both are the same picture or signal at two resolutions",
    "argmax": "the dimension holds one score, or one 0/1 entry, per class",
    "one_hot": "the values are class indices, and the other tensor has one score per class",
    "repeat": "the values belong to each of the rows or positions they are repeated for",
    "reduce": "one result per row is wanted, and every position counts the same",
    "number": "this number is the wrong one, and the size it has to fit is intended",
    "option": "the option was forgotten, or set to the wrong value",
    "dim": "that dimension is the one that is meant",
    "callee": "the arguments are of the kind that this function takes",
    "other": "the new code is what was meant",
}
