"""Learners over small policies, whose reward is the number of even tokens."""

from accelerate import Accelerator

from tests.train.rl.models import END, policy, prompts
from wellshaped.train.algorithms import algorithm
from wellshaped.train.rl.learner import Learner
from wellshaped.train.rl.prompts import Prompt
from wellshaped.train.rl.text_decoder import TextDecoder
from wellshaped.train.rollout_algorithm import RolloutAlgorithm, Sampling

WORDS = TextDecoder(END, lambda tokens: "".join(f" {token}" for token in tokens))


def even(texts):
    return [sum(int(word) % 2 == 0 for word in text.split(":")[1].split()) for text in texts]


def learner(model=None, *, method="ppo", reward=even, length=8, **settings):
    given = [Prompt(f"{number}:", tokens) for number, tokens in enumerate(prompts())]
    chosen = {"prompts": 12, "minibatch": 8, "epochs": 2, "learning_rate": 1e-3, **settings}
    return Learner(
        policy() if model is None else model,
        given,
        reward,
        WORDS,
        settings=algorithm(RolloutAlgorithm, method)(
            sampling=Sampling(response_length=length, temperature=0.9), **chosen
        ),
        accelerator=Accelerator(cpu=True),
    )


def weights(one):
    return {name: tensor.detach().clone() for name, tensor in one.core.state_dict().items()}


def farthest(first, second):
    return max(float((first[name] - second[name]).abs().max()) for name in first)
