"""What torch says of dtypes, without saying of what."""

from wellshaped.observe.message.notation import Pattern

PATTERNS = (
    Pattern("layer_dtype", "Input type ({got:dtype}) and {part:word} type ({wants:dtype}) should"),
    Pattern("found_dtype", "Found dtype {got:dtype} but expected {wants:dtype}"),
    Pattern("scalar_type", "expected scalar type {wants:dtype} but found {got:dtype}"),
    Pattern(
        "cast", "result type {got:dtype} can't be cast to the desired output type {wants:dtype}"
    ),
    Pattern(
        "mixed",
        "mixed dtype (CPU): all inputs must share same datatype",
        "mixed dtype (CPU): expect parameter to have scalar type of Float",
    ),
    Pattern("mixed", "expected dtype {wants:dtype} for `{operand:word}` but got dtype {got:dtype}"),
    Pattern(
        "mixed", "expected dtype {wants:dtype} for `{operand:word}`, but got dtype {got:dtype}"
    ),
    Pattern(
        "not_float",
        "could not infer output dtype. Input dtype must be either a floating point or complex"
        " dtype. Got: {got:dtype}",
        "\"{kernel:word}\" not implemented for '{got:dtype}'",
    ),
    Pattern(
        "mask_not_bool",
        "masked_fill_ only supports boolean masks, but got mask with dtype {got:dtype}",
        "expected predicate to be bool, got {got:dtype}",
        "masked_fill only supports boolean masks, but got dtype {got:dtype}",
    ),
)
