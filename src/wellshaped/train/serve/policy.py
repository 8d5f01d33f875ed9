"""A policy behind HTTP: it completes prompts as OpenAI's servers do, and takes new weights.

A request of our own training says, beside the fields of OpenAI, which rows of which update it asks
for and with which weights. So a response is to the last bit what the policy itself would write.
"""

from __future__ import annotations

import contextlib
import copy
import secrets
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import torch

from wellshaped.records.phrase import Phrase, UserError
from wellshaped.train.adapters import with_adapters
from wellshaped.train.reward.start import best_device, load_tokenizer
from wellshaped.train.rl.learner import Words
from wellshaped.train.rl.policy import Actor
from wellshaped.train.rl.responses import Response
from wellshaped.train.rl.rollout import Asked, PolicyGenerator
from wellshaped.train.rl.sampling import Sampling
from wellshaped.train.rl.start import load_policy, positions_of
from wellshaped.train.serve.asking import OWNER
from wellshaped.train.serve.fields import bad, number, whole
from wellshaped.train.serve.web import Route, Routes
from wellshaped.train.serve.weights import take
from wellshaped.train.telling import Tell

_MOST_TOKENS: Final = 1_000_000
_MOST_SAMPLES: Final = 1024
_HEADER: Final = 16 * 2**20  # of a file of weights
# What OpenAI has and this server does not: it would change the answer, so it is not ignored.
_MISSING: Final = ("stop", "stream", "suffix", "echo", "best_of", "logit_bias")
_PRECISIONS: Final = {"bf16": torch.bfloat16, "fp16": torch.float16}


