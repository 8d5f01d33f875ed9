"""Responses from a server that speaks OpenAI's completions, such as vLLM, as a generator.

The server must have the weights of the policy: `refresh` is called before each update, for
whoever brings them there. What it says of log-probabilities is not used: servers round them,
cut distributions and tokenise in their own way. The policy computes them from the tokens.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch

from wellshaped.records.phrase import UserError
from wellshaped.train.rl.generation.http_client import post
from wellshaped.train.rl.generation.policy_generator import GenerationRequest
from wellshaped.train.rl.policy import Actor
from wellshaped.train.rl.responses import Response, response_batch
from wellshaped.train.rollout_algorithm import Sampling


@dataclass(frozen=True)
class EndpointGenerator:
    """Asks `url` (up to `/v1`) for the completion of each prompt."""

    url: str
    name: str  # the server's name of the model
    actor: Actor
    tokenizer: Any
    sampling: Sampling
    seed: int = 0
    batch_size: int = 64
    refresh: Callable[[int], None] | None = None

    def __call__(self, requests: Sequence[GenerationRequest], *, update: int) -> list[Response]:
        """One response for each prompt, in the same order."""
        if self.refresh is not None:
            self.refresh(update)
        found: list[Response] = []
        for start in range(0, len(requests), self.batch_size):
            part = requests[start : start + self.batch_size]
            seed = self.seed + 1_000_003 * update + part[0].row
            # Tokens that go through their text may come back as others: vLLM tells the drawn ones.
            options = {**sampling_options(self.sampling), "seed": seed, "return_token_ids": True}
            choices = request_completions(self.url, self.name, part, options)
            found += self._scored([self._read(*pair) for pair in zip(part, choices, strict=True)])
        return found

    def _read(self, request: GenerationRequest, choice: dict[str, Any]) -> Response:
        """The tokens of a completion: the server's own if it gives them, else of its text."""
        tokens = choice.get("token_ids")
        if tokens is None:
            tokens = self.tokenizer(choice.get("text") or "", add_special_tokens=False)["input_ids"]
        end = self.tokenizer.eos_token_id
        tokens = [token for token in tokens if token != end][: self.sampling.response_length]
        ended = (
            choice.get("finish_reason") == "stop" and len(tokens) < self.sampling.response_length
        )
        if ended or not tokens:
            tokens.append(end)
        return Response(request.prompt, tuple(tokens), (), tokens[-1] == end, request.group)

    @torch.no_grad()
    def _scored(self, responses: list[Response]) -> list[Response]:
        batch = response_batch(responses).to(next(self.actor.parameters()).device)
        logprobs_BR = self.actor(batch, temperature=self.sampling.temperature).logprobs_BR  # (B, R)
        rows = zip(responses, logprobs_BR.tolist(), strict=True)
        return [replace(one, logprobs=tuple(row[: len(one.tokens)])) for one, row in rows]


def sampling_options(sampling: Sampling) -> dict[str, Any]:
    """The options of a draw by their names at OpenAI and vLLM."""
    return {
        "max_tokens": sampling.response_length,
        "temperature": 0.0 if sampling.greedy else sampling.temperature,
        "top_p": sampling.top_p,
        **({"top_k": sampling.top_k} if sampling.top_k else {}),
        **({"min_tokens": sampling.min_length} if sampling.min_length else {}),
    }


def request_completions(
    url: str, name: str, requests: Sequence[GenerationRequest], options: Mapping[str, Any]
) -> list[dict[str, Any]]:
    """The completions of a server in the order of the prompts."""
    body = {"model": name, "prompt": [list(one.prompt) for one in requests], **options}
    answer = post(f"{url.rstrip('/')}/completions", body)
    try:
        choices = sorted(answer["choices"], key=lambda choice: int(choice.get("index", 0)))
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        reason = f"{type(error).__name__}: {error}"
        raise UserError("WS998", "server_unreadable", url=url, error=reason) from error
    if len(choices) != len(requests):
        raise UserError("WS998", "endpoint_count", asked=len(requests), got=len(choices))
    return choices
