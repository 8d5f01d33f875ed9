"""Responses from `wellshaped serve policy`, which has the weights of the policy at all times.

The server draws with the noise of the same rows and keeps the log-probabilities of the draw: what
comes back is what the policy here would have written.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import torch
from torch import Tensor

from wellshaped.records.phrase import UserError
from wellshaped.train.checkpoint import write_weights
from wellshaped.train.processes import from_first
from wellshaped.train.rl.endpoint import completed, options_of
from wellshaped.train.rl.learner import Learner
from wellshaped.train.rl.responses import Response, batch_of
from wellshaped.train.rl.rollout import Asked, PolicyGenerator
from wellshaped.train.serve.asking import OWNER, Refused, put

# Log-probabilities of the same tokens by the same weights: how far they may be from each other,
# on average, by rounding. In bfloat16 some hundredths are.
_ROUNDING: Final = 0.1
_COMPARED: Final = 4
_CONFLICT: Final = 409


class ServedGenerator:
    """Asks a server of ours at `url` (up to `/v1`), which gets the weights when they are new."""

    def __init__(self, learner: Learner, url: str, name: str) -> None:
        self.learner, self.url, self.name = learner, url, name
        self._brought = -1  # the updates that made the weights of the server
        self._weights = self._begun = ""  # what the server calls them, and the whole ones below
        self._is_compared = False

    def __call__(self, asked: Sequence[Asked], *, update: int) -> list[Response]:
        """One response for each prompt, in the same order."""
        self._bring()
        size = PolicyGenerator.batch_size
        found: list[Response] = []
        for start in range(0, len(asked), size):
            found += self._written(asked[start : start + size], update)
        self._compare(found)
        return found

    def _written(self, asked: Sequence[Asked], update: int) -> list[Response]:
        learner, sampling = self.learner, self.learner.settings.sampling
        own = {
            "update": update,
            "rows": [one.row for one in asked],
            "end": learner.words.end,
            "temperature": sampling.temperature,
            "precision": learner.accelerator.mixed_precision,
            "weights": self._weights,
        }
        options = {**options_of(sampling), "seed": learner.settings.seed, "logprobs": 0}
        choices = completed(self.url, self.name, asked, {**options, OWNER: own})
        try:
            return [_read(*pair) for pair in zip(asked, choices, strict=True)]
        except (KeyError, TypeError, ValueError) as error:
            reason = f"{type(error).__name__}: {error}"
            raise UserError("WS998", "server_unreadable", url=self.url, error=reason) from error

    def _bring(self) -> None:
        """Have the server take the weights, if the policy has learned since it last did."""
        done = self.learner.done
        if self._brought != done:
            self._weights, self._begun = from_first(self.learner.accelerator, self._put)
            self._brought = done

    def _put(self) -> tuple[str, str]:
        """Of an adapter, all weights once, and then those that are trained."""
        policy: Any = self.learner.policy
        every = policy.state_dict()
        adapters = getattr(policy, "peft_config", None)
        if not adapters:
            version = self._sent(every, "")
            return version, version
        rank = next(iter(adapters.values())).r
        if self._begun:
            trained = {name for name, one in policy.named_parameters() if one.requires_grad}
            part = {name: one for name, one in every.items() if name in trained}
            try:
                return self._sent(part, f"?lora={rank}&on={self._begun}"), self._begun
            except Refused as error:
                if error.status != _CONFLICT:  # the server was begun anew, or has had others since
                    raise
        version = self._sent(every, f"?lora={rank}")
        return version, version

    def _sent(self, weights: dict[str, Tensor], query: str) -> str:
        with tempfile.TemporaryDirectory(prefix="wellshaped-") as folder:
            file = Path(folder) / "weights.safetensors"
            write_weights(weights, file)
            answer = put(f"{self.url}/weights{query}", file)
        return str(answer.get("weights") if isinstance(answer, dict) else answer)

    @torch.no_grad()
    def _compare(self, found: Sequence[Response]) -> None:
        """Once, hold the server's log-probabilities against the policy's own: weights of the same
        shapes may be of another model."""
        if self._is_compared or not found:
            return
        chosen = found[:_COMPARED]
        batch = batch_of(chosen).to(self.learner.accelerator.device)
        temperature = self.learner.settings.sampling.temperature
        own_BR = self.learner.writer(batch, temperature=temperature).logprobs_BR.cpu()  # (B, R)
        mask_BR = batch.mask_BR.cpu()  # (B, R)
        told_N = torch.tensor([value for one in chosen for value in one.logprobs])  # (N,)
        difference = float((own_BR[mask_BR] - told_N).abs().mean())
        if not difference <= _ROUNDING:
            facts = {"url": self.url, "difference": f"{difference:.2g}"}
            raise UserError("WS998", "server_other_policy", **facts)
        self._is_compared = True


def _read(asked: Asked, choice: dict[str, Any]) -> Response:
    tokens = tuple(int(token) for token in choice["token_ids"])
    logprobs = tuple(float(value) for value in choice["logprobs"]["token_logprobs"])
    if not tokens or len(tokens) != len(logprobs):
        raise ValueError("token_logprobs")
    return Response(asked.prompt, tokens, logprobs, choice["finish_reason"] == "stop", asked.group)