class PolicyService:
    """The routes of a policy; all but the weights is as it was loaded."""

    def __init__(self, model: str | Path, *, tell: Tell) -> None:
        self.name, self.tell = str(model), tell
        self.tokenizer = load_tokenizer(model, ())
        self.words = Words.of(self.tokenizer)
        policy = load_policy(model, self.tokenizer).to(best_device())
        self.size = policy.get_input_embeddings().num_embeddings
        self.positions = positions_of(policy)
        self.actor, self.rank = Actor(policy), 0
        self.version = self.begun = secrets.token_hex(8)

    def routes(self) -> Routes:
        """What can be asked of it."""
        size = sum(one.nbytes for one in self.actor.state_dict().values())
        return {
            ("GET", "/v1/models"): Route(self.models),
            ("POST", "/v1/completions"): Route(self.completions, "json"),
            ("PUT", "/v1/weights"): Route(self.weights, "file", 2 * size + _HEADER),
        }

    def models(self, _: None, __: Mapping[str, str]) -> dict[str, Any]:
        """What is served, and that it is served by us."""
        about = {"id": self.name, "object": "model", "owned_by": OWNER, "serves": "policy"}
        return {"object": "list", "data": [{**about, "weights": self.version}]}

    def completions(self, body: dict[str, Any], _: Mapping[str, str]) -> dict[str, Any]:
        """Responses to prompts."""
        began = time.monotonic()
        own = self._own(body)
        sampling = _sampling(body, own)
        asked = self._asked(body, own, sampling.length)
        generator = PolicyGenerator(
            self.actor.model,
            whole(own, "end", self.words.end, least=0),
            sampling,
            whole(body, "seed", secrets.randbelow(2**31), least=0),
            packs=self.actor.packs,
        )
        with self._precision(own):
            found = generator(asked, update=whole(own, "update", 0, least=-2))
        tokens = sum(len(one.tokens) for one in found)
        seconds = f"{time.monotonic() - began:.1f}"
        self.tell(
            Phrase("served_responses", {"count": len(found), "tokens": tokens, "seconds": seconds})
        )
        read = sum(len(one.prompt) for one in found)
        return {
            "id": f"cmpl-{secrets.token_hex(12)}",
            "object": "text_completion",
            "created": int(time.time()),
            "model": self.name,
            "choices": [
                self._choice(place, one, told=body.get("logprobs") is not None)
                for place, one in enumerate(found)
            ],
            "usage": {
                "prompt_tokens": read,
                "completion_tokens": tokens,
                "total_tokens": read + tokens,
            },
        }

    def weights(self, file: Path, query: Mapping[str, str]) -> dict[str, Any]:
        """Take the weights in a file of safetensors: all of them, or some `on` top of such.

        `lora` is the rank of the adapter that is among them.
        """
        rank = query.get("lora", "0")
        if not rank.isdecimal():
            raise bad("lora", rank)
        on = query.get("on")
        if on is not None and on != self.begun:
            raise UserError("WS998", "weights_other")
        actor = self._with_rank(int(rank))
        count = take(actor.model, file, whole=on is None)
        self.actor, self.rank = actor, int(rank)
        self.version = secrets.token_hex(8)
        self.begun = self.version if on is None else self.begun
        self.tell(Phrase("served_weights", {"count": count}))
        return {"weights": self.version, "tensors": count}

    def _with_rank(self, rank: int) -> Actor:
        """The policy with such an adapter; one that is made is a copy, for it may not be used."""
        if rank == self.rank:
            return self.actor
        self.actor.attend_as_before()
        made: Any = copy.deepcopy(self.actor.model)
        made = made.unload() if self.rank else made
        return Actor(with_adapters(made, rank) if rank else made)

    def _own(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """What training says beside the fields of OpenAI; refused with other weights than its."""
        for name in _MISSING:
            if body.get(name):
                raise bad(name, body[name])
        if body.get("model") not in (None, self.name):
            raise bad("model", body["model"])
        own = body.get(OWNER) or {}
        if not isinstance(own, dict):
            raise bad(OWNER, own)
        if own.get("weights") not in (None, self.version):
            raise UserError("WS998", "weights_other")
        return own

    def _asked(self, body: Mapping[str, Any], own: Mapping[str, Any], length: int) -> list[Asked]:
        samples = whole(body, "n", 1, least=1, most=_MOST_SAMPLES)
        prompts = self._prompts(body.get("prompt"), length)
        every = [(group, prompt) for group, prompt in enumerate(prompts) for _ in range(samples)]
        rows = own.get("rows", list(range(len(every))))
        if not (isinstance(rows, list) and len(rows) == len(every) and all(map(_is_whole, rows))):
            raise bad("rows", rows)
        return [Asked(prompt, group, row) for (group, prompt), row in zip(every, rows, strict=True)]

    def _prompts(self, given: Any, length: int) -> list[tuple[int, ...]]:
        """Texts or token ids, one or several."""
        several = given if isinstance(given, list) and given and not _is_ids(given) else [given]
        found = []
        for place, one in enumerate(several):
            ids = self.tokenizer(one)["input_ids"] if isinstance(one, str) else one
            if not _is_ids(ids):
                raise bad("prompt", one)
            self._refuse(place, ids, length)
            found.append(tuple(ids))
        return found

    def _refuse(self, place: int, ids: Sequence[int], length: int) -> None:
        for token in ids:
            if not 0 <= token < self.size:
                facts = {"place": place, "token": token, "size": self.size}
                raise UserError("WS998", "request_token", **facts)
        if self.positions is not None and len(ids) + length > self.positions:
            facts = {"place": place, "tokens": len(ids), "length": length}
            raise UserError("WS998", "request_long", positions=self.positions, **facts)

    def _precision(self, own: Mapping[str, Any]) -> contextlib.AbstractContextManager[Any]:
        given = own.get("precision", "no")
        if given == "no":
            return contextlib.nullcontext()
        if given not in _PRECISIONS:
            raise bad("precision", given)
        return torch.autocast(best_device().type, dtype=_PRECISIONS[given])

    def _choice(self, place: int, one: Response, *, told: bool) -> dict[str, Any]:
        choice: dict[str, Any] = {
            "index": place,
            "text": self.words.decode(one.tokens[:-1] if one.ended else one.tokens),
            "token_ids": list(one.tokens),
            "finish_reason": "stop" if one.ended else "length",
            "logprobs": None,
        }
        if told:
            shown = self.tokenizer.convert_ids_to_tokens(list(one.tokens))
            choice["logprobs"] = {"tokens": shown, "token_logprobs": list(one.logprobs)}
        return choice


def _sampling(body: Mapping[str, Any], own: Mapping[str, Any]) -> Sampling:
    """The options of a draw; a temperature of 0 takes the likeliest word."""
    temperature = number(body, "temperature", 1.0, least=0.0)
    top_k = whole(body, "top_k", 0, least=-1)
    top_p = number(body, "top_p", 1.0, least=0.0, most=1.0)
    if top_p == 0:
        raise bad("top_p", top_p)
    # Of a greedy draw too, training wants the log-probabilities at its own temperature.
    told = number(own, "temperature", temperature or 1.0, least=0.0)
    return Sampling(
        length=whole(body, "max_tokens", 16, least=1, most=_MOST_TOKENS),
        temperature=told or 1.0,
        top_k=max(top_k, 0),
        top_p=top_p,
        min_length=whole(body, "min_tokens", 0, least=0),
        greedy=temperature == 0,
    )


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_ids(given: Any) -> bool:
    return isinstance(given, list) and bool(given) and all(map(_is_whole, given))
