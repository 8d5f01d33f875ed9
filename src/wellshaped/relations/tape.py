"""The tape of a step: each operation of torch that it computes, with its result.

While it runs, chance does not enter: dropout is the identity, and what is drawn is drawn alike for
every row, so that two tapes of one step differ by the change of the batch alone.
"""

from __future__ import annotations

import contextlib
import random
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import torch
from torch.overrides import TorchFunctionMode

from wellshaped.observe.failure.exception import scene_of
from wellshaped.observe.trace.lineage import name_of, user_frame
from wellshaped.observe.trace.nodes import tensors_in
from wellshaped.records.source import Passage, Place
from wellshaped.source import live_stops

__between_program_and_torch__ = True

_MOST_OPERATIONS, _MOST_ELEMENTS = 6_000, 40_000_000
_DROPOUT = frozenset(
    ("dropout", "dropout1d", "dropout2d", "dropout3d", "alpha_dropout", "feature_dropout",
     "feature_alpha_dropout", "dropout_", "alpha_dropout_", "native_dropout")
)  # fmt: skip
DRAWS = frozenset(
    ("randn", "randn_like", "rand", "rand_like", "randint", "randint_like", "normal_", "uniform_",
     "exponential_", "normal", "random_", "log_normal_", "cauchy_", "geometric_")
)  # fmt: skip
# Draws whose result depends on the row they are made for, or that say which rows meet.
CHOICES = frozenset(("multinomial", "randperm", "bernoulli", "bernoulli_", "poisson", "binomial"))
_RECURRENT = frozenset(("lstm", "gru", "rnn_tanh", "rnn_relu"))
_FROM_PYTHON = frozenset(("tensor", "as_tensor", "from_numpy", "asarray"))
_CASTS = frozenset(("to", "contiguous", "float", "long", "double", "bool", "int", "type"))
_SKIPPED = frozenset(("backward", "grad", "requires_grad_", "_set_grad_enabled", "zero_", "size"))


@dataclass(slots=True)
class TapeEntry:
    """One result on the tape: what it was made of, as entries, and where.

    `roots` are the sizes of what came from outside the tape: no parameter or buffer of a module,
    and no part of the batch. `chosen` is whether it was drawn, `told` whether it was made from
    Python's numbers, `learned` whether a gradient comes to it.
    """

    name: str
    parents: tuple[int, ...]
    place: int
    roots: tuple[tuple[int, ...], ...] = ()
    chosen: bool = False
    told: bool = False
    learned: bool = False


