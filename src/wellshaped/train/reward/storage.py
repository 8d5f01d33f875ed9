"""Reward models on disk: as a sequence classifier of transformers where one says the same.

A decoder that is read at its last token is written as `...ForSequenceClassification` with one
label, and anyone loads it without this package. That class takes the last token whose id is not
the pad's: so the pad written is never the end of a text, and gets a row of its own where the
vocabulary has none to spare. Encoders and the other poolings have no such class; they are written
as the backbone, and the head beside it.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import torch
from torch import Tensor, nn

from wellshaped.records.phrase import UserError

from .model import RewardModel
from .self_test import undisturbed

HEAD: Final = "reward_head.safetensors"
NOTE: Final = "reward_head.json"
PAD: Final = "<|pad|>"
MEANING: Final = (
    "The folder holds a backbone that AutoModel loads, and in reward_head.safetensors the pooling "
    "and the head that make a reward of its states; RewardModel.from_pretrained reads all of it. "
    "AutoModelForSequenceClassification would start with a new head."
)

# Options of a model that say where its configuration is found, too.
_OF_HUB: Final = ("revision", "local_files_only", "cache_dir", "token", "trust_remote_code")


def load(path: str | Path, *, pooling: str | None, fast: bool, **options: Any) -> RewardModel:
    """A reward model from what `save` or others wrote; a new head where there is none yet."""
    from transformers import AutoConfig, AutoModel

    note = Path(path) / NOTE
    if note.exists():
        return _load_with_head(
            Path(path), json.loads(note.read_text(encoding="utf-8")), fast, options
        )
    of_hub = {name: options[name] for name in _OF_HUB if name in options}
    config = AutoConfig.from_pretrained(path, **of_hub)
    if _is_reward_model(config) and pooling in (None, "last"):
        return _load_classifier(path, fast, options)
    backbone = AutoModel.from_pretrained(path, **options)
    return RewardModel(backbone, pooling=pooling or "last", fast=fast)


def has_head(path: str | Path, **options: Any) -> bool:
    """Whether `load` finds a head there, and need not make a new one."""
    from transformers import AutoConfig

    if (Path(path) / NOTE).exists():
        return True
    return _is_reward_model(AutoConfig.from_pretrained(path, **options))


def save(model: RewardModel, folder: str | Path, *, tokenizer: Any = None) -> None:
    """Write the model, and the tokenizer with the pad that goes with it.

    An adapter is merged into a copy of the backbone first.
    """
    plain = _merged(model)
    tokenizer, pad = _pad(plain.config, tokenizer)
    with _as_classifier(plain, pad) as classifier:
        if classifier is not None and _says_the_same(classifier, plain):
            classifier.save_pretrained(folder)
        else:
            _save_with_head(plain, Path(folder))
    if tokenizer is not None:
        tokenizer.save_pretrained(folder)


def _is_reward_model(config: Any) -> bool:
    named = [str(name) for name in config.architectures or ()]
    return config.num_labels == 1 and any("ForSequenceClassification" in name for name in named)


def _load_classifier(path: str | Path, fast: bool, options: dict[str, Any]) -> RewardModel:
    from transformers import AutoModelForSequenceClassification

    classifier = AutoModelForSequenceClassification.from_pretrained(path, **options)
    if not hasattr(classifier, "score"):
        raise UserError("WS990", "foreign_reward_head", model=type(classifier).__name__)
    backbone = getattr(classifier, classifier.base_model_prefix)
    return RewardModel(backbone, head=classifier.score.weight, fast=fast)


def _load_with_head(
    folder: Path, note: dict[str, Any], fast: bool, options: dict[str, Any]
) -> RewardModel:
    from safetensors.torch import load_file
    from transformers import AutoModel

    backbone = AutoModel.from_pretrained(folder, **options)
    model = RewardModel(backbone, pooling=note["pooling"], fast=fast)
    for name, weight in load_file(folder / HEAD).items():
        model.get_parameter(name).data.copy_(weight)
    return model


def _save_with_head(model: RewardModel, folder: Path) -> None:
    from safetensors.torch import save_file

    with _stock_attention(model):
        model.transformer.save_pretrained(folder)
    parts = {f"head.{name}": weight for name, weight in model.head.state_dict().items()}
    parts |= {f"pool.{name}": weight for name, weight in model.pool.state_dict().items()}
    save_file(parts, folder / HEAD)
    note = json.dumps({"pooling": model.pooling, "meaning": MEANING}, indent=2)
    (folder / NOTE).write_text(note + "\n", encoding="utf-8")


def _merged(model: RewardModel) -> RewardModel:
    if model.transformer is model.backbone:
        return model
    plain = copy.deepcopy(model)
    plain.backbone = plain.backbone.merge_and_unload()
    return plain


def _pad(config: Any, tokenizer: Any) -> tuple[Any, int]:
    """A pad that no text ends with, and the tokenizer that pads with it, on the right."""
    ends = config.eos_token_id if isinstance(config.eos_token_id, list) else [config.eos_token_id]
    if tokenizer is None:
        given = config.pad_token_id
        known = given is not None and given >= 0 and given not in ends
        return None, given if known else config.get_text_config().vocab_size
    tokenizer = copy.deepcopy(tokenizer)
    tokenizer.padding_side = "right"
    if tokenizer.pad_token_id is None or tokenizer.pad_token_id in (*ends, tokenizer.eos_token_id):
        tokenizer.add_special_tokens({"pad_token": PAD})
    return tokenizer, tokenizer.pad_token_id


@contextmanager
def _as_classifier(model: RewardModel, pad: int) -> Iterator[Any]:
    """The classifier of transformers around the same weights; None where there is none."""
    from transformers.models.auto.modeling_auto import MODEL_FOR_SEQUENCE_CLASSIFICATION_MAPPING

    if (
        model.pooling != "last"
        or type(model.config) not in MODEL_FOR_SEQUENCE_CLASSIFICATION_MAPPING
    ):
        yield None
        return
    with _stock_attention(model), _row_for(pad, model.transformer):
        config = copy.deepcopy(model.config)
        config.num_labels, config.pad_token_id = 1, pad
        config.vocab_size = model.transformer.get_input_embeddings().num_embeddings
        with torch.device("meta"):
            shell = MODEL_FOR_SEQUENCE_CLASSIFICATION_MAPPING[type(config)](config)
        if not hasattr(shell, "score"):
            yield None
            return
        setattr(shell, shell.base_model_prefix, model.transformer)
        shell.score = model.head
        yield shell


@contextmanager
def _row_for(token: int, transformer: Any) -> Iterator[None]:
    """Inside, the vocabulary has a row for the token, if need be a new one of zeros."""
    before = transformer.get_input_embeddings()
    missing = token + 1 - before.num_embeddings
    if missing <= 0:
        yield
        return
    weight = torch.cat(
        (before.weight.detach(), before.weight.new_zeros(missing, before.weight.size(1)))
    )
    transformer.set_input_embeddings(nn.Embedding.from_pretrained(weight))
    try:
        yield
    finally:
        transformer.set_input_embeddings(before)


@contextmanager
def _stock_attention(model: RewardModel) -> Iterator[None]:
    """Inside, the model attends by its own function, and no other is written anywhere."""
    name = model.config._attn_implementation
    model.attend_by(None)
    try:
        yield
    finally:
        model.attend_by(name)


def _says_the_same(classifier: Any, model: RewardModel) -> bool:
    """Whether the classifier reads the same rewards from a padded batch, as its users will."""
    pad = classifier.config.pad_token_id
    tokens = torch.tensor([token for token in range(6) if token != pad])
    texts = [tokens[:length] for length in (3, 5)]
    ids = nn.utils.rnn.pad_sequence(texts, batch_first=True, padding_value=pad)
    with undisturbed(model), torch.no_grad():
        ours: Tensor = torch.cat([model.score_alone(text) for text in texts])  # (2,)
        ids = ids.to(ours.device)
        classifier.eval()
        logits = classifier(input_ids=ids, attention_mask=(ids != pad).long()).logits  # (2, 1)
    return torch.allclose(ours, logits.squeeze(-1).float(), rtol=1e-2, atol=1e-3)
