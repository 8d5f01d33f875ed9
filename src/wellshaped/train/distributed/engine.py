"""Steps through DeepSpeed's engine: the optimizer, gradients and weights sharded by ZeRO.

Gradients are divided after the last backward pass by what DeepSpeed takes for the scale of its
losses: it is 1 while gradients are made, and is set before the step. DeepSpeed takes it off, and
clips, in its own step.
"""

from __future__ import annotations

import contextlib
import logging
import os
import warnings
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import torch
from accelerate.utils import convert_outputs_to_fp32
from torch import Tensor, distributed, nn

from wellshaped.train.distributed.engine_config import engine_config
from wellshaped.train.distributed.processes import Accelerator
from wellshaped.train.distributed.sharding import GatheredModel, filled, shell_of
from wellshaped.train.distributed.stepper import Stepper

# What AdamW keeps of each weight, beside the number of its steps.
_KEPT = ("exp_avg", "exp_avg_sq")


class Engine(Stepper):
    """A model in DeepSpeed's engine, in the stage of ZeRO that its configuration names."""

    def __init__(
        self,
        accelerator: Accelerator,
        model: nn.Module,
        optimizer: torch.optim.Optimizer,
        *,
        clip: float,
    ) -> None:
        self._plain, self._optimizer = model, optimizer
        self._shell = shell_of(model)
        # The engine puts flat parts of the weights in their place.
        self._order = [each for group in optimizer.param_groups for each in group["params"]]
        self._groups = optimizer.state_dict()["param_groups"]
        self._is_first = accelerator.is_main_process
        if accelerator.mixed_precision == "bf16":
            # As accelerate does: what comes of bfloat16 is compared and added up in float32.
            model.forward = convert_outputs_to_fp32(model.forward)
        config = engine_config(clip=clip, precision=accelerator.mixed_precision)
        self._deepspeed, self._engine = _started(accelerator, model, optimizer, config)
        self.model = self._engine
        self._zero = self._engine.optimizer
        self._prepare_state()

    @property
    def groups(self) -> list[dict[str, Any]]:
        """Those that DeepSpeed steps by."""
        found: list[dict[str, Any]] = self._zero.param_groups
        return found

    @contextlib.contextmanager
    def part(self, *, is_last: bool) -> Iterator[None]:
        """The last batch of a window is the boundary of what DeepSpeed accumulates."""
        self._engine.set_gradient_accumulation_boundary(is_last)
        self._zero.override_loss_scale(1.0)
        yield

    def backward(self, loss: Tensor) -> None:
        """Add to the gradients."""
        self._engine.backward(loss)

    def reaches(self, weights: Iterable[nn.Parameter]) -> bool:
        """Whether some gradient is not zero; all are asked for, by all processes."""
        found = [self._deepspeed.utils.safe_get_full_grad(each) for each in weights]
        return any(each is not None and bool(each.any()) for each in found)

    def step(self, factor: float = 1.0) -> float:
        """Take the step with the factor as the scale to be taken off."""
        self._zero.override_loss_scale(1.0 / factor)
        self._engine.step()
        return float(self._engine.get_global_grad_norm())

    def drop(self) -> None:
        """Go through a step in which the optimizer does nothing: DeepSpeed frees its gradients."""
        self._optimizer.step = _nothing  # type: ignore[method-assign, assignment]
        try:
            self._engine.step()
        finally:
            del self._optimizer.step

    def weights(self) -> dict[str, Tensor]:
        """Whole weights in the first process, gathered one by one."""
        return self._gather(torch.device("cpu"), here=self._is_first)

    def load(self, weights: Mapping[str, Tensor], *, strict: bool = True) -> None:
        """Take up the weights of the first process, gathered one by one."""
        for name, each in self._plain.state_dict(keep_vars=True).items():
            if strict or name in weights:
                with self._whole(each, changed=True), torch.no_grad():
                    if self._is_first:
                        each.copy_(weights[name])
                    if not hasattr(each, "ds_id"):
                        distributed.broadcast(each.detach(), src=0)
        self._zero.refresh_fp32_params()

    def optimizer_state(self) -> dict[str, Any]:
        """The state as AdamW gives it that holds all weights itself."""
        groups = [
            {**kept, "lr": now["lr"]} for kept, now in zip(self._groups, self.groups, strict=True)
        ]
        steps = next(iter(self._optimizer.state.values()))["step"]
        state: dict[int, dict[str, Tensor]] = {}
        for place, each in enumerate(self._order):
            kept = {
                name: self._deepspeed.utils.safe_get_full_optimizer_state(each, name)
                for name in _KEPT
            }
            if self._is_first:
                state[place] = {name: value.to("cpu", copy=True) for name, value in kept.items()}
                state[place]["step"] = steps.to("cpu", copy=True)
        return {"state": state, "param_groups": groups}

    def load_optimizer(self, state: dict[str, Any]) -> None:
        """Take up the parts that are this process's; FSDP calls weights by name, others count."""
        found = state["state"]
        called = [each for group in state["param_groups"] for each in group["params"]]
        for each, mark in zip(self._order, called, strict=True):
            for name in _KEPT if mark in found else ():
                self._keep(each, found[mark][name], name)
        steps = max((each["step"] for each in found.values()), default=torch.zeros(()))
        for kept in self._optimizer.state.values():
            kept["step"].copy_(steps)

    def gathered(self) -> GatheredModel | None:
        """The shell of what stage 3 sharded; before it, weights are whole in each process."""
        if self._engine.zero_optimization_stage() < 3:
            return None
        device = self._engine.device
        return GatheredModel(self._shell, lambda: self._gather(device, here=True), device)

    def trained(self) -> nn.Module:
        """The model as it was before the engine had it, with the weights of all processes."""
        weights = self.weights()
        return filled(self._shell, weights) if weights else self._plain

    def release(self) -> None:
        """Nothing: what the engine put on the model stays with it, and the result is another."""

    def _gather(self, device: torch.device, *, here: bool) -> dict[str, Tensor]:
        """Copies of whole weights; processes that do not need them `here` help the others."""
        held = self._plain.state_dict(keep_vars=True)
        made: dict[int, Tensor] = {}
        for each in held.values():
            if id(each) not in made:
                with self._whole(each):
                    made[id(each)] = each.detach().to(device, copy=True) if here else each
        return {name: made[id(each)] for name, each in held.items()} if here else {}

    def _whole(
        self, weight: Tensor, *, changed: bool = False
    ) -> contextlib.AbstractContextManager[object]:
        """While inside, all of a weight is here; what the first process changes is kept."""
        made: contextlib.AbstractContextManager[object] = self._deepspeed.zero.GatheredParameters(
            [weight], modifier_rank=0 if changed else None
        )
        return made

    def _prepare_state(self) -> None:
        """Have the state of the optimizer from the start, so that a run can go on with it."""
        parts = (
            self._zero.fp32_partitioned_groups_flat
            if hasattr(self._zero, "fp32_partitioned_groups_flat")
            else self._zero.single_partition_of_fp32_groups
        )
        for part in parts:
            kept = {name: torch.zeros_like(part) for name in _KEPT}
            step = torch.zeros((), dtype=torch.float32, device=part.device)
            self._optimizer.state[part] = {"step": step, **kept}
        if hasattr(self._zero, "_lazy_init_hp_params_optimizer_state"):
            self._zero._lazy_init_hp_params_optimizer_state()

    def _keep(self, weight: nn.Parameter, value: Tensor, name: str) -> None:
        if not hasattr(weight, "ds_tensor"):
            self._deepspeed.utils.safe_set_full_optimizer_state(weight, value, name)
            return
        # DeepSpeed 0.19 cuts a whole value without the padding of its last part.
        size = weight.ds_tensor.numel()
        rank = distributed.get_rank()
        padded = nn.functional.pad(
            value.flatten(), (0, size * distributed.get_world_size() - value.numel())
        )
        part = padded[rank * size : (rank + 1) * size]
        self._deepspeed.utils.safe_set_local_optimizer_state(weight, part, name)


