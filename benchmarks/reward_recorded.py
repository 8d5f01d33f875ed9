"""Records what TRL's `RewardTrainer` computes on a tiny model, for tests that run without TRL.

usage: python -m benchmarks.reward_recorded      (rewrites tests/train/reward/data/trl.json)

A few steps of training for each case: the loss of each batch and the rewards of its texts. From
the second step on they depend on the gradients of the steps before, the clipping, and AdamW.
"""

from __future__ import annotations

import json
import random
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

import torch

from benchmarks.reward_trl import train_by

RECORDED: Final = Path(__file__).parents[1] / "tests/train/reward/data/trl.json"
VOCABULARY, END, PAD = 60, 57, 58
BATCH, STEPS, RATE, CLIP = 4, 4, 2e-3, 1.0
SEED: Final = 11
# What differs from a plain run: the margins of the rows, and the price of rewards off centre.
CASES: Final[dict[str, dict[str, float]]] = {
    "plain": {},
    "margins": {"margin": 0.5},
    "centring": {"centring": 0.1},
}


def classifier() -> Any:
    """A GPT-2 with one label, whose weights depend on nothing but torch's random numbers."""
    from transformers import GPT2Config, GPT2ForSequenceClassification

    config = GPT2Config(
        vocab_size=VOCABULARY,
        n_layer=2,
        n_embd=16,
        n_head=2,
        n_positions=48,
        eos_token_id=END,
        bos_token_id=END,
    )
    config.num_labels, config.pad_token_id = 1, PAD
    config.resid_pdrop = config.embd_pdrop = config.attn_pdrop = 0.0
    made = GPT2ForSequenceClassification(config)
    drawn = torch.Generator().manual_seed(SEED)
    with torch.no_grad():
        for name, weight in sorted(made.named_parameters()):
            centre = 1.0 if weight.dim() == 1 and name.endswith("weight") else 0.0
            weight.copy_(centre + 0.25 * torch.randn(weight.shape, generator=drawn))
    return made


def rows(case: str) -> list[dict[str, Any]]:
    """Pairs of all kinds: nothing shared, all but the end shared, one answer within the other."""
    draw = random.Random(SEED)

    def tokens(count: int) -> list[int]:
        return [draw.randrange(END) for _ in range(count)]

    found = []
    for place in range(BATCH * STEPS):
        prompt = tokens(draw.choice((0, 3, 12, 30)))
        chosen, rejected = tokens(draw.randrange(1, 12)), tokens(draw.randrange(1, 12))
        if place % 4 == 3:
            rejected = [*chosen, *rejected][:14]
        row: dict[str, Any] = {
            "chosen_ids": [*prompt, *chosen, END],
            "rejected_ids": [*prompt, *rejected, END],
        }
        if "margin" in CASES[case]:
            row["margin"] = CASES[case]["margin"] * (place % 3)
        found.append(row)
    return found


def by_trl(case: str) -> list[dict[str, Any]]:
    """The loss and the rewards of each step of TRL's trainer."""
    from trl import RewardTrainer

    steps: list[dict[str, Any]] = []

    class Recorded(RewardTrainer):  # type: ignore[misc]
        def compute_loss(self, model: Any, inputs: Any, *_: Any, **__: Any) -> Any:
            loss, outputs = super().compute_loss(model, inputs, return_outputs=True)
            chosen, rejected = outputs.logits.squeeze(-1).chunk(2)
            steps.append(
                {"loss": loss.item(), "chosen": chosen.tolist(), "rejected": rejected.tolist()}
            )
            return loss

    train_by(
        Recorded,
        classifier(),
        rows(case),
        ids=(END, PAD),
        per_device_train_batch_size=BATCH,
        learning_rate=RATE,
        max_grad_norm=CLIP,
        weight_decay=0.0,
        center_rewards_coefficient=CASES[case].get("centring"),
    )
    return steps


def main() -> None:
    """Record all cases, with the versions that they come from."""
    versions = {name: version(name) for name in ("trl", "transformers", "torch", "accelerate")}
    cases = {case: by_trl(case) for case in CASES}
    RECORDED.parent.mkdir(exist_ok=True)
    RECORDED.write_text(
        json.dumps({"versions": versions, "cases": cases}, indent=1) + "\n", encoding="utf-8"
    )
    for case, steps in cases.items():
        print(case, *(f"{step['loss']:.6f}" for step in steps))


if __name__ == "__main__":
    main()
