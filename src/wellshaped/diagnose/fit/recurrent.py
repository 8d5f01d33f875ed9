"""The shapes a recurrent layer takes, from its settings, and which of them is not met."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from wellshaped.records.observation import Observation

_LAYERS = re.compile(r"(LSTM|GRU|RNN)(Cell)?")


@dataclass(frozen=True, slots=True)
class State:
    """An input and a hidden state, what the state should be, and the name of the fault."""

    shape: tuple[int, ...]
    state: tuple[int, ...]
    role: str
    wants: tuple[int, ...]
    input_size: int
    batch_first: bool
    cell: bool
    fault: str = ""

    @property
    def axis(self) -> int:
        """The batch axis of the input."""
        return 0 if self.batch_first or self.cell else 1

    @property
    def batch(self) -> int:
        """The rows of the input."""
        return self.shape[self.axis] if len(self.shape) > self.axis else 1

    @property
    def rows(self) -> int:
        """The rows of the hidden state."""
        return self.state[-2] if len(self.state) > 1 else 1


def state_of(observation: Observation) -> State | None:
    """The shapes of a recurrent call, judged; None when it is none or its input is unknown."""
    name = _LAYERS.fullmatch(observation.callee)
    given = observation.operand("input")
    size = observation.options.get("input_size")
    if observation.kind != "module" or not name or not given or not given.fact or not size:
        return None
    role = next((each for each in ("hx", "hx[0]", "hx[1]") if _wrong(observation, each)), "")
    role = role or next((each for each in ("hx", "hx[0]") if _shape(observation, each)), "")
    first, cell = bool(observation.options.get("batch_first")), bool(name[2])
    wants = _wanted(observation.options, given.shape, cell, role)
    state = _shape(observation, role)
    found = State(given.shape, state, role, wants, size, first, cell)
    return State(given.shape, state, role, wants, size, first, cell, _fault(found))


def _shape(observation: Observation, role: str) -> tuple[int, ...]:
    found = observation.operand(role)
    return found.shape if found else ()


def _wrong(observation: Observation, role: str) -> bool:
    shape, given = _shape(observation, role), observation.operand("input")
    cell = observation.callee.endswith("Cell")
    wants = _wanted(observation.options, given.shape if given else (), cell, role)
    return bool(shape) and shape != wants


def _wanted(options: Any, shape: tuple[int, ...], cell: bool, role: str) -> tuple[int, ...]:
    hidden = options.get("hidden_size", 0)
    if cell:
        return (*shape[:-1], hidden)
    width = options.get("proj_size") or hidden if role in ("hx", "hx[0]") else hidden
    slices = options.get("num_layers", 1) * (2 if options.get("bidirectional") else 1)
    batch = shape[0 if options.get("batch_first") else 1] if len(shape) == 3 else None
    return (slices, width) if batch is None else (slices, batch, width)


def _fault(found: State) -> str:
    fault = _input_fault(found)
    if fault or not found.state or found.state == found.wants:
        return fault
    state, wants = found.state, found.wants
    if len(state) != len(wants):
        return "state"
    if found.cell:
        return "carried" if state[-1] == wants[-1] else "state"
    if len(state) == 3 and state == (wants[1], wants[0], wants[2]):
        return "swapped"
    if len(state) == 3 and (state[0], state[2]) == (wants[0], wants[2]):
        return "steps" if state[1] == found.shape[1 - found.axis] else "carried"
    return "layers" if state[1:] == wants[1:] else "state"


def _input_fault(found: State) -> str:
    rank = len(found.shape)
    if rank not in ((1, 2) if found.cell else (2, 3)):
        return "rank"
    if rank == 2 and not found.cell and len(found.state) == 3:
        return "time" if found.shape[-1] == found.input_size else "features"
    if found.shape[-1] == found.input_size:
        return ""
    if rank == 2 and not found.cell and found.input_size == 1 and found.batch_first:
        return "numbers"
    return "elsewhere" if axis_of_features(found) else "features"


def axis_of_features(found: State) -> str:
    """The method that brings the features last, where they are on the time axis."""
    if len(found.shape) != 3 or found.shape[1 - found.axis] != found.input_size:
        return ""
    return ".transpose(1, 2)" if found.batch_first else ".transpose(0, 2)"


def missing_axis(found: State) -> str:
    """The method that adds the time axis to rows; a state for one row means one sequence."""
    batched = found.rows == found.shape[0]
    time = 1 if found.batch_first else 0
    return f".unsqueeze({time if batched else 1 - time})"
