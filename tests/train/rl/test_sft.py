"""Demonstrations are learned: the tokens of prompts have no part in the loss."""

import torch

from tests.train.rl.models import END, policy
from wellshaped.train.algorithms.sft import sft_step, sft_task
from wellshaped.train.distributed.processes import join
from wellshaped.train.loop import Loop
from wellshaped.train.loop_settings import LoopSettings
from wellshaped.train.rl.policy import Actor
from wellshaped.train.rl.responses import Response, response_batch


def shown(count=12):
    """Answers repeat the last token of the prompt twice."""
    rows = []
    for number in range(count):
        last = 2 + number % 6
        rows.append(Response((9,) * (1 + number % 4) + (last,), (last, last, END), (), True, 0))
    return rows


def test_the_loss_is_that_of_the_answers_alone():
    model = policy()
    rows = shown(5)
    made = sft_step(Actor(model), response_batch(rows))
    expected = 0.0
    for one in rows:
        tokens_T = torch.tensor(one.prompt + one.tokens)
        logprobs_TV = model(tokens_T.unsqueeze(0)).logits[0].log_softmax(-1)
        for place in range(len(one.prompt), len(tokens_T)):
            expected -= logprobs_TV[place - 1, tokens_T[place]].item()
    assert abs(made.loss.item() - expected) < 1e-3
    assert made.count == 15
    assert made.tokens == sum(len(one.prompt + one.tokens) for one in rows)


def test_demonstrations_are_learned():
    accelerator = join()
    work = sft_task(Actor(policy()), shown(), shown(6), size=4, seed=0, accelerator=accelerator)
    settings = LoopSettings(epochs=25, learning_rate=1e-2)
    ended = Loop(work, settings, accelerator=accelerator).run()
    assert ended.values["loss"] < 0.1
    assert 1.0 <= ended.values["perplexity"] < 1.2
