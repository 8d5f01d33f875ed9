"""Short reward runs to try everything on: a tiny saved model, generated data, one call."""

import json
import os
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import torch
from transformers import AutoModel, BertConfig

from tests.train.vocabularies import adding, tiny
from wellshaped.cli import main
from wellshaped.records.training.progress import Step
from wellshaped.train.artifacts.trained_model import TrainedModel
from wellshaped.train.data import reviews
from wellshaped.train.models.tiny import tiny_config
from wellshaped.train.supervised import train_reward

SMALL = {"batch": 8, "learning_rate": 2e-3, "hold_out": 0.2}


def save_decoder(folder: Path) -> Path:
    """A GPT-2 of two small layers with random weights, and its tokenizer."""
    torch.manual_seed(5)
    config = tiny_config(tiny(), width=32, positions=128)
    AutoModel.from_config(config).save_pretrained(folder)
    tiny().save_pretrained(folder)
    return folder


def save_encoder(folder: Path) -> Path:
    """A BERT of the same size, whose tokenizer puts tokens around each text."""
    torch.manual_seed(5)
    tokenizer = adding("<cls>", "<sep>")
    config = BertConfig(
        vocab_size=len(tokenizer),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=128,
        pad_token_id=tokenizer.pad_token_id,
    )
    AutoModel.from_config(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def write_rows(path: Path, count: int, *, seed: int = 1) -> Path:
    """Generated preferences as a JSONL file."""
    rows = reviews.preferences(count, seed=seed)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def train(
    model: Path | None, out: Path, *, rows: int = 120, **settings
) -> tuple[TrainedModel, list[Any]]:
    """Train for a moment; what was told is returned as well."""
    told: list[Any] = []
    data = settings.pop("data", None) or reviews.preferences(rows, seed=1)
    trained = train_reward(model, data, out=out, tell=told.append, **{**SMALL, **settings})
    return trained, told


def command(folder: Path, arguments: list[str], environment: dict[str, str]) -> None:
    """A command of ours as a process of its own: in a folder, with one thread, silent."""
    os.environ.update(environment)
    os.chdir(folder)
    torch.set_num_threads(1)
    with (
        Path(os.devnull).open("w", encoding="utf-8") as nowhere,
        redirect_stdout(nowhere),
        redirect_stderr(nowhere),
    ):
        status = main(arguments)
    sys.exit(status)


def steps(told: list[Any]) -> list[Step]:
    """The steps of the optimizer among what was told."""
    return [each for each in told if isinstance(each, Step) and not each.evaluated]


def evaluations(told: list[Any]) -> list[Step]:
    """The evaluations among what was told."""
    return [each for each in told if isinstance(each, Step) and each.evaluated]