@dataclass
class Tape(TorchFunctionMode):
    """Records while it is entered; `keeps_places` is needed of one tape only."""

    rows: int
    own: frozenset[int]
    fixed: frozenset[int] = frozenset()
    keeps_places: bool = False
    running_statistics: bool = False
    entries: list[TapeEntry] = field(default_factory=list)
    results: list[torch.Tensor] = field(default_factory=list)
    passages: list[Passage] = field(default_factory=list)
    weights: dict[int, torch.Tensor] = field(default_factory=dict)
    met: bool = False
    full: bool = False

    def __post_init__(self) -> None:
        super().__init__()
        self._known: dict[int, tuple[torch.Tensor, int]] = {}
        self._places: dict[Any, int] = {}
        self._elements = 0
        self._random = _random_state()

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        # What it computes itself is not seen: a mode is off while it answers (torch 2.13).
        options = dict(kwargs or {})
        name = name_of(func)
        given = list(args)
        if name in _DROPOUT and given and isinstance(given[0], torch.Tensor):
            result = given[0] if name.endswith("_") else given[0] * 1
        else:
            result = self._called(func, name, given, options)
        if not self.full and name not in _SKIPPED:
            with torch._C.DisableTorchFunction(), torch.no_grad():
                self._note(name, args, options, result)
        return result

    def _called(self, func: Any, name: str, given: list[Any], options: dict[str, Any]) -> Any:
        """Call it without chance."""
        _without_dropout(name, given, options)
        if self.running_statistics and name in ("batch_norm", "instance_norm"):
            _with_running_statistics(given, options)
        result = func(*given, **options)
        if name in DRAWS and isinstance(result, torch.Tensor):
            if name == "normal" and isinstance(given[0], torch.Tensor):
                return self._normal(given, options, result)
            result = self._alike(name, result)
        return result

    def _normal(self, given: list[Any], options: dict[str, Any], drawn: torch.Tensor) -> Any:
        """The same noise for every row, around what is the mean of each."""
        spread = options.get("std", given[1] if len(given) > 1 else 1.0)
        with torch.no_grad():
            return given[0] + spread * self._alike("normal", (drawn - given[0]) / spread)

    def _alike(self, name: str, drawn: torch.Tensor) -> torch.Tensor:
        """The same draw for every row."""
        with torch._C.DisableTorchFunction(), torch.no_grad():
            axis = next((k for k, size in enumerate(drawn.shape) if size == self.rows), None)
            if axis is None:
                return drawn
            one = drawn.select(axis, 0).unsqueeze(axis).expand_as(drawn).clone()
            if name.endswith("_"):
                drawn.copy_(one)
                return drawn
            return one

    def _note(self, name: str, args: Any, options: Mapping[str, Any], result: Any) -> None:
        results = [args[0]] if name == "__setitem__" else list(tensors_in(result))
        given = [each for value in (*args, *options.values()) for each in tensors_in(value)]
        parents, roots = self._origins(given)
        place = self._place() if results else 0
        for each in results:
            is_itself = name in _CASTS and any(each is one for one in given)
            if not is_itself or id(each) in self._known:
                told, learned = name in _FROM_PYTHON and not given, each.requires_grad
                entry = TapeEntry(name, parents, place, roots, name in CHOICES, told, learned)
                self._keep(each, entry)

    def _origins(
        self, given: list[torch.Tensor]
    ) -> tuple[tuple[int, ...], tuple[tuple[int, ...], ...]]:
        """The entries that a call is given, and the sizes of what comes from elsewhere."""
        parents, roots = [], []
        for each in given:
            known = self._known.get(id(each))
            if known is not None:
                parents.append(known[1])
            elif id(each) in self.own:
                self.met = True
            elif each.is_leaf and each.requires_grad:
                self.weights[id(each)] = each
            elif not isinstance(each, torch.nn.Parameter) and id(each) not in self.fixed:
                roots.append(tuple(each.shape))
        return tuple(dict.fromkeys(parents)), tuple(roots)

    def _keep(self, result: torch.Tensor, entry: TapeEntry) -> None:
        self._elements += result.numel()
        if len(self.entries) >= _MOST_OPERATIONS or self._elements > _MOST_ELEMENTS:
            self.full = True
            return
        self._known[id(result)] = (result, len(self.entries))  # held, so that no other has its id
        self.entries.append(entry)
        self.results.append(_copy(result))

    def _place(self) -> int:
        frame = user_frame()
        key = (frame.f_code, frame.f_lasti)
        if key not in self._places:
            self._places[key] = len(self._places)
            if self.keeps_places:
                scene = scene_of(live_stops(frame))
                place = Place(frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name)
                self.passages.append(scene.passage if scene is not None else Passage(place))
        return self._places[key]

    def number_of(self, tensor: torch.Tensor) -> int | None:
        """The entry of a tensor."""
        known = self._known.get(id(tensor))
        return None if known is None else known[1]

    def first_with_rows(self) -> tuple[int | None, torch.Tensor | None]:
        """The first result that a gradient comes to and that has rows, with its entry."""
        for tensor, number in sorted(self._known.values(), key=lambda each: each[1]):
            if tensor.requires_grad and self.rows in tensor.shape:
                return number, tensor
        return None, None

    @property
    def drew_elsewhere(self) -> bool:
        """Whether Python's or NumPy's random numbers were used since it began."""
        return _random_state() != self._random


def _copy(tensor: torch.Tensor) -> torch.Tensor:
    if tensor.is_sparse or tensor.is_quantized or tensor.is_nested or tensor.is_meta:
        return torch.zeros(())
    return tensor.detach().clone().contiguous()


def _without_dropout(name: str, given: list[Any], options: dict[str, Any]) -> None:
    if name == "scaled_dot_product_attention":
        if "dropout_p" in options:
            options["dropout_p"] = 0.0
        elif len(given) > 4:
            given[4] = 0.0
    elif name in _RECURRENT:
        given[:] = [0.0 if type(each) is float else each for each in given]
    elif name == "multi_head_attention_forward":
        if "dropout_p" in options:
            options["dropout_p"] = 0.0
        elif len(given) > 10:
            given[10] = 0.0


def _with_running_statistics(given: list[Any], options: dict[str, Any]) -> None:
    """Let a norm use what it has gathered: statistics of the batch mix its rows by design."""
    held = dict(zip(("input", "running_mean", "running_var"), given, strict=False)) | options
    if held.get("running_mean") is None or held.get("running_var") is None:
        return
    key = "training" if "training" in options else 5
    if key == 5 and len(given) > 5:
        given[5] = False
    elif "training" in options:
        options["training"] = False


def _random_state() -> tuple[Any, ...]:
    numpy = sys.modules.get("numpy")
    state: Any = ()
    with contextlib.suppress(Exception):
        state = numpy.random.get_state()[1].tobytes() if numpy is not None else ()
    return random.getstate(), state
