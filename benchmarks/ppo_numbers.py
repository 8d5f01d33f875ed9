"""One update of PPO by TRL 1.12 and by ours, on fixed rollouts: the same numbers, side by side."""

from __future__ import annotations

import copy
import io
import tempfile
from contextlib import redirect_stdout
from dataclasses import dataclass
from typing import Any
from unittest.mock import patch

import torch
from datasets import Dataset
from transformers import (
    GPT2Config,
    GPT2ForSequenceClassification,
    GPT2LMHeadModel,
    PreTrainedTokenizerFast,
)
from trl.experimental.ppo import PPOConfig, PPOTrainer, ppo_trainer

from wellshaped.train.algorithms.ppo import Ppo
from wellshaped.train.models.tiny import tiny_tokenizer
from wellshaped.train.rl.experience import ScoredResponse, experience_of
from wellshaped.train.rl.objective import Counts, objective
from wellshaped.train.rl.policy import Actor
from wellshaped.train.rl.responses import Response, response_batch
from wellshaped.train.rollout_algorithm import Sampling, Slot

END, PAD = 0, 1
TEMPERATURE = 0.7
TOLERANCE = 1e-5


@dataclass(frozen=True)
class Size:
    """A model, and how much it writes in an update."""

    layers: int = 2
    width: int = 64
    responses: int = 16
    length: int = 12
    words: int = 64
    positions: int = 128


def config(size: Size) -> GPT2Config:
    """Without dropout, so that numbers can be compared."""
    return GPT2Config(
        vocab_size=size.words, n_layer=size.layers, n_embd=size.width, n_head=4,
        n_positions=size.positions,
        resid_pdrop=0.0, embd_pdrop=0.0, attn_pdrop=0.0, num_labels=1,
        bos_token_id=END, eos_token_id=END, pad_token_id=PAD,
    )  # fmt: skip


def models(size: Size) -> tuple[Any, Any, Any, Any, Any]:
    """Policy, the policy that wrote, reference, reward model and value model, all different."""
    torch.manual_seed(0)
    policy = GPT2LMHeadModel(config(size))
    with torch.no_grad():
        for one in policy.parameters():
            one.mul_(4.0 if one.ndim > 1 else 1.0)
    wrote, reference = copy.deepcopy(policy), copy.deepcopy(policy)
    for other in (wrote, reference):
        with torch.no_grad():
            for one in other.parameters():
                one.add_(0.01 * torch.randn_like(one))
    reward, value = (GPT2ForSequenceClassification(config(size)) for _ in range(2))
    return policy.eval(), wrote.eval(), reference.eval(), reward.eval(), value.eval()


def rollouts(size: Size, wrote: Any, *, early: bool) -> list[Response]:
    """Prompts of eight lengths, and responses of which some end early, or none."""
    chance = torch.Generator().manual_seed(1)
    found = []
    for number in range(size.responses):
        prompt = torch.randint(2, size.words, (3 + number % 8,), generator=chance).tolist()
        length = 2 + (5 * number) % (size.length - 1) if early else size.length
        tokens = torch.randint(2, size.words, (length,), generator=chance).tolist()
        if length < size.length:
            tokens[-1] = END
        found.append(
            Response(tuple(prompt), tuple(tokens), (0.0,) * length, tokens[-1] == END, number)
        )
    logprobs_BR = _logprobs(wrote, found)
    return [
        Response(one.prompt, one.tokens, tuple(row[: len(one.tokens)]), one.ended, one.group)
        for one, row in zip(found, logprobs_BR.tolist(), strict=True)
    ]


@torch.no_grad()
def _logprobs(model: Any, responses: list[Response]) -> torch.Tensor:
    found: torch.Tensor = Actor(model)(
        response_batch(responses), temperature=TEMPERATURE + 1e-7
    ).logprobs_BR
    return found


