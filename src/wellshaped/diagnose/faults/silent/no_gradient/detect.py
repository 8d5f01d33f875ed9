"""Detects at the end of a run the parameters no gradient came to, and what cut them off."""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Iterator
from dataclasses import dataclass, replace

from wellshaped.diagnose.faults.silent.no_gradient import NoGradient
from wellshaped.diagnose.faults.silent.nothing_trains import NothingTrains
from wellshaped.observe.trace.lineage import Lineage
from wellshaped.observe.trace.node import Node
from wellshaped.observe.trace.training import (
    ASKED_FOR,
    DRAWS,
    Loss,
    Optimizer,
    Training,
    WayOut,
    Weight,
)
from wellshaped.records.observation import Observation, Operand
from wellshaped.records.source import Passage
from wellshaped.source.no_grad_blocks import enclosing_no_grad, node_at

# Operations that have no derivative, whatever they are given.
_WITHOUT = frozenset(
    "eq ne lt le gt ge argmax argmin argsort long int bool sign round floor ceil".split()  # noqa: SIM905 - a table
)


@dataclass(frozen=True, slots=True)
class Cut:
    """What keeps a gradient back: its kind and place, from whom, and where values came back.

    `drawn` is whether it draws at random, `gathered` whether it makes one tensor of several,
    `direct` whether without it a gradient would come to them, and no other cut keep it back.
    """

    kind: str
    passage: Passage
    weights: frozenset[Node]
    back: Passage | None = None
    drawn: bool = False
    gathered: bool = True
    direct: bool = True


@contextlib.contextmanager
def follow_training(trace: Lineage) -> Iterator[None]:
    """Record what a run does to train, and tell at its end whether it could."""
    if trace.gradients is None:
        yield
        return
    training = Training(trace)
    trace.gradients.listener = training
    trace.watch(("*",), training.notice)
    trace.watch(("requires_grad_", "detach_"), training.patch)
    yield
    with contextlib.suppress(Exception):  # whatever goes wrong with us is not theirs
        for found in _concluded(training):
            trace.report(found)


def _concluded(training: Training) -> Iterator[Observation]:
    for optimizer in training.optimizers.values():
        weights = optimizer.weights.values()
        starved = {each.node: each for each in weights if each.node and each.left_alone}
        if starved and optimizer.losses:
            nothing = not any(each.reached for each in weights)
            yield from _judged(training, optimizer, starved, nothing)


def _judged(
    training: Training, optimizer: Optimizer, starved: dict[Node, Weight], nothing: bool
) -> Iterator[Observation]:
    loss = optimizer.losses[0]
    for cut in _told_apart(training, optimizer, frozenset(starved), nothing):
        names = [starved[node].name for node in starved if node in cut.weights]
        switched = _patched(training, loss)
        drawn_from = any(_is_starved(training, optimizer, each, starved) for each in training.draws)
        facts = (NothingTrains if nothing else NoGradient)(
            cut=cut.kind,
            starved=len(names),
            total=len(optimizer.weights),
            module=_shared(names),
            sampled=cut.drawn,
            gathered=cut.gathered,
            drawn_from=drawn_from,
            needs_whole_run=_in_a_branch(cut.passage),
        )
        error = loss.error
        yield replace(
            _observed(cut, facts, switched or loss.passage),
            error_type=type(error).__name__ if error else "",
            error_text=str(error or ""),
        )
        if nothing:
            return


def _is_starved(
    training: Training, optimizer: Optimizer, draw: Node, starved: dict[Node, Weight]
) -> bool:
    """Whether all that a draw was made of by the optimizer's parameters is of starved ones."""
    above = set(training.ancestors(draw))
    behind = [each.node for each in optimizer.weights.values() if each.node in above]
    return bool(behind) and all(each in starved for each in behind)


def _told_apart(
    training: Training, optimizer: Optimizer, starved: frozenset[Node], nothing: bool
) -> Iterator[Cut]:
    """The cuts that together keep all of them back, those of most parameters first."""
    found = [cut for loss in optimizer.losses for cut in _cuts(training, loss, starved)]
    if not found:
        found = [
            cut for loss in optimizer.losses for cut in _left(training, loss, starved, nothing)
        ]
    left = set(starved)
    found.sort(key=lambda each: (not each.direct, each.kind not in ASKED_FOR, -len(each.weights)))
    for cut in found:
        if left & cut.weights:
            left -= cut.weights
            yield cut


