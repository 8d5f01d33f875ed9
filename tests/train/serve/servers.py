"""Small models in folders, and servers of them in a thread of the test."""

import contextlib
import threading

import torch

from tests.train.vocabularies import tiny
from wellshaped.train.reward.model import RewardModel
from wellshaped.train.rl.start import load_policy
from wellshaped.train.serve.web import Server
from wellshaped.train.telling import nothing
from wellshaped.train.tiny import tiny_config


def policy_folder(folder, *, width=16, seed=0):
    """A policy of this width, with weights that make its choices uneven."""
    from transformers import AutoModelForCausalLM

    torch.manual_seed(seed)
    model = AutoModelForCausalLM.from_config(tiny_config(tiny(), width=width, positions=64))
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(8.0 if parameter.ndim > 1 else 1.0)
    model.save_pretrained(folder)
    tiny().save_pretrained(folder)
    return folder


def reward_folder(folder):
    """A reward model that learned nothing."""
    torch.manual_seed(1)
    model = RewardModel(load_policy(None, tiny()).transformer, pooling="last")
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(8.0 if parameter.ndim > 1 else 1.0)
    model.save_pretrained(folder, tokenizer=tiny())
    return folder


@contextlib.contextmanager
def running(routes, *, port=0, tell=nothing):
    """A server with these routes."""
    server = Server("127.0.0.1", port)
    server.routes, server.tell = routes, tell
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