def theirs(
    size: Size, given: tuple[Any, ...], responses: list[Response]
) -> tuple[dict[str, float], dict[str, torch.Tensor]]:
    """One update of TRL's own trainer on these responses, at learning rate 0, and its gradients."""
    policy, wrote, reference, reward, value = (copy.deepcopy(one) for one in given)
    longest = max(len(one.prompt) for one in responses)
    by_prompt = {one.prompt: one for one in responses}

    def fixed(model: Any, queries: torch.Tensor, *_: Any) -> tuple[torch.Tensor, torch.Tensor]:
        chosen = [by_prompt[tuple(row[row != PAD].tolist())] for row in queries]
        texts = [
            [PAD] * (longest - len(one.prompt)) + list(one.prompt + one.tokens) for one in chosen
        ]
        width = longest + size.length
        tokens_BT = torch.tensor([row + [PAD] * (width - len(row)) for row in texts])
        mask_BT = tokens_BT != PAD
        with torch.no_grad():
            logits_BTV = wrote(
                input_ids=tokens_BT.masked_fill(~mask_BT, 0),
                attention_mask=mask_BT.long(),
                position_ids=mask_BT.cumsum(1) - mask_BT.long(),
            ).logits
        return tokens_BT, logits_BTV[:, longest - 1 : -1] / (TEMPERATURE + 1e-7)

    gradients: dict[str, torch.Tensor] = {}
    trainer = _trainer(size, (policy, reference, reward, value), responses, updates=1, rate=0.0)
    step = trainer.optimizer.step

    def noted(*arguments: Any, **named: Any) -> Any:
        for name, one in trainer.model.named_parameters():
            if one.grad is not None:
                gradients[name] = one.grad.clone()
        return step(*arguments, **named)

    shown: dict[str, float] = {}
    with (
        patch.object(ppo_trainer, "batch_generation", fixed),
        patch.object(trainer.optimizer, "step", noted),
        patch.object(trainer, "log", lambda values: shown.update(values)),
        redirect_stdout(io.StringIO()),
    ):
        trainer.train()
    return shown, gradients


def _trainer(
    size: Size, given: tuple[Any, ...], responses: list[Response], *, updates: int, rate: float
) -> Any:
    policy, reference, reward, value = given
    arguments = trl_settings(
        size.responses, size.length, total_episodes=updates * size.responses,
        temperature=TEMPERATURE, learning_rate=rate,
    )  # fmt: skip
    rows = Dataset.from_list([{"input_ids": list(one.prompt)} for one in responses])
    return PPOTrainer(
        arguments, plain_tokenizer(), policy, reference, reward, rows, value_model=value
    )


def trl_settings(responses: int, length: int, **options: Any) -> PPOConfig:
    """Those of ours. A step of the optimizer for each minibatch needs a batch that is whole: TRL
    takes one step for all that `gradient_accumulation_steps` cuts it into."""
    return PPOConfig(
        output_dir=tempfile.mkdtemp(),
        per_device_train_batch_size=responses,
        gradient_accumulation_steps=1,
        local_rollout_forward_batch_size=responses,
        response_length=length,
        stop_token="eos",
        lr_scheduler_type="constant",
        adam_epsilon=1e-5,
        missing_eos_penalty=1.0,
        kl_coef=0.05,
        num_sample_generations=0,
        use_cpu=True,
        bf16=False,
        report_to="none",
        save_strategy="no",
        logging_strategy="no",
        disable_tqdm=True,
        **{"num_mini_batches": 1, "num_ppo_epochs": 1, **options},
    )


def plain_tokenizer() -> PreTrainedTokenizerFast:
    """Any: prompts come as ids."""
    made: PreTrainedTokenizerFast = tiny_tokenizer()
    made.padding_side = "left"
    assert (made.eos_token_id, made.pad_token_id) == (END, PAD)
    return made


