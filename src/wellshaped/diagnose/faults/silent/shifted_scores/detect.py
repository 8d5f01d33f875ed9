"""Detects tokens that are looked up in the scores of another place."""

from __future__ import annotations

import ast
import contextlib
import itertools
from collections.abc import Iterator
from dataclasses import replace

import torch

from wellshaped.contracts.questions import losses
from wellshaped.diagnose.faults.silent.shifted_scores import ShiftedScores
from wellshaped.observe.failure.exception import Scene
from wellshaped.observe.trace.lineage import Event, Lineage, user_frame
from wellshaped.observe.trace.node import Node, placed
from wellshaped.observe.trace.probe.causal import Readers
from wellshaped.observe.trace.token_dependence import is_from, reads_own, record_token_vectors
from wellshaped.observe.trace.token_scores import is_scored, record_scored, scored_tokens
from wellshaped.records.observation import Observation, Operand
from wellshaped.source.internal_calls import internal_calls
from wellshaped.source.operands import operand

_GATHERS = ("gather", "take_along_dim")
LOOKUPS = (*_GATHERS, "__getitem__")
CLASS_LOSSES = tuple(losses(target="classes", pairs="positions"))
DIFFERENCES = ("sub", "subtract", "rsub")
_FEWEST = 4
_MOST_NODES = 120
_MOST_LOOKS = 3
_CASTS = ("float", "double", "to", "type", "type_as")


def looked_up(event: Event) -> Observation | None:
    """A token looked up in scores that were given after the model had read it."""
    found = _indexed(event) if event.name == "__getitem__" else _gathered(event)
    if found is None:
        return None
    scores, tokens = found
    record_scored(event.node, tokens)
    return _observed(event, "own") if _is_own(event, scores, tokens) else None


def _gathered(event: Event) -> tuple[torch.Tensor, torch.Tensor] | None:
    """The scores of a `gather` of one number at each place, and the tokens."""
    index = event.tensors[1] if len(event.tensors) > 1 else None
    axis = event.argument(1, "dim")
    if type(axis) is not int and event.name == "take_along_dim":
        axis = event.argument(2, "dim")
    scores = event.tensors[0]
    rank = scores.dim()
    if index is None or type(axis) is not int or axis % rank != rank - 1:
        return None
    if index.dim() != rank or index.shape[-1] != 1 or rank > 3:
        return None
    return scores, index.detach()[..., 0]


def _indexed(event: Event) -> tuple[torch.Tensor, torch.Tensor] | None:
    """The scores of `table[rows, places, tokens]`, each at its place, and the tokens."""
    scores, index = event.tensors[0], event.given[0]
    if type(index) is not tuple or scores.dim() not in (2, 3) or len(index) != scores.dim():
        return None
    if not scores.is_floating_point() or not isinstance(index[-1], torch.Tensor):
        return None
    if any(isinstance(each, (slice, type(None), type(Ellipsis))) for each in index):
        return None
    with internal_calls():
        *places, tokens = torch.broadcast_tensors(*map(torch.as_tensor, index))
        whole = tokens.dtype == torch.int64 and tokens.dim() == scores.dim() - 1
        return (scores[tuple(places)], tokens.detach()) if whole else None


def weighted_by_one_hot(event: Event) -> Observation | None:
    """The same, where scores are multiplied with the one-hot vectors of tokens."""
    pairs = list(zip(event.parents, event.tensors, strict=True))
    for (node, vectors), (_, scores) in itertools.permutations(pairs, 2):
        while node.name in _CASTS and node.parents:
            node = node.parents[0]
        if node.name == "one_hot" and vectors.dim() == 3 and vectors.shape == scores.shape:
            tokens = vectors.detach().argmax(-1)
            return _observed(event, "own") if _is_own(event, scores, tokens) else None
    return None


def trained_on(event: Event) -> Observation | None:
    """Scores of a model that are trained to say what it was given at the same place."""
    if len(event.tensors) < 2 or event.tensors[1].is_floating_point():
        return None
    target, scores = event.tensors[1].detach(), event.tensors[0]
    ignored = event.options.get("ignore_index", -100)
    tokens = torch.where(target == ignored, -1, target)
    if event.options.get("reduction") == "none" and target.dim() in (1, 2):
        record_scored(event.node, target)
    with internal_calls():
        scores = scores.movedim(1, -1) if scores.dim() == 3 else scores
    if not _is_own(event, scores, tokens) or event.scene("shift") is None:
        return None
    seen = event.loss_call()
    return seen and replace(seen, kind="silent", facts=ShiftedScores(found="loss"))


