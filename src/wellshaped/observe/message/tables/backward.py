"""What `backward` says."""

from wellshaped.observe.message.notation import Pattern

PATTERNS = (
    Pattern("not_scalar", "grad can be implicitly created only for scalar outputs"),
    Pattern("no_grad", "does not require grad and does not have a grad_fn"),
    Pattern(
        "gradient_shape",
        "Mismatch in shape: grad_output[{place:n}] has a shape of {got:shape} and"
        " output[{other:n}] has a shape of {wants:shape}",
        "returned an invalid gradient at index {place:n} - got {got:shape} but expected shape"
        " compatible with {wants:shape}",
    ),
    Pattern("grad_dtype", "Only Tensors of floating point and complex dtype can require gradients"),
)
