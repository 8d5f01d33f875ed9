"""Which axes the result of an operation has, given those of its operands."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from wellshaped.observe.trace.indexed_axes import indexed
from wellshaped.observe.trace.node import Atom, Axis, Node, size_of
from wellshaped.observe.trace.reshaped_axes import reshaped

Axes = tuple[Axis, ...]
Arguments = tuple[Any, ...]
Options = Mapping[str, Any]


def axes_after(
    name: str, parents: list[Node], given: Arguments, options: Options, shape: tuple[int, ...]
) -> Axes:
    """The axes of a result; those nothing is known of are new."""
    rule = _RULES.get(name)
    first = parents[0]
    found = rule(parents, given, options, shape) if rule is not None else None
    if found is None and rule is None:
        found = _same_shape(parents, shape)
    if found is None or tuple(map(size_of, found)) != shape:
        found = _leading(first, shape)
    return found


def _made(size: int) -> Axis:
    return (Atom(size, "made"),)


def _same_shape(parents: list[Node], shape: tuple[int, ...]) -> Axes | None:
    """An operation nobody knows that keeps the shape of an operand keeps its axes."""
    alike = [each for each in parents if each.shape == shape]
    data = [each for each in alike if each.is_data]
    return (data or alike)[0].axes if alike else None


def _leading(first: Node, shape: tuple[int, ...]) -> Axes:
    """Rows stay rows through most operations: the first axis is kept where its size is."""
    kept = bool(shape and first.shape) and shape[0] == first.shape[0] and shape[0] != 1
    return tuple(
        first.axes[0] if kept and place == 0 else _made(size) for place, size in enumerate(shape)
    )


def _element_wise(parents: list[Node], _: Arguments, __: Options, shape: tuple[int, ...]) -> Axes:
    found: list[Axis] = []
    for place in range(-len(shape), 0):
        # Of axes that are laid on each other the one of the widest tensor tells most.
        met = sorted(parents, key=lambda each: -len(each.shape))
        axes = [each.axes[place] for each in met if len(each.shape) >= -place]
        fitting = [axis for axis in axes if size_of(axis) == shape[place]]
        widest = [axis for axis in fitting if _weight(axis) < _FIXED]
        found.append((widest or fitting or [_made(shape[place])])[0])
    return tuple(found)


_ORDER = ("rows", "data", "made", "added", "fixed")
_FIXED = _ORDER.index("fixed")


def _weight(axis: Axis) -> int:
    """How little an axis tells of where it comes from."""
    return min((_ORDER.index(atom.origin) for atom in axis), default=len(_ORDER))


def axis_number(value: Any, rank: int) -> int | None:
    """A named axis from the left; None where it is not a plain number within the rank."""
    if type(value) is not int or not -rank <= value < rank:
        return None
    return value % rank


def reduced_axes(given: Arguments, options: Options, rank: int) -> tuple[int, ...] | None:
    """The axes a reduction takes away: all where none is named; None where unclear."""
    named = options.get("dim", options.get("axis", given[0] if given else None))
    if named is None or (type(named) is tuple and not named):
        return tuple(range(rank))
    wanted = [named] if type(named) is int else list(named) if type(named) in (tuple, list) else []
    found = [axis_number(each, rank) for each in wanted]
    return None if not found or None in found else tuple(each for each in found if each is not None)


def _reduced(parents: list[Node], given: Arguments, options: Options, shape: Any) -> Axes | None:
    first = parents[0]
    gone = reduced_axes(given, options, len(first.shape))
    if gone is None:
        return None
    if len(shape) == len(first.shape):
        added = (Atom(1, "added"),)
        return tuple(added if k in gone else axis for k, axis in enumerate(first.axes))
    return tuple(axis for k, axis in enumerate(first.axes) if k not in gone)


def _reshaped(parents: list[Node], _: Arguments, __: Options, shape: tuple[int, ...]) -> Axes:
    return reshaped(parents[0].axes, shape)


def _squeezed(parents: list[Node], given: Arguments, options: Options, shape: Any) -> Axes | None:
    first = parents[0]
    gone = reduced_axes(given, options, len(first.shape))
    if gone is None:
        return None
    return tuple(a for k, a in enumerate(first.axes) if k not in gone or first.shape[k] != 1)


def _unsqueezed(parents: list[Node], given: Arguments, options: Options, shape: Any) -> Axes | None:
    place = axis_number(options.get("dim", given[0] if given else None), len(shape))
    axes = parents[0].axes
    return None if place is None else (*axes[:place], (Atom(1, "added"),), *axes[place:])


def _transposed(parents: list[Node], given: Arguments, options: Options, shape: Any) -> Axes | None:
    named = [*given, *(options[key] for key in ("dim0", "dim1") if key in options)]
    places = [axis_number(each, len(shape)) for each in named[:2]]
    if len(places) != 2 or places[0] is None or places[1] is None:
        return None
    axes = list(parents[0].axes)
    axes[places[0]], axes[places[1]] = axes[places[1]], axes[places[0]]
    return tuple(axes)


def _flipped(parents: list[Node], *_: Any) -> Axes:
    return parents[0].axes[::-1]


def _last_two(parents: list[Node], *_: Any) -> Axes:
    axes = parents[0].axes
    return (*axes[:-2], *axes[-2:][::-1])


def permutation(given: Arguments, options: Options, rank: int) -> tuple[int, ...] | None:
    """The order of axes a permute asks for."""
    named = options.get("dims", given)
    if len(named) == 1 and isinstance(named[0], (tuple, list)):
        named = named[0]
    places = [axis_number(each, rank) for each in named]
    return None if None in places else tuple(each for each in places if each is not None)


def _permuted(parents: list[Node], given: Arguments, options: Options, shape: Any) -> Axes | None:
    order = permutation(given, options, len(shape))
    return None if order is None else tuple(parents[0].axes[place] for place in order)


def _moved(parents: list[Node], given: Arguments, options: Options, shape: Any) -> Axes | None:
    if len(given) != 2 or any(type(each) is not int for each in given):
        return None
    axes = list(parents[0].axes)
    axes.insert(given[1] % len(axes), axes.pop(given[0] % len(axes)))
    return tuple(axes)


def _linear(parents: list[Node], _: Arguments, __: Options, shape: tuple[int, ...]) -> Axes:
    return (*parents[0].axes[:-1], _made(shape[-1])) if shape else ()


def _product(parents: list[Node], _: Arguments, __: Options, shape: Any) -> Axes | None:
    if len(parents) < 2:
        return None
    a, b = parents[0], parents[1]
    if len(a.shape) < 2 or len(b.shape) < 2:
        inner = a.axes[:-1] if len(b.shape) == 1 else (*b.axes[:-2], b.axes[-1])
        return inner if b.shape and a.shape else None
    outer = _element_wise([_cut(a), _cut(b)], (), {}, shape[:-2])
    return (*outer, a.axes[-2], b.axes[-1])


def _added_product(
    parents: list[Node], given: Arguments, options: Options, shape: Any
) -> Axes | None:
    """What is added comes first."""
    return _product(parents[1:], given, options, shape)


def _cut(node: Node) -> Node:
    return Node("", node.shape[:-2], node.axes[:-2])


def _looked_up(parents: list[Node], _: Arguments, __: Options, shape: tuple[int, ...]) -> Axes:
    # The table of an embedding is its weight, given before or after the indices.
    index = next((each for each in parents if each.shape == shape[:-1]), parents[0])
    return (*index.axes, _made(shape[-1]))


def _joined(parents: list[Node], given: Arguments, options: Options, shape: Any) -> Axes | None:
    place = axis_number(options.get("dim", given[0] if given else 0), len(shape))
    if place is None or len(parents[0].shape) != len(shape):
        return None
    axes = list(parents[0].axes)
    origin = axes[place][0].origin if axes[place] else "made"
    axes[place] = (Atom(shape[place], "rows" if origin == "rows" else "made"),)
    return tuple(axes)


def _stacked(parents: list[Node], given: Arguments, options: Options, shape: Any) -> Axes | None:
    place = axis_number(options.get("dim", given[0] if given else 0), len(shape))
    axes = parents[0].axes
    if place is None or len(axes) + 1 != len(shape):
        return None
    fresh = Atom(shape[place], "rows" if place == 0 else "made")
    return (*axes[:place], (fresh,), *axes[place:])


def _kept(parents: list[Node], _: Arguments, __: Options, shape: tuple[int, ...]) -> Axes | None:
    """Axes of the first operand: where a size changed, a part of the axis."""
    first = parents[0]
    if len(first.shape) != len(shape):
        return None
    return tuple(
        axis if size == before else ((axis[0].part(size),) if len(axis) == 1 else _made(size))
        for axis, size, before in zip(first.axes, shape, first.shape, strict=True)
    )


def _expanded(parents: list[Node], _: Arguments, __: Options, shape: tuple[int, ...]) -> Axes:
    axes = ((),) * (len(shape) - len(parents[0].axes)) + parents[0].axes
    return tuple(
        axis if axis and size_of(axis) == size else (Atom(size, "added"),)
        for axis, size in zip(axes, shape, strict=True)
    )


def _channels(parents: list[Node], _: Arguments, __: Options, shape: tuple[int, ...]) -> Axes:
    """Convolutions and pooling: rows stay, everything else is made."""
    whole = len(parents[0].shape) == len(shape) and len(shape) > 1
    front = parents[0].axes[:1] if whole else ()
    return (*front, *(_made(size) for size in shape[len(front) :]))


def _recurrent(parents: list[Node], given: Arguments, _: Options, shape: tuple[int, ...]) -> Axes:
    """Every step of the input has a result; a last state has the rows of the input only."""
    first = parents[0]
    if len(shape) == len(first.shape) and shape[:-1] == first.shape[:-1]:
        return (*first.axes[:-1], _made(shape[-1]))
    if first.name == "_pack_padded_sequence" and first.parents:
        first, given = first.parents[0], first.options["given"]
    made = tuple(_made(size) for size in shape)
    rows = 0 if given and given[-1] is True else 1
    fits = len(shape) == 3 and len(first.shape) > rows and first.shape[rows] == shape[1]
    return (made[0], first.axes[rows], made[2]) if fits else made


def _einsum(parents: list[Node], given: Arguments, __: Options, shape: Any) -> Axes | None:
    equation = next((each for each in given if type(each) is str), "").replace(" ", "")
    if "->" not in equation or "." in equation:
        return None
    left, right = equation.split("->")
    known: dict[str, Axis] = {}
    for letters, node in zip(left.split(","), parents, strict=True):
        for letter, axis in zip(letters, node.axes, strict=True):
            if letter not in known or _weight(axis) < _weight(known[letter]):
                known[letter] = axis
    return tuple(known[letter] for letter in right)


def _indexed(parents: list[Node], given: Arguments, _: Options, shape: Any) -> Axes | None:
    return indexed(parents, given[0], shape) if given else None


def _gathered(parents: list[Node], _: Arguments, __: Options, shape: Any) -> Axes | None:
    return _element_wise([each for each in parents if len(each.shape) == len(shape)], (), {}, shape)


Rule = Callable[[list[Node], Arguments, Options, tuple[int, ...]], Axes | None]
ELEMENT_WISE = frozenset(
    "add sub mul div pow remainder floor_divide true_divide subtract multiply divide eq ne lt le "  # noqa: SIM905 - a table
    "gt ge where masked_fill maximum minimum bitwise_and bitwise_or bitwise_xor logical_and "
    "logical_or fmod atan2 lerp isclose hypot addcmul addcdiv rsub xlogy logaddexp "
    "and or xor".split()
)
REDUCTIONS = frozenset(
    "sum mean max min amax amin prod std var argmax argmin all any logsumexp norm median nansum "  # noqa: SIM905 - a table
    "nanmean count_nonzero".split()
)
_TABLE: dict[Rule, str] = {
    _reshaped: "view reshape flatten unflatten view_as reshape_as ravel",
    _squeezed: "squeeze",
    _unsqueezed: "unsqueeze",
    _transposed: "transpose swapaxes swapdims",
    _flipped: "t T",
    _last_two: "mT",
    _permuted: "permute",
    _moved: "movedim moveaxis",
    _linear: "linear bilinear",
    _product: "matmul mm bmm mv",
    _added_product: "addmm baddbmm addmv",
    _looked_up: "embedding one_hot",
    _joined: "cat concat concatenate hstack vstack",
    _stacked: "stack",
    _kept: "narrow index_select split chunk repeat pad tensor_split topk sort cumsum",
    _expanded: "expand expand_as broadcast_to",
    _channels: "conv1d conv2d conv3d conv_transpose1d conv_transpose2d conv_transpose3d "
    "max_pool1d max_pool2d avg_pool1d avg_pool2d adaptive_avg_pool1d adaptive_avg_pool2d "
    "adaptive_max_pool1d adaptive_max_pool2d interpolate upsample unfold pixel_shuffle",
    _recurrent: "lstm gru rnn_tanh rnn_relu multi_head_attention_forward",
    _einsum: "einsum",
    _indexed: "__getitem__",
    _gathered: "gather take_along_dim",
}
_RULES: dict[str, Rule] = {name: rule for rule, names in _TABLE.items() for name in names.split()}
_RULES |= dict.fromkeys(ELEMENT_WISE, _element_wise)
_RULES |= dict.fromkeys(REDUCTIONS, _reduced)