def _cuts(training: Training, loss: Loss, starved: frozenset[Node]) -> Iterator[Cut]:
    """The cuts nearest to the loss with one of these parameters behind them."""
    seen: set[Node] = set()
    level = [loss.node]
    while level:
        beyond: list[Node] = []
        for node in dict.fromkeys(level):
            if node in seen:
                continue
            seen.add(node)
            kind = node.options.get("cut")
            if kind is None:
                beyond += training.parents(node)
                continue
            behind = starved.intersection(training.ancestors(node))
            if behind:
                gathered = [each.shape for each in node.parents] != [node.shape]
                drawn = node.name in DRAWS
                direct = bool(behind.intersection(_with_derivative(training, node)))
                place = node.options["passage"]
                yield Cut(kind, place, behind, None, drawn, gathered, direct)
        level = beyond


def _with_derivative(training: Training, node: Node) -> Iterator[Node]:
    """A node and what it was made of by operations that have a derivative."""
    seen: set[Node] = set()
    level = [node]
    while level:
        seen.update(level)
        yield from level
        above = [each for one in level for each in training.parents(one)]
        level = [
            each
            for each in dict.fromkeys(above)
            if each not in seen and each.name not in DRAWS and each.name not in _WITHOUT
        ]


def _left(training: Training, loss: Loss, starved: frozenset[Node], nothing: bool) -> Iterator[Cut]:
    """Values that left torch and came back as numbers: as many as left, or as many rows."""
    above = set(training.ancestors(loss.node))
    arrived = [each for each in above & loss.arrivals if not each.learned or each.grad]
    for way in reversed(loss.ways_out):
        behind = starved.intersection(training.ancestors(way.node))
        back = next((each for each in arrived if _fits(each, way)), None)
        if behind and (nothing or (back is not None and way.numbers > 1)):
            yield Cut(way.kind, way.passage, behind, back.options.get("passage") if back else None)


def _fits(node: Node, way: WayOut) -> bool:
    total = 1
    for size in node.shape:
        total *= size
    if node.options.get("tensor") is None and node.name not in ("tensor", "as_tensor"):
        return False
    return total == way.numbers or (
        way.kind != "item" and bool(way.rows.intersection(node.shape[:1]))
    )


def _patched(training: Training, loss: Loss) -> Passage | None:
    """Where a gradient was switched on by hand on the way to the loss, if it was."""
    for node in training.ancestors(loss.node):
        if "patched" in node.options:
            found: Passage = node.options["patched"]
            return found
        if node.options.get("requires_grad") is True and "passage" in node.options:
            made: Passage = node.options["passage"]
            return made
    return None


def _observed(cut: Cut, facts: NoGradient | NothingTrains, at_loss: Passage) -> Observation:
    block = enclosing_no_grad(cut.passage) if cut.kind == "no_grad" else None
    where = block or cut.passage
    operands = [Operand("cut", None, where)]
    if cut.back is not None:
        operands.append(Operand("back", None, cut.back))
    anchor = at_loss if isinstance(facts, NothingTrains) else where
    if anchor not in (where, cut.back):
        operands.append(Operand("loss", None, anchor))
    return Observation("silent", cut.kind, cut.kind, anchor, tuple(operands), facts=facts)


def _shared(names: list[str]) -> str:
    """The module that holds all of them: the longest path they share."""
    if not all(names):
        return ""
    paths = [name.split(".")[:-1] for name in names]
    shared = paths[0]
    for path in paths[1:]:
        same = [k for k, (a, b) in enumerate(zip(shared, path, strict=False)) if a != b]
        shared = shared[: min([*same, len(shared), len(path)])]
    return ".".join(shared)


def _in_a_branch(passage: Passage) -> bool:
    """Whether an expression is computed under a condition only."""
    at = node_at(passage)
    if at is None:
        return True
    source, node = at
    above: ast.AST | None = node
    while above is not None and not isinstance(above, (ast.FunctionDef, ast.Module)):
        if isinstance(above, (ast.If, ast.IfExp, ast.Match)):
            return True
        above = source.parents.get(above)
    return False


FOLLOW = (follow_training,)
