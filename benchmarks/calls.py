"""Random calls of a loss: documented shapes from the contract's own notation, then mutated."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from torch.nn import LinearCrossEntropyOptions

from wellshaped.contracts.contract import Contract
from wellshaped.contracts.notation import parse_arrangement
from wellshaped.records.shape import DTYPES, TensorFact

Shape = tuple[int, ...]
SIZES = (0, 1, 1, 2, 2, 3, 3, 4, 5)
FLOATS = ("float32", "float32", "float64", "float16", "bfloat16")
REDUCTIONS = ("mean", "mean", "sum", "none", "none")


@dataclass(frozen=True)
class Call:
    """One call: the facts of its tensors by name, and its options."""

    facts: dict[str, TensorFact | Any]
    options: dict[str, Any]


def draw(row: Contract, rng: random.Random) -> Call:
    """One random call of this loss, mostly close to what its documentation asks for."""
    shapes = _documented(row, rng)
    _mutate_shapes(shapes, rng)
    dtypes = _dtypes(row, shapes, rng)
    facts: dict[str, Any] = {n: TensorFact(s, dtypes[n]) for n, s in shapes.items()}
    options = {
        name: choose(rng) for name, choose in OPTIONS[row.name].items() if rng.random() < 0.5
    }
    if "size_average" in OPTIONS["_legacy"] and row.name not in _NO_LEGACY and rng.random() < 0.04:
        options["size_average"] = rng.choice((True, False, None))
        options["reduce"] = rng.choice((True, False, None))
    _adjust(row, facts, rng)
    return Call(facts, options)


def _documented(row: Contract, rng: random.Random) -> dict[str, Shape]:
    """Shapes that fit one arrangement of the contract."""
    sizes: dict[str, int] = {}
    runs: dict[str, Shape] = {}
    shapes: dict[str, Shape] = {}
    for term in parse_arrangement(rng.choice(row.needs)):
        if term.optional and rng.random() < (0.1 if row.name == "ctc_loss" else 0.6):
            continue
        shape: list[int] = []
        for axis in term.axes:
            if axis == "1":
                shape.append(1)
            elif axis.startswith("*"):
                if axis not in runs:
                    length = rng.choice((0, 0, 1, 1, 1, 2, 2, 3, 4))
                    runs[axis] = tuple(rng.choice(SIZES) for _ in range(length))
                shape.extend(runs[axis])
            else:
                shape.append(sizes.setdefault(axis, rng.choice(SIZES)))
        if term.fit == "into":
            shape = [
                size if rng.random() < 0.6 else 1 for size in shape[rng.randint(0, len(shape)) :]
            ]
        if term.fit == "one" and shape and rng.random() < 0.3:
            shape[rng.randrange(len(shape))] = 1
        shapes[term.argument] = tuple(shape)
    return shapes


def _mutate_shapes(shapes: dict[str, Shape], rng: random.Random) -> None:
    while rng.random() < 0.45:
        name = rng.choice(list(shapes))
        shapes[name] = rng.choice(_MUTATIONS)(shapes[name], rng)[:6]


def _insert(shape: Shape, rng: random.Random) -> Shape:
    place = rng.randint(0, len(shape))
    return (*shape[:place], rng.choice((1, 1, 2, 3)), *shape[place:])


def _drop(shape: Shape, rng: random.Random) -> Shape:
    place = rng.randrange(len(shape)) if shape else 0
    return shape[:place] + shape[place + 1 :]


def _resize(shape: Shape, rng: random.Random) -> Shape:
    place = rng.randrange(len(shape)) if shape else 0
    return (*shape[:place], rng.choice(SIZES), *shape[place + 1 :]) if shape else shape


def _shuffle(shape: Shape, rng: random.Random) -> Shape:
    return tuple(rng.sample(shape, len(shape)))


def _anything(shape: Shape, rng: random.Random) -> Shape:
    return tuple(rng.choice(SIZES) for _ in range(rng.randint(0, 5)))


_MUTATIONS: tuple[Callable[[Shape, random.Random], Shape], ...]
_MUTATIONS = (_insert, _insert, _drop, _resize, _resize, _shuffle, _anything)

_INT_ARGUMENTS = {
    ("nll_loss", "target"),
    ("cross_entropy", "target"),
    ("linear_cross_entropy", "target"),
    ("multi_margin_loss", "target"),
    ("multilabel_margin_loss", "target"),
    ("adaptive_log_softmax_with_loss", "target"),
    ("ctc_loss", "targets"),
    ("ctc_loss", "input_lengths"),
    ("ctc_loss", "target_lengths"),
}


def _dtypes(row: Contract, shapes: dict[str, Shape], rng: random.Random) -> dict[str, str]:
    main = rng.choice(FLOATS)
    first = next(iter(shapes.values()))
    chosen = {}
    for name, shape in shapes.items():
        chosen[name] = "int64" if (row.name, name) in _INT_ARGUMENTS else main
        if name == "target" and row.name.endswith("cross_entropy") and shape == first:
            chosen[name] = main
    while rng.random() < 0.35:
        chosen[rng.choice(list(shapes))] = rng.choice(DTYPES)
    return chosen


def _adjust(row: Contract, facts: dict[str, Any], rng: random.Random) -> None:
    """Arguments that need not be tensors."""
    if row.name == "gaussian_nll_loss" and "var" not in facts:
        facts["var"] = rng.choice((1.0, 0.5, 2, 0.0))
    if row.name == "ctc_loss":
        shape = facts["log_probs"].shape
        count = shape[1] if len(shape) == 3 else 1
        for name in ("input_lengths", "target_lengths"):
            if name not in facts:
                facts[name] = tuple(rng.choice((0, 1, 1, 2)) for _ in range(count))


def _one_of(*values: Any) -> Callable[[random.Random], Any]:
    return lambda rng: rng.choice(values)


_reduction = _one_of(*REDUCTIONS)
_NO_LEGACY = (
    "gaussian_nll_loss",
    "huber_loss",
    "linear_cross_entropy",
    "triplet_margin_with_distance_loss",
    "ctc_loss",
    "adaptive_log_softmax_with_loss",
)
OPTIONS: dict[str, dict[str, Callable[[random.Random], Any]]] = {
    "_legacy": {"size_average": _one_of(None, True, False)},
    "l1_loss": {"reduction": _reduction},
    "mse_loss": {"reduction": _reduction},
    "smooth_l1_loss": {"reduction": _reduction, "beta": _one_of(1.0, 0.0, 0.5, -1.0)},
    "huber_loss": {"reduction": _reduction, "delta": _one_of(1.0, 0.5, 0.0, 2)},
    "binary_cross_entropy": {"reduction": _reduction},
    "binary_cross_entropy_with_logits": {"reduction": _reduction},
    "poisson_nll_loss": {
        "reduction": _reduction,
        "log_input": _one_of(True, False),
        "full": _one_of(True, False),
        "eps": _one_of(1e-8, 1e-3),
    },
    "gaussian_nll_loss": {
        "reduction": _reduction,
        "full": _one_of(True, False),
        "eps": _one_of(1e-6, 1e-3),
    },
    "kl_div": {
        "reduction": _one_of(*REDUCTIONS, "batchmean", "batchmean"),
        "log_target": _one_of(True, False),
    },
    "soft_margin_loss": {"reduction": _reduction},
    "hinge_embedding_loss": {"reduction": _reduction, "margin": _one_of(1.0, 0.5, 2)},
    "multilabel_soft_margin_loss": {"reduction": _reduction},
    "nll_loss": {"reduction": _reduction, "ignore_index": _one_of(-100, 0, 1)},
    "cross_entropy": {
        "reduction": _reduction,
        "ignore_index": _one_of(-100, -100, 0, 1),
        "label_smoothing": _one_of(0.0, 0.1, 1.0, 1.5, -0.1),
    },
    "multi_margin_loss": {
        "reduction": _reduction,
        "p": _one_of(1, 2, 3, 1.0),
        "margin": _one_of(1.0, 0.5),
    },
    "multilabel_margin_loss": {"reduction": _reduction},
    "margin_ranking_loss": {"reduction": _reduction, "margin": _one_of(0.0, 0.5, 1)},
    "cosine_embedding_loss": {"reduction": _reduction, "margin": _one_of(0.0, 0.5, 1)},
    "triplet_margin_loss": {
        "reduction": _reduction,
        "margin": _one_of(1.0, 0.5, 0.0, -1.0),
        "p": _one_of(2, 1, 2.0, 3.5, 0, float("inf"), -1.0),
        "swap": _one_of(True, False),
        "eps": _one_of(1e-6, 1e-3),
    },
    "triplet_margin_with_distance_loss": {
        "reduction": _reduction,
        "margin": _one_of(1.0, 0.5, 0.0),
        "swap": _one_of(True, False),
    },
    "linear_cross_entropy": {
        "reduction": _reduction,
        "ignore_index": _one_of(None, -100, 0),
        "label_smoothing": _one_of(0.0, 0.0, 0.1, 1.5),
        "options": _one_of(
            None,
            LinearCrossEntropyOptions(),
            LinearCrossEntropyOptions(batch_chunk_size=2),
            LinearCrossEntropyOptions(acc_policy="accurate"),
            LinearCrossEntropyOptions(acc_policy="compact", chunking_method=None),
        ),
    },
    "ctc_loss": {
        "reduction": _reduction,
        "blank": _one_of(0, 0, 1, 9, -1),
        "zero_infinity": _one_of(True, False),
    },
    "adaptive_log_softmax_with_loss": {
        "in_features": _one_of(3, 4, 5),
        "dtype": _one_of("float32", "float64"),
    },
}
