"""Small runs of policy learning, and the command that starts one as a process of its own."""

import os
import sys

import torch
from safetensors.torch import save_file

from wellshaped.train import toy_task
from wellshaped.train.data import reviews
from wellshaped.train.events import discard
from wellshaped.train.rollout import train_policy
from wellshaped.train.supervised import train_sft

SMALL = {"updates": 4, "prompts": 6, "minibatch": 4, "epochs": 2, "response_length": 12}
OFTEN = {"evaluate_every": 2, "save_every": 1, "learning_rate": 1e-3}


def taught(folder, **options):
    rows = toy_task.demonstrations(0)[:160]
    return train_sft(
        None, rows, out=folder, batch=16, **{"tell": discard, "learning_rate": 5e-3, **options}
    )


def quality(texts):
    return [reviews.quality(text) for text in texts]


def improved(start, out, *, reward=quality, **options):
    learned, held_out = toy_task.prompts(0)
    settings = {"tell": discard, **SMALL, **OFTEN, **options}
    return train_policy(start, learned, reward, out=out, held_out=held_out[:5], **settings)


def weights(trained):
    return {name: tensor.clone() for name, tensor in trained.model.state_dict().items()}


def alone(start, out, environment, options):
    """A run that goes on, in a process of its own."""
    os.environ.update(environment)
    torch.set_num_threads(1)
    improved(start, out, resume=True, **options)


def main(start: str, out: str, result: str) -> None:
    torch.set_num_threads(1)
    trained = improved(start, out, resume=True)
    save_file({name: one.contiguous() for name, one in _own(trained).items()}, result)


def _own(trained):
    """Without the head that is the embedding once more."""
    return {name: one for name, one in weights(trained).items() if name != "lm_head.weight"}


if __name__ == "__main__":
    main(*sys.argv[1:])
