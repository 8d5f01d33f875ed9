"""What attention and transformers say."""

from wellshaped.observe.message.notation import Pattern

PATTERNS = (
    Pattern("embed", "was expecting embedding dimension of {wants:n}, but got {got:n}"),
    Pattern("embed", "the feature number of src and tgt must be equal to d_model"),
    Pattern("key_value", "key shape {key:shape} does not match value shape {value:shape}"),
    Pattern(
        "mask_shape",
        "The shape of the {rank:n}D attn_mask is {got:shape}, but should be {wants:shape}",
    ),
    Pattern(
        "padding_mask",
        "Expected key_padded_mask.shape[{axis:n}] to be {wants:n}, but got {got:n}",
    ),
    Pattern(
        "attention_axes",
        "query should be unbatched 2D or batched 3D tensor but received {query:n}-D query tensor",
        "For batched (3-D) `query`, expected `key` and `value` to be 3-D but found {key:n}-D and"
        " {value:n}-D",
        "For unbatched (2-D) `query`, expected `key` and `value` to be 2-D but found {key:n}-D and"
        " {value:n}-D",
        "Expected query, key, and value to all be at least 2 dimensional, but got query.dim:"
        " {query:n} key.dim: {key:n} and value.dim: {value:n}",
    ),
    Pattern("heads", "embed_dim must be divisible by num_heads"),
    Pattern("source_rows", "the batch number of src and tgt must be equal"),
    Pattern(
        "attention_dtypes",
        "Expected query, key, and value to have the same dtype, but got query.dtype:"
        " {query:dtype} key.dtype: {key:dtype} and value.dtype: {value:dtype} instead",
    ),
    Pattern(
        "mask_dtype",
        "Expected attn_mask dtype to be bool or float or to match query dtype, but got"
        " attn_mask.dtype: {got:dtype} and query.dtype: {query:dtype} instead",
    ),
)
