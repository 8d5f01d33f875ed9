"""Blames for scores that fail the places where heads were split off, and never moved."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace

from wellshaped.diagnose.faults.sizes.operations.element_wise_sizes import HeadSplits
from wellshaped.observe.trace.lineage import Event, Lineage, user_frame
from wellshaped.observe.trace.node import Node
from wellshaped.records.observation import Observation
from wellshaped.records.source import Passage
from wellshaped.source.code import source_of

SPLITS = ("view", "reshape", "unflatten")
_SPLIT = "split"
_MOST_NODES = 60
_MOST_PLACES = 4


def record_head_split(event: Event) -> None:
    """Keep where the last of three axes was split in two."""
    if len(event.node.shape) == 4 and len(event.parents[0].shape) == 3:
        frame = user_frame()
        event.node.options[_SPLIT] = (frame.f_code, frame.f_lasti)


def blame_unmoved_heads(trace: Lineage, error: Observation) -> Observation:
    """The failure, with the places where heads were split off if its scores are of heads."""
    if trace.failed is None:
        return error
    shapes = [each.shape for each in error.operands]
    for _, node in trace.failed.given:
        if len(node.shape) != 4 or node.shape not in shapes or node.shape[2] != node.shape[3]:
            continue
        above = itertools.islice(node.ancestors(), _MOST_NODES)
        split = next((each for each in above if _SPLIT in each.options), None)
        if split is not None and split.shape[:3] == node.shape[:3]:
            places = tuple(dict.fromkeys(_alike(trace, split)))[:_MOST_PLACES]
            return replace(error, facts=HeadSplits(places=places)) if places else error
    return error


def _alike(trace: Lineage, split: Node) -> Iterator[Passage]:
    """Where tensors of this shape were split: queries, keys and values."""
    living = [node for _, node in list(trace.known.values()) if node.shape == split.shape]
    for each in dict.fromkeys((split, *living)):
        if _SPLIT in each.options:
            code, instruction = each.options[_SPLIT]
            source = source_of(code.co_filename)
            found = source.at_instruction(code, instruction) if source is not None else None
            if source is not None and found is not None:
                yield source.passage(found)


RECORD = dict.fromkeys(SPLITS, record_head_split)
BLAME = (blame_unmoved_heads,)
