"""One step of the optimizer over some responses of an update, by one process or several."""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor

from wellshaped.observe import guard
from wellshaped.records.phrase import UserError
from wellshaped.train.distributed.processes import sum_over_processes
from wellshaped.train.rl.experience import Experience
from wellshaped.train.rl.objective import Counts, objective
from wellshaped.train.rl.policy import Actor
from wellshaped.train.rollout_algorithm import RolloutAlgorithm


class PolicyStep:
    """The step of a policy method: its loss, the gradients, and the optimizer."""

    def __init__(self, stepper: Any, settings: RolloutAlgorithm, *, accelerator: Any) -> None:
        self.stepper, self.settings, self.accelerator = stepper, settings, accelerator
        self._is_checked = False

    @property
    def core(self) -> Actor:
        """The policy and its values, outside of whatever was wrapped around them."""
        actor: Actor = self.accelerator.unwrap_model(self.stepper.model)
        return actor

    def __call__(self, experience: Experience, rows: list[int], *, rate: float) -> dict[str, float]:
        """Learn from these rows at a learning rate; a process without rows of its own adds nothing.

        What is shown is of the policy before the step, which is left out once it moved too far.
        """
        counts = Counts.of(experience, rows)
        world, rank = self.accelerator.num_processes, self.accelerator.process_index
        most = -(-len(rows) // world)
        size = self.settings.rows or most
        shown: dict[str, Tensor] = {}
        for start in range(0, most, size):
            mine = rows[rank::world][start : start + size]
            part = experience.part(mine or rows[:1])
            with self.stepper.part(is_last=start + size >= most):
                self._backward(part, counts, shown, weight=1.0 if mine else 0.0)
        self._require_gradients(experience, rows)
        reduced = self._sum_over_processes(shown)
        if reduced["moved"] <= (self.settings.stop_kl or math.inf):
            for group in self.stepper.groups:
                group["lr"] = rate
            self.stepper.step()
        else:
            self.stepper.drop()
        return reduced

    def loss(self, part: Experience, counts: Counts) -> tuple[Tensor, dict[str, Tensor]]:
        """What is minimised for some responses, and the numbers that are shown."""
        settings, device = self.settings, self.accelerator.device
        with self.accelerator.autocast():
            output = self.stepper.model(
                part.batch.to(device),
                temperature=settings.sampling.temperature,
                entropy="learned" if settings.entropy_coefficient else "shown",
            )
            return objective(output, part.to(device), counts, settings)

    def _backward(
        self, part: Experience, counts: Counts, shown: dict[str, Tensor], *, weight: float
    ) -> None:
        with self.core.training_pass(checkpointing=self.settings.checkpointing):
            with guard():
                loss, sums = self.loss(part, counts)
            # The gradients of several processes are averaged; their losses are shares of a sum.
            self.stepper.backward(loss * (weight * self.accelerator.num_processes))
        for name, value in sums.items():
            shown[name] = shown.get(name, torch.zeros(())) + weight * value.cpu()

    def _sum_over_processes(self, shown: dict[str, Tensor]) -> dict[str, float]:
        names = sorted(shown)
        values_K = torch.stack([shown[name].double() for name in names])  # (K,)
        if self.accelerator.num_processes > 1:
            values_K = self.accelerator.reduce(values_K.to(self.accelerator.device), "sum")  # (K,)
        return dict(zip(names, values_K.tolist(), strict=True))

    def _require_gradients(self, experience: Experience, rows: list[int]) -> None:
        """Fail where nothing of the policy learns, though there is something to learn from."""
        if self._is_checked or not experience.advantages_BR[torch.tensor(rows)].any():
            return
        trained = [one for one in self.core.model.parameters() if one.requires_grad]
        reached = self.stepper.reaches(trained)
        if not sum_over_processes(self.accelerator, {"reached": float(reached)})["reached"]:
            raise UserError("WS997", "no_policy_gradient", parameters=len(trained))
        self._is_checked = True
