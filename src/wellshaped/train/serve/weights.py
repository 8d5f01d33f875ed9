"""New weights for a model from a file of safetensors: all that is given fits, or none is taken."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from wellshaped.records.phrase import UserError


def take(model: nn.Module, path: Path, *, whole: bool) -> int:
    """Copy the tensors of the file into the model, and say how many they were.

    `whole` weights lack nothing but what the model ties to something that is given. The weights
    of others, as `save_pretrained` writes them, are of any floating type.
    """
    from safetensors import SafetensorError, safe_open

    state = model.state_dict()
    try:
        with safe_open(path, framework="pt") as file:
            sources = _sources(file, state)
            _refuse(file, sources, state, whole=whole)
            with torch.no_grad():
                for name, source in sources.items():
                    state[name].copy_(file.get_tensor(source))
    except SafetensorError as error:
        raise UserError("WS998", "weights_unreadable", error=str(error)) from error
    return len(sources)


def _sources(file: Any, state: Mapping[str, Tensor]) -> dict[str, str]:
    """The name in the file of each tensor: those of shared memory are in it once."""
    given = {name: name for name in file.keys()}  # noqa: SIM118 - it is no mapping
    aliases = dict(file.metadata() or {})
    return given | {
        name: owner for name, owner in aliases.items() if name in state and owner in given
    }


def _refuse(
    file: Any, sources: Mapping[str, str], state: Mapping[str, Tensor], *, whole: bool
) -> None:
    unknown = sorted(set(sources) - set(state))
    if unknown:
        raise UserError("WS998", "weights_unknown", count=len(unknown), name=unknown[0])
    for name, source in sources.items():
        got, wants = tuple(file.get_slice(source).get_shape()), tuple(state[name].shape)
        if got != wants:
            raise UserError("WS998", "weights_shape", name=name, got=str(got), wants=str(wants))
    if whole:
        given = {_place(state[name]) for name in sources}
        missing = sorted(
            name for name in state if name not in sources and _place(state[name]) not in given
        )
        if missing:
            raise UserError("WS998", "weights_missing", count=len(missing), name=missing[0])


def _place(tensor: Tensor) -> tuple[Any, ...]:
    return (tensor.data_ptr(), tuple(tensor.shape), tensor.stride())