def ours(
    size: Size, given: tuple[Any, ...], responses: list[Response], slot: Slot
) -> tuple[dict[str, float], dict[str, torch.Tensor]]:
    """The same update by our own parts."""
    policy, _, reference, reward, value = (copy.deepcopy(one) for one in given)
    sampling = Sampling(response_length=size.length, temperature=TEMPERATURE + 1e-7)
    settings = Ppo(prompts=size.responses, minibatch=size.responses, slot=slot, sampling=sampling)
    actor: Any = Actor(policy, value="separate")
    actor.backbone.load_state_dict(value.transformer.state_dict())
    with torch.no_grad():
        actor.head.linear.weight.copy_(value.score.weight)
    batch = response_batch(responses, width=size.length, slot=slot)
    reference_BR = _logprobs(reference, responses)
    values_BR = actor.values(batch)
    judged = [
        ScoredResponse(
            one, "", _score(reward, one),
            tuple(reference_BR[row, : len(one.tokens)].tolist()),
            tuple(values_BR[row][batch.value_mask_BR[row]].tolist()),
        )
        for row, one in enumerate(responses)
    ]  # fmt: skip
    experience = experience_of(judged, settings, settings.kl)
    output = actor(experience.batch, temperature=sampling.temperature, entropy="shown")
    rows = list(range(len(responses)))
    loss, shown = objective(output, experience, Counts.of(experience, rows), settings)
    loss.backward()
    real = int(experience.batch.mask_BR.sum())
    cells = experience.batch.mask_BR.numel()
    found = {
        "objective/kl": float(experience.kl_B.mean()),
        "objective/scores": float(experience.scores_B.mean()),
        "loss/policy_avg": float(shown["policy_loss"]),
        "loss/value_avg": float(shown["value_loss"]),
        "policy/clipfrac_avg": float(shown["clip_fraction"]),
        "val/clipfrac_avg": float(shown["value_clip_fraction"]),
        # TRL's means are over all columns: behind the end the ratio is 1 and nothing moved.
        "val/ratio": (float(shown["ratio"]) * real + cells - real) / cells,
        "policy/approxkl_avg": float(shown["moved"]) * real / cells,
    }
    gradients = {f"policy.{name}": one.grad for name, one in policy.named_parameters()}
    gradients |= {
        f"value_model.transformer.{name}": one.grad
        for name, one in actor.backbone.named_parameters()
    }
    gradients["value_model.score.weight"] = actor.head.linear.weight.grad
    return found, {name: one for name, one in gradients.items() if one is not None}


@torch.no_grad()
def _score(reward: Any, one: Response) -> float:
    states = reward.transformer(input_ids=torch.tensor([one.prompt + one.tokens]))
    return float(reward.score(states.last_hidden_state[0, -1]))


def numbers() -> bool:
    """The numbers of one update side by side; whether all agree."""
    size, agree = Size(), True
    given = models(size)
    # TRL puts the score one slot behind the end; where a response fills all columns, at its end.
    cases: list[tuple[bool, Slot]] = [(False, "last"), (False, "after"), (True, "after")]
    for early, slot in cases:
        responses = rollouts(size, given[1], early=early)
        (shown, theirs_g), (found, ours_g) = (
            theirs(size, given, responses),
            ours(size, given, responses, slot),
        )
        ends = "some end early" if early else "none ends early"
        print(f"one update, {size.responses} responses, {ends}, score in the slot `{slot}`")
        print(f"  {'':24}{'TRL 1.12':>14}{'wellshaped':>14}{'difference':>14}")
        for name, value in found.items():
            difference = abs(value - shown[name])
            agree &= difference <= TOLERANCE
            print(f"  {name:24}{shown[name]:14.7f}{value:14.7f}{difference:14.1e}")
        worst = max(
            float((theirs_g[name] - one).norm() / one.norm().clamp_min(1e-12))
            for name, one in ours_g.items()
            if name in theirs_g
        )
        agree &= worst <= TOLERANCE and theirs_g.keys() == ours_g.keys()
        print(f"  gradients of {len(ours_g)} tensors, largest relative difference {worst:.1e}\n")
    return agree
