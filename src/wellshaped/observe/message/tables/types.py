"""What torch says of things that are not tensors, or not numbers."""

from wellshaped.observe.message.notation import Pattern

PATTERNS = (
    Pattern(
        "argument_type",
        "{callee:word}(): argument '{operand:word}' (position {place:n}) must be"
        " {wants:types}, not {got:type}",
        "{callee:word}(): argument '{operand:word}' must be {wants:types}, not {got:type}",
        "{callee:word}(): argument '{operand:word}' (position {place:n}) must be {wants:types}, but"
        " found element of type {got:type} at pos",
        "{callee:word}(): argument '{operand:word}' failed to unpack the object at pos"
        ' {place:n} with error "type must be {wants:types},but got {got:type}"',
    ),
    Pattern(
        "arguments",
        "{callee:word}() received an invalid combination of arguments - got ({got:types})",
    ),
    Pattern(
        "argument_missing",
        "{callee:word}() missing {_:n} required positional arguments: {operand:names}",
        "{callee:word}() missing {_:n} required positional argument: {operand:names}",
    ),
    Pattern(
        "operator_types",
        "unsupported operand type(s) for {operator:sign}: 'Tensor' and '{right:word}'",
        left="Tensor",
    ),
    Pattern(
        "operator_types",
        "unsupported operand type(s) for {operator:sign}: '{left:word}' and 'Tensor'",
        right="Tensor",
    ),
    Pattern(
        "operator_types",
        "'{operator:sign}' not supported between instances of 'Tensor' and '{right:word}'",
        left="Tensor",
    ),
    Pattern(
        "list_type",
        "expected Tensor as element {place:n} in argument 0, but got {got:type}",
    ),
    Pattern(
        "samples_type",
        "default_collate: batch must contain tensors, numpy arrays, numbers, dicts or"
        " lists; found {got:kind}",
    ),
    Pattern(
        "array_type",
        "can't convert np.ndarray of type {got:type}. The only supported types are",
    ),
    Pattern(
        "made_of",
        "new(): invalid data type '{got:word}'",
    ),
    Pattern(
        "made_of",
        "Could not infer dtype of {got:type}",
    ),
    Pattern(
        "made_of",
        "too many dimensions '{got:word}'",
    ),
    Pattern(
        "made_of",
        "new(): data must be a sequence (got {got:type})",
    ),
    Pattern(
        "argument_type",
        "expected np.ndarray (got {got:type})",
        callee="from_numpy",
        operand="ndarray",
        wants="np.ndarray",
    ),
    Pattern(
        "array_layout",
        "At least one stride in the given numpy array is negative",
    ),
    Pattern(
        "array_layout",
        "given numpy array has byte order different from the native byte order",
    ),
    Pattern(
        "refused_dtype",
        "Got unsupported ScalarType {got:dtype}",
        callee="numpy",
    ),
    Pattern(
        "argument_type",
        "only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are"
        " valid indices (got {got:type})",
        callee="Tensor.__getitem__",
        operand="index",
        wants="int, slice, ..., None, Tensor",
    ),
    Pattern(
        "argument_type",
        "can't assign a {got:type} to a {_:dtype}",
        callee="Tensor.__setitem__",
        operand="value",
        wants="Tensor, number",
    ),
    Pattern(
        "argument_type",
        "cannot assign '{got:word}' as parameter '{operand:word}' (torch.nn.Parameter or"
        " None expected)",
        "cannot assign '{got:word}' object to parameter '{operand:word}'"
        " (torch.nn.Parameter or None required)",
        callee="Module.__setattr__",
        wants="nn.Parameter",
    ),
    Pattern(
        "argument_type",
        "cannot assign '{got:word}' object to buffer '{operand:word}' (torch Tensor or None"
        " required)",
        callee="Module.__setattr__",
        wants="Tensor",
    ),
    Pattern(
        "argument_type",
        "unflattened_size must be a tuple of ints, but found type {got:type}",
        callee="Unflatten",
        operand="unflattened_size",
        wants="tuple of ints",
    ),
    Pattern(
        "argument_type",
        "{got:word} is not a Module subclass",
        callee="Sequential` / `ModuleList",
        operand="modules",
        wants="nn.Module",
    ),
    Pattern(
        "argument_type",
        "hidden_size should be of type int, got: {got:type}",
        callee="RNN` / `LSTM` / `GRU",
        operand="hidden_size",
        wants="int",
    ),
    Pattern(
        "argument_type",
        "pad_sequence: Expected iterable for input sequences, but got arg of type: {got:type}",
        callee="pad_sequence",
        operand="sequences",
        wants="list of Tensors",
    ),
    Pattern(
        "argument_type",
        "Expected state_dict to be dict-like, got {got:type}",
        callee="load_state_dict",
        operand="state_dict",
        wants="dict",
    ),
    Pattern(
        "argument_type",
        "assigned grad expected to be a Tensor or None but got grad of type {got:type}",
        callee="grad",
        operand="grad",
        wants="Tensor",
    ),
    Pattern(
        "argument_type",
        "Variable data has to be a tensor, but got {got:type}",
        callee="data",
        operand="data",
        wants="Tensor",
    ),
    Pattern(
        "argument_type",
        "params argument given to the optimizer should be an iterable of Tensors or dicts,"
        " but got {got:type}",
        callee="Optimizer",
        operand="params",
        wants="list of Tensors",
    ),
    Pattern(
        "argument_type",
        "optimizer can only optimize Tensors, but one of the params is {got:type}",
        callee="Optimizer",
        operand="params",
        wants="list of Tensors",
    ),
    Pattern(
        "argument_type",
        "expected torch.Tensor, but got: {got:type}",
        callee="vector_to_parameters",
        operand="vec",
        wants="Tensor",
    ),
    Pattern(
        "argument_type",
        "Got in_dim={_:n} for an input but the input is of type {got:type}",
        callee="vmap",
        operand="args",
        wants="Tensor",
    ),
    Pattern(
        "argument_type",
        "expected `in_dims` to be int or a (potentially nested) tuple matching the"
        " structure of inputs, got: {got:type}",
        callee="vmap",
        operand="in_dims",
        wants="int, tuple",
    ),
    Pattern(
        "argument_type",
        "Thing passed to transform API must be Tensor, got {got:type}",
        callee="torch.func",
        operand="args",
        wants="Tensor",
    ),
    Pattern(
        "argument_type",
        "No comparison pair was able to handle inputs of type {wants:type} and {got:type}",
        callee="assert_close",
        operand="expected",
    ),
    Pattern(
        "argument_open",
        "The value argument to {callee:word} must be a Tensor",
        operand="value",
        wants="Tensor",
    ),
    Pattern(
        "argument_open",
        "Input arguments must all be instances of Number, torch.Tensor",
        callee="distributions",
        operand="args",
        wants="Number, Tensor",
    ),
    Pattern(
        "argument_open",
        "The Mixture distribution needs to be an instance of torch.distributions.Categorical",
        callee="MixtureSameFamily",
        operand="mixture_distribution",
        wants="Categorical",
    ),
    Pattern(
        "argument_open",
        "All elements of tseq must be Transform instances",
        callee="CatTransform",
        operand="tseq",
        wants="Transform",
    ),
    Pattern(
        "argument_open",
        "Only lists (List[Tensor] and List[List...[Scalar]]) are accepted in {callee:word}",
        operand="tensor_list",
        wants="list of Tensors",
    ),
    Pattern(
        "argument_open",
        "{callee:word}(f, primals, tangents): Expected {operand:word} to be a tuple",
        wants="tuple",
    ),
    Pattern(
        "option_open",
        "{option:word} is not compatible with the structure of `{_:word}`",
        callee="vmap",
        rule="len({option}) == len(tensors)",
    ),
    Pattern(
        "argument_type",
        "{callee:word}(f)(*args): Expected f(*args) to return a Tensor, got {got:type}",
        "{callee:word}(f, *primals): expected f(*primals) to return only tensors, got"
        " unsupported type {got:type}",
        "{callee:word}(f, primals, tangents): expected f(*primals) to return only tensors,"
        " got unsupported type {got:type}",
        "The outputs of the user-provided function given to {callee:word} must be either a"
        " Tensor or a tuple of Tensors but the given outputs of the user-provided function"
        " has type {got:type}",
        operand="f(*args)",
        wants="Tensor",
    ),
    Pattern(
        "argument_type",
        "must only return Tensors, got type {got:type}",
        callee="vmap",
        operand="f(*args)",
        wants="Tensor",
    ),
    Pattern(
        "argument_type",
        "expected Variable or None (got {got:type})",
        "expected Variable, but hook returned '{got:word}'",
        callee="backward",
        operand="gradient",
        wants="Tensor",
    ),
    Pattern(
        "argument_open",
        "{callee:word}(f)(*args): output of function f should be a tuple: (output, aux)",
        operand="f(*args)",
        wants="(output, aux)",
    ),
    Pattern(
        "not_scalar",
        "Expected f(*args) to return a scalar Tensor, got tensor with {rank:n} dims",
        "should contain a single element",
        "The vector v can only be None if the user-provided function returns a single"
        " Tensor with a single element",
    ),
    Pattern(
        "one_value",
        "Tensor lr must be 1-element",
    ),
    Pattern(
        "one_value",
        "only integer tensors of a single element can be converted to an index",
    ),
    Pattern(
        "empty",
        "Boolean value of Tensor with no values is ambiguous",
        callee="bool",
    ),
    Pattern(
        "option",
        "invalid type: {got:quoted}",
        callee="Tensor.type",
        option="dtype",
        rule="torch.float32, torch.FloatTensor, ...",
    ),
    Pattern(
        "argument_type",
        "While copying the parameter named {operand:quoted}, expected torch.Tensor or"
        " Tensor-like object from checkpoint but received {got:type}",
        callee="load_state_dict",
        wants="Tensor",
    ),
)
