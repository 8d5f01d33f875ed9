"""Replays the call of a module, repaired, on synthetic tensors at several batch sizes."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Mapping
from typing import final

import torch

from wellshaped.contracts.rounding import near
from wellshaped.records.evidence import Evidence, Outcome, Trial
from wellshaped.records.observation import Observation
from wellshaped.records.repair import Repair
from wellshaped.records.shape import TensorFact

_MODULES = (
    *("Linear", "Conv1d", "Conv2d", "Conv3d", "Embedding", "MultiheadAttention"),
    *("BatchNorm1d", "BatchNorm2d", "BatchNorm3d", "LayerNorm", "GroupNorm", "RMSNorm"),
    *("LSTM", "GRU", "RNN", "LSTMCell", "GRUCell", "RNNCell"),
)
# Sizes of the output no operand depends on: cut short, the module is cheap to build.
_FREE = ("out_features", "out_channels", "embedding_dim")
_LONG = 8
_MOST = 1 << 21


def try_module_repair(observation: Observation, repair: Repair) -> Evidence:
    """The repaired call at B = 1, 2, 3 and as observed, each row against the row by itself.

    A repair that changes the module, or one that adds the batch axis, can be run but not be
    compared with rows: its trials say `runs`, and it stays a suggestion.
    """
    roles = {change.role: _own_role(observation, change.role) for change in repair.changes}
    facts = {each.role: each.fact for each in observation.operands if each.fact}
    if observation.callee not in _MODULES or not repair.changes or "input[0]" in facts:
        return Evidence(repair, ())
    suffixes = {roles[each.role]: each.suffix for each in repair.changes if roles[each.role]}
    if len(suffixes) != len(repair.changes):
        return Evidence(repair, ())
    settings = {role: text for role, text in suffixes.items() if role not in facts}
    used = {role: fact for role, fact in facts.items() if _takes(observation, role)}
    call = _Call(observation, used, suffixes, settings)
    try:
        return Evidence(repair, tuple(Trial(size, call.outcome(size)) for size in call.sizes()))
    except Exception:  # a call we cannot rebuild proves nothing
        return Evidence(repair, ())


def _own_role(observation: Observation, role: str) -> str:
    """The operand of the module itself that a change of the line reaches unchanged."""
    found = observation.operand(role)
    if found is None or not role.startswith("given "):
        return "" if role == "entry" else role
    for each in observation.operands:
        same = each.fact and found.fact and each.fact.shape == found.fact.shape
        if same and role.removeprefix("given ").endswith(each.role):
            return each.role
    return ""


def _takes(observation: Observation, role: str) -> bool:
    forward = getattr(torch.nn, observation.callee).forward
    return role.split("[")[0] in inspect.signature(forward).parameters


@final
class _Call:
    """One module, its operands as facts, and the changes that are tried."""

    def __init__(
        self,
        observation: Observation,
        facts: Mapping[str, TensorFact],
        suffixes: Mapping[str, str],
        settings: Mapping[str, str],
    ) -> None:
        self.facts, self.suffixes, self.rebuilt = facts, suffixes, bool(settings)
        self.options = dict(observation.options)
        self.module = _built(observation, settings).eval()
        self.axes = {role: self._batch_axis(role) for role in facts}

    def sizes(self) -> tuple[int, ...]:
        """1, 2, 3 and the program's own, as long as the tensors stay small."""
        seen = {
            self.facts[role].shape[axis] for role, axis in self.axes.items() if axis is not None
        }
        if not seen:
            return (1,)
        wanted = {1, 2, 3, *(seen if len(seen) == 1 else ())}
        return tuple(sorted(size for size in wanted if size <= 3 or self._numbers(size) <= _MOST))

    def _numbers(self, size: int) -> int:
        return sum(self._shape(role, size).numel() for role in self.facts)

    def _shape(self, role: str, size: int) -> torch.Size:
        shape = list(self.facts[role].shape)
        axis = self.axes.get(role)
        if axis is not None:
            shape[axis] = size
        return torch.Size(shape)

    def _batch_axis(self, role: str) -> int | None:
        """The axis that, once the change is made, stands where the module reads the batch."""
        shape, mark = self.facts[role].shape, 9973
        for axis in range(len(shape)):
            marked = torch.empty((*shape[:axis], mark, *shape[axis + 1 :]), device="meta")
            changed = self._changed({role: marked})[role]
            place = self._reads(role, changed.dim())
            found = changed.shape[place] if place is not None else 0
            # A mask with three axes has a slice for every head of every row.
            if found == mark or (role == "attn_mask" and found and found % mark == 0):
                return axis
        return None

    def _reads(self, role: str, rank: int) -> int | None:
        first = self.options.get("batch_first", not isinstance(self.module, _SEQUENTIAL))
        if role in ("hx", "hx[0]", "hx[1]"):
            return 1 if rank == 3 else 0
        if role == "attn_mask":
            return 0 if rank == 3 else None
        if role == "key_padding_mask":
            return 0
        return 0 if first or rank < 3 or not isinstance(self.module, _SEQUENTIAL) else 1

    def outcome(self, size: int) -> Outcome:
        """What comes of the repaired call with so many rows."""
        made = self._tensors(size)
        try:
            with warnings.catch_warnings(), torch.no_grad():
                warnings.simplefilter("ignore")
                changed = self._changed(made)
                if self._discards(made, changed):
                    return "discards"
                whole = self._run(changed)
                if self.rebuilt or self.axes.get(next(iter(self.facts))) is None:
                    return "runs"
                rows = {0, size // 2, size - 1}
                same = all(self._same(whole, made, row, size) for row in rows)
        except Exception:  # a repair that raises is refused, for any reason
            return "refused"
        return "equal" if same else "differs"

    def _discards(
        self, made: Mapping[str, torch.Tensor], changed: Mapping[str, torch.Tensor]
    ) -> bool:
        """Whether an operand has fewer numbers than before; an index stands for a row of them."""
        indices = isinstance(self.module, torch.nn.Embedding)
        return not indices and any(changed[r].numel() < made[r].numel() for r in made)

    def _same(
        self, whole: torch.Tensor, made: Mapping[str, torch.Tensor], row: int, size: int
    ) -> bool:
        alone = {role: self._row(role, tensor, row, size) for role, tensor in made.items()}
        single = self._run(self._changed(alone))
        axis = self._output_axis(whole.dim())
        if whole.shape[axis] != size:
            return False
        return near(whole.narrow(axis, row, 1), single)

    def _row(self, role: str, tensor: torch.Tensor, row: int, size: int) -> torch.Tensor:
        axis = self.axes[role]
        if axis is None:
            return tensor
        each = tensor.shape[axis] // size
        return tensor.narrow(axis, row * each, each)

    def _output_axis(self, rank: int) -> int:
        first = self.options.get("batch_first", False) or not isinstance(self.module, _SEQUENTIAL)
        return 0 if first or rank < 3 else 1

    def _run(self, tensors: Mapping[str, torch.Tensor]) -> torch.Tensor:
        given = {role: value for role, value in tensors.items() if "[" not in role}
        parts = tuple(value for role, value in tensors.items() if role.startswith("hx["))
        result = self.module(**given, **({"hx": parts} if parts else {}))
        found = result[0] if isinstance(result, tuple) else result
        assert isinstance(found, torch.Tensor)
        return found

    def _changed(self, made: Mapping[str, torch.Tensor]) -> dict[str, torch.Tensor]:
        changed = dict(made)
        for role, suffix in self.suffixes.items():
            if role in changed:
                space = {"torch": torch, "x": changed[role]}
                # Our own text, made of method names and numbers: never the user's.
                changed[role] = eval(f"x{suffix}", {"__builtins__": {}}, space)
        return changed

    def _tensors(self, size: int) -> dict[str, torch.Tensor]:
        generator = torch.Generator().manual_seed(size)
        return {role: self._filled(role, size, generator) for role in self.facts}

    def _filled(self, role: str, size: int, generator: torch.Generator) -> torch.Tensor:
        shape, dtype = self._shape(role, size), getattr(torch, self.facts[role].dtype)
        if "mask" in role:
            return torch.zeros(shape, dtype=dtype)
        if dtype.is_floating_point and not isinstance(self.module, torch.nn.Embedding):
            return torch.randn(shape, generator=generator).to(dtype)
        return torch.randint(2, shape, generator=generator).to(dtype)


_SEQUENTIAL = (torch.nn.RNNBase, torch.nn.MultiheadAttention)


def _built(observation: Observation, changes: Mapping[str, str]) -> torch.nn.Module:
    """The module with its settings, and with those a repair changes."""
    kind = getattr(torch.nn, observation.callee)
    names = set(inspect.signature(kind.__init__).parameters)
    if issubclass(kind, torch.nn.RNNBase):
        names = {"input_size", "hidden_size", "num_layers", "batch_first", "bidirectional"}
        names |= {"proj_size"} if kind is torch.nn.LSTM else set()
    skipped = {"dropout", "device", "dtype", "padding_idx", "bias"}
    found = {name: value for name, value in observation.options.items() if name in names}
    found = {name: value for name, value in found.items() if name not in skipped}
    found |= {name: int(value) for name, value in changes.items()}
    groups = found.get("groups", 1)
    found |= {name: min(found[name], _LONG) * groups for name in _FREE if name in found}
    weights = [value for name, value in observation.options.items() if name.endswith(".dtype")]
    module: torch.nn.Module = kind(**found)
    return module.to(getattr(torch, weights[0])) if weights else module
