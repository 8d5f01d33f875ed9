"""What operations say of dtypes they do not take."""

from wellshaped.observe.message.notation import Pattern

PATTERNS = (
    Pattern(
        "operation_dtype_open",
        "{callee:word}: {_:word} is expected to be a contiguous tensor of torch.int32 dtype",
        needs="int32",
    ),
    Pattern(
        "grad_dtype",
        "only Tensors of floating point and complex dtype can require gradients",
    ),
    Pattern(
        "factor_dtypes",
        "dot : expected both vectors to have same dtype, but found {left:dtype} and {right:dtype}",
        "self and mat2 must have the same dtype, but got {left:dtype} and {right:dtype}",
        "multi_dot(): all tensors must have be the same dtype but tensor {_:n} is"
        " {left:dtype} and tensor {_:n} {right:dtype}",
    ),
    Pattern(
        "dtypes_differ",
        "{callee:word}: Expected A and B to have the same dtype, but found A of type"
        " {left:dtype} and B of type {right:dtype}",
        "{callee:word}: Expected input and other to have the same dtype, but got input's"
        " dtype {left:dtype} and other's dtype {right:dtype}",
        "{callee:word}: Type promoting not supported. Got {left:dtype} and {right:dtype}",
        "{callee:word}: expected self and source to have same dtypes but got{left:dtype}"
        " and {right:dtype}",
        "{callee:word}(): self and source expected to have the same dtype, but got (self)"
        " {left:dtype} and (source) {right:dtype}",
        "{callee:word}(): self and source expected to have the same dtype, but got"
        " self.dtype = {left:dtype} and source.dtype = {right:dtype}",
        "{callee:word}(): self ({left:dtype}) and source ({right:dtype}) must have the same"
        " scalar type",
    ),
    Pattern(
        "dtypes_differ",
        "Index put requires the source and destination dtypes match, got {left:dtype} for"
        " the destination and {right:dtype} for the source",
        callee="index_put_",
    ),
    Pattern(
        "dtypes_differ",
        "Expected object of scalar type {left:dtype} but got scalar type {right:dtype} for"
        " second argument",
        callee="complex` / `polar",
    ),
    Pattern(
        "dtypes_differ",
        "{left:dtype} did not match {right:dtype}",
        callee="allclose` / `isclose",
    ),
    Pattern(
        "dtypes_differ",
        "The values for attribute 'dtype' do not match: {left:dtype} != {right:dtype}",
        callee="assert_close",
    ),
    Pattern(
        "dtypes_differ",
        "Expected tensor for argument #{_:n} '{_:word}' to have the same type as tensor for"
        " argument #{_:n} '{_:word}'; but type {left:dtype} does not equal {right:dtype}"
        " (while checking arguments for {callee:word})",
    ),
    Pattern(
        "dtypes_differ",
        "dtype {right:dtype} does not match dtype of out parameter ({left:dtype})",
        callee="out",
    ),
    Pattern(
        "dtypes_differ",
        "grad_output[{_:n}] has a dtype of {right:dtype} and output[{_:n}] has a dtype of"
        " {left:dtype}",
        callee="backward",
    ),
    Pattern(
        "dtypes_differ",
        "attempting to assign a gradient with dtype '{right:dtype}' to a tensor with"
        " grad_dtype '{left:dtype}'",
        callee="grad",
    ),
    Pattern(
        "dtypes_differ",
        "has changed the type of value (was {left:dtype} got {right:dtype})",
        callee="register_hook",
    ),
    Pattern(
        "dtypes_differ",
        "expected TensorOptions(dtype={left:dtype}, device=cpu, layout=Strided,"
        " requires_grad=false (default), pinned_memory=false (default),"
        " memory_format=(nullopt)) (got TensorOptions(dtype={right:dtype},",
        callee="torch.Tensor",
    ),
    Pattern(
        "dtypes_differ_open",
        "{callee:word} expects all tensors to have the same dtype",
        "{callee:word}() {_:word} tensor must be same dtype as the input tensor",
        "{callee:word} is not yet implemented for tensors with different dtypes",
        "{callee:word}(): Expected self.dtype to be equal to src.dtype",
    ),
    Pattern(
        "dtypes_differ_open",
        "both inputs should have same dtype",
        callee="tensordot",
    ),
    Pattern(
        "operation_dtype",
        "{callee:word}: Expected a floating point or complex tensor as input. Got {got:dtype}",
        "{callee:word} only supports floating-point dtypes, {_:word} got: {got:dtype}",
        "{callee:word} only supports floating-point dtypes for input, got: {got:dtype}",
        "{callee:word} is only supported for half, float and double tensors, but got a"
        " tensor of scalar type: {got:dtype}",
        needs="float32, float64, ...",
    ),
    Pattern(
        "operation_dtype",
        "expected common dtype to be floating point, yet common dtype is {got:dtype}",
        callee="cosine_similarity",
        needs="float32, float64, ...",
    ),
    Pattern(
        "operation_dtype",
        "Expected theta to have floating point type, but got {got:dtype}",
        callee="affine_grid",
        needs="float32, float64, ...",
    ),
    Pattern(
        "operation_dtype",
        "Exponential distribution is a continuous probability distribution. dtype must be a"
        " floating point but you specified {got:dtype}",
        callee="exponential_",
        needs="float32, float64, ...",
    ),
    Pattern(
        "operation_dtype",
        "Expected both inputs to be Half, Float or Double tensors but got {got:dtype} and"
        " {_:dtype}",
        callee="complex` / `polar",
        needs="float32, float64, ...",
    ),
    Pattern(
        "operation_dtype",
        "Quantize only works on Float Tensor, got {got:dtype}",
        callee="quantize_per_tensor",
        needs="float32, float64, ...",
    ),
    Pattern(
        "operation_dtype",
        "Expected tangent to be floating point or complex, but got: {got:dtype}",
        callee="jvp",
        needs="float32, float64, ...",
    ),
    Pattern(
        "operation_dtype_open",
        "{callee:word} and var only support floating point and complex dtypes",
        "{callee:word}() input tensor must be either float or double dtype",
        "{callee:word}() requires a floating point input type",
        needs="float32, float64, ...",
    ),
    Pattern(
        "operation_dtype_open",
        "only floating-point types are supported as the default type",
        callee="set_default_dtype",
        needs="float32, float64, ...",
    ),
    Pattern(
        "grad_dtype",
        "only Tensors of floating point dtype can require gradients",
    ),
    Pattern(
        "grad_dtype",
        "data set to a tensor that requires gradients must be floating point or complex dtype",
    ),
    Pattern(
        "operation_dtype",
        "{callee:word}(): Expected a long tensor for {operand:word}, but got {got:dtype}",
        "{callee:word}(): dtype of {operand:word} should be Long but got {got:dtype}",
        "{callee:word} expected {operand:word} to have dtype of long, but got {got:dtype}",
        needs="int64",
    ),
    Pattern(
        "operation_dtype",
        "elements in indices should be type int64 but got: {got:dtype}",
        callee="max_unpool",
        operand="indices",
        needs="int64",
    ),
    Pattern(
        "operation_dtype_open",
        "{callee:word}(): Expected dtype int64 for {operand:word}",
        needs="int64",
    ),
    Pattern(
        "operation_dtype_open",
        "{operand:word} must be integral",
        callee="ctc_loss",
        needs="int64, int32",
    ),
    Pattern(
        "operation_dtype_open",
        "~ (operator.invert) is only implemented on integer and Boolean-type tensors",
        callee="~",
        operand="input",
        needs="int64, ..., bool",
    ),
    Pattern(
        "operation_dtype_open",
        "{callee:word}() requires an integer input type",
        operand="type",
        needs="int64, int32, ...",
    ),
    Pattern(
        "refused_dtype",
        "Unsupported input type encountered for {callee:word}(): {got:dtype}",
        "{callee:word} expects a real input tensor, but got {got:dtype}",
    ),
    Pattern(
        "refused_dtype",
        "Boolean inputs not supported for {callee:word}",
        "Bool inputs not supported for {callee:word}",
        got="bool",
    ),
    Pattern(
        "refused_dtype",
        "Subtraction, the `-` operator, with a bool tensor is not supported",
        "Subtraction, the `-` operator, with two bool tensors is not supported",
        "Negation, the `-` operator, on a bool tensor is not supported",
        callee="-",
        got="bool",
    ),
    Pattern(
        "operation_dtype_open",
        "Integer division with {callee:word} is no longer supported",
        needs="float32, float64, ...",
    ),
    Pattern(
        "operation_dtype_open",
        "{callee:word} not implemented for complex tensors",
        "{callee:word} is not supported for complex inputs",
        "{callee:word} is not supported for complex types",
        "Unlike NumPy, torch.{callee:word} is not intended to support complex numbers",
        needs="float32, int64, ...",
    ),
    Pattern(
        "operation_dtype_open",
        "{callee:word} is only supported for complex tensors",
        "{callee:word} is not implemented for tensors with non-complex dtypes",
        "{callee:word} requires a complex-valued input tensor",
        needs="complex64, complex128",
    ),
    Pattern(
        "option_with",
        "For non-complex input tensors, argument alpha must not be a complex number",
        "For integral input tensors, argument alpha must not be a floating point number",
        callee="add",
        option="alpha",
        other="input.dtype",
    ),
    Pattern(
        "mask_not_bool",
        "{_:word} only supports boolean masks, but got mask with dtype {got:dtype}",
        "where expected condition to be a boolean tensor, but got a tensor with dtype {got:dtype}",
    ),
    Pattern(
        "mask_open",
        "masked_select: expected BoolTensor for mask",
        operand="mask",
    ),
    Pattern(
        "mask_open",
        "only bool and floating types of {operand:word} are supported",
    ),
    Pattern(
        "overflow",
        "value cannot be converted to type {wants:dtype} without overflow",
        "to - 1 is out of bounds for {wants:dtype}",
    ),
    Pattern(
        "overflow",
        "Overflow when unpacking long",
        wants="int64",
    ),
)