def _started(
    accelerator: Accelerator,
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    config: dict[str, Any],
) -> tuple[Any, Any]:
    """DeepSpeed, and its engine on the device and among the processes that accelerate has."""
    os.environ.setdefault("DS_ACCELERATOR", accelerator.device.type)
    # DeepSpeed's choice of collectives is its own affair, and it is loud about it.
    warnings.filterwarnings("ignore", category=FutureWarning, message=".*torch.distributed")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import deepspeed

        # DeepSpeed 0.19 would build a kernel of inference on processors, which asks for a compiler,
        # and where a run is killed meanwhile, all later ones wait for it.
        vars(deepspeed.ops).setdefault("__compatible_ops__", {})
        logging.getLogger("DeepSpeed").addFilter(_concerns_us)
        _join_alone(accelerator)
        engine, *_ = deepspeed.initialize(
            model=model.to(accelerator.device), optimizer=optimizer, config=config
        )
    return deepspeed, engine


def _concerns_us(record: logging.LogRecord) -> bool:
    """Not that it cannot look into what a policy returns: all weights belong to parts of it."""
    return record.funcName != "apply_to_tensors_only"


def _join_alone(accelerator: Accelerator) -> None:
    """Let a process that is alone be a group of one, which DeepSpeed asks for."""
    if not distributed.is_initialized():
        os.environ.setdefault("LOCAL_RANK", "0")
        backend = "nccl" if accelerator.device.type == "cuda" else "gloo"
        place = "tcp://127.0.0.1:0"
        distributed.init_process_group(backend, init_method=place, rank=0, world_size=1)


def _nothing() -> None:
    pass