def _is_own(event: Event, scores: torch.Tensor, tokens: torch.Tensor) -> bool:
    """Whether the tokens are those that the model had read at the places of its scores."""
    frame = user_frame()
    key = ("readings", frame.f_code, frame.f_lasti)
    if event.trace.looked[key] >= _MOST_LOOKS:
        return False
    if _was_read(event.parents[0], tokens):
        return True
    asked = reads_own(event, scores, tokens)
    event.trace.looked[key] += bool(event.trace.token_vectors)
    return asked


def _was_read(scores: Node, tokens: torch.Tensor) -> bool:
    """The same for a model that was tried, by the axes its scores have."""
    readers = [
        each
        for each in itertools.islice(scores.ancestors(), _MOST_NODES)
        if "read" in each.options and len(each.axes[1]) == 1
    ]
    atoms = [atom for axis in scores.axes for atom in axis]
    for reader, atom in itertools.product(readers[:1], atoms):
        read, (root, start) = reader.options["read"], placed(atom)
        whole, first = placed(reader.axes[1][0])
        if root is whole and start >= first and tokens.numel() == len(read) * atom.size:
            return is_from(tokens.reshape(len(read), atom.size), read, start - first)
    return False


def compared(event: Event) -> Observation | None:
    """A difference of log-probabilities of which one is that of the token before."""
    if len(event.parents) != 2 or len(event.node.shape) != 2:
        return None
    one, other = (scored_tokens(each) for each in event.parents)
    if one is None or other is None or one.shape != other.shape or one.shape != event.node.shape:
        return None
    if int((one != other).sum()) < _FEWEST or _is_one_table(*event.parents):
        return None
    for late, early in ((one, other), (other, one)):
        if bool((late[:, :-1] == early[:, 1:]).all()):
            return _observed(event, "ratio")
    return None


def _is_one_table(one: Node, other: Node) -> bool:
    """Whether two parts of one table meet, as in a difference of neighbours."""
    makers = [
        next((each for each in side.ancestors() if is_scored(each)), None) for side in (one, other)
    ]
    return makers[0] is makers[1] and one.grad == other.grad


def _observed(event: Event, found: str) -> Observation | None:
    scene = event.scene("shift")
    if scene is None or scene.scope is None or scene.node is None:
        return None
    operands = tuple(_operands(event, scene, found))
    if not operands:
        return None
    label = event.name
    if isinstance(scene.node, ast.Call) and isinstance(scene.node.func, ast.Attribute):
        label = scene.node.func.attr
    facts = ShiftedScores(found=found, whole=_is_whole(event))
    return Observation(
        "silent", event.name, label, scene.passage, operands, callers=scene.callers, facts=facts
    )


def _is_whole(event: Event) -> bool:
    """Whether the scores are those of all places, none cut off."""
    axes = event.parents[0].axes
    return event.name in _GATHERS and len(axes) > 1 and axes[1][0].start is None


def _operands(event: Event, scene: Scene, found: str) -> Iterator[Operand]:
    """The scores and the tokens, or the two sides of a difference, as they are written."""
    node, pair = scene.node, dict[str, ast.expr]()
    if isinstance(node, ast.BinOp):
        pair = {"input": node.left, "other" if found == "ratio" else "index": node.right}
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        is_function = isinstance(node.func.value, ast.Name) and node.func.value.id == "torch"
        first = [] if is_function else [node.func.value]
        given = [*first, *node.args, *(each.value for each in node.keywords)]
        if node.func.attr in LOOKUPS and len(given) == 3:
            pair = {"input": given[0], "index": given[2]}
            if node.func.attr == "take_along_dim":
                pair["index"] = given[1]
        elif node.func.attr == "sub" and len(given) == 2:
            pair = {"input": given[0], "other": given[1]}
        elif node.args:
            yield operand("index", None, node.args[0], scene.scope)
    elif isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Tuple):
        yield operand("input", event.tensors[0], node.value, scene.scope)
        yield operand("index", event.given[0][-1], node.slice.elts[-1], scene.scope)
    for (role, expression), tensor in zip(pair.items(), event.tensors, strict=False):
        yield operand(role, tensor, expression, scene.scope)


@contextlib.contextmanager
def follow_readers(trace: Lineage) -> Iterator[None]:
    """Remember inside the block which tokens models of the next token have read."""
    trace.on_model_call.append(Readers(trace).record)
    yield


RECORD = {"embedding": record_token_vectors}
DETECT = {
    **dict.fromkeys(LOOKUPS, looked_up),
    **dict.fromkeys(CLASS_LOSSES, trained_on),
    **dict.fromkeys(DIFFERENCES, compared),
    "mul": weighted_by_one_hot,
}
FOLLOW = (follow_readers,)
