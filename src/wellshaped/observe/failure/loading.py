"""Loading saved weights that fails: the first weight whose shape differs from the model's."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import torch

from wellshaped.records.observation import Observation, Operand
from wellshaped.records.shape import TensorFact
from wellshaped.records.source import Passage


def observe_loading(
    calls: Iterable[tuple[str, Mapping[str, Any]]],
    passage: Passage,
    callers: tuple[Passage, ...],
) -> Observation | None:
    """The call of `load_state_dict`, from functions with their locals; None where shapes agree."""
    for name, held in calls:
        model, saved = held.get("self"), held.get("state_dict")
        if name != "load_state_dict" or not isinstance(model, torch.nn.Module):
            continue
        given = saved if isinstance(saved, Mapping) else {}
        pair = next(_differing(model.state_dict(), given), None)
        if pair is not None:
            return Observation("operation", name, name, passage, pair, callers=callers)
    return None


def _differing(
    own: Mapping[str, Any], saved: Mapping[str, Any]
) -> Iterator[tuple[Operand, Operand]]:
    for name, weight in own.items():
        other: Any = saved.get(name)
        tensors = torch.is_tensor(weight) and torch.is_tensor(other)
        if tensors and weight.shape != other.shape:
            yield _operand(f"saved {name}", other), _operand(f"own {name}", weight)


def _operand(role: str, weight: torch.Tensor) -> Operand:
    return Operand(role, TensorFact(tuple(weight.shape), str(weight.dtype).removeprefix("torch.")))
