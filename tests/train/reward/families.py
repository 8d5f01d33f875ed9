"""Tiny models of each family, with random weights, and preference groups to try them on."""

from functools import cache

import torch
from transformers import (
    AutoModel,
    BertConfig,
    BloomConfig,
    Gemma2Config,
    GemmaConfig,
    GPT2Config,
    GPTNeoConfig,
    GPTNeoXConfig,
    LlamaConfig,
    MistralConfig,
    OPTConfig,
    PhiConfig,
    Qwen2Config,
    Qwen3Config,
    RobertaConfig,
)

from wellshaped.train.reward.model import RewardModel

VOCABULARY, PAD, END = 61, 0, 1
MARKS = {"pad_token_id": PAD, "eos_token_id": END, "bos_token_id": 2, "vocab_size": VOCABULARY}
SIZES = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4}
NEW = {**MARKS, **SIZES, "intermediate_size": 48, "max_position_embeddings": 128}
GROUPED = {**NEW, "num_key_value_heads": 2}
# The model's window is shorter than the texts.
WINDOW = 6

CONFIGS = {
    "gpt2": lambda: GPT2Config(**MARKS, n_embd=32, n_layer=2, n_head=4, n_positions=128),
    "llama": lambda: LlamaConfig(**GROUPED),
    "qwen2": lambda: Qwen2Config(**GROUPED),
    "qwen3": lambda: Qwen3Config(**GROUPED, head_dim=8),
    "mistral": lambda: MistralConfig(**GROUPED, sliding_window=None),
    "mistral_window": lambda: MistralConfig(**GROUPED, sliding_window=WINDOW),
    "gemma": lambda: GemmaConfig(**NEW, num_key_value_heads=1, head_dim=8),
    "gpt_neox": lambda: GPTNeoXConfig(**NEW),
    "opt": lambda: OPTConfig(
        **MARKS, **SIZES, ffn_dim=48, word_embed_proj_dim=32, max_position_embeddings=128
    ),
    "phi": lambda: PhiConfig(**NEW),
    "gemma2": lambda: Gemma2Config(**GROUPED, head_dim=8),
    "bloom": lambda: BloomConfig(**MARKS, hidden_size=32, n_layer=2, n_head=4),
    "gpt_neo": lambda: GPTNeoConfig(
        **MARKS,
        hidden_size=32,
        num_layers=2,
        num_heads=4,
        attention_types=[[["global", "local"], 1]],
        window_size=WINDOW,
        max_position_embeddings=128,
    ),
    "bert": lambda: BertConfig(**NEW),
    "roberta": lambda: RobertaConfig(**NEW),
}
# Their attention is their own, so that texts cannot be packed.
PADDED_ONLY = ("gemma2", "bloom", "gpt_neo")
ENCODERS = ("bert", "roberta")
DECODERS = tuple(name for name in CONFIGS if name not in ENCODERS)
PACKED = tuple(name for name in CONFIGS if name not in PADDED_ONLY)
SHARING = tuple(name for name in PACKED if name not in ENCODERS)


@cache
def settled(family: str = "gpt2", pooling: str = "last") -> RewardModel:
    """A model that knows its short cuts, for tests that change nothing in it."""
    model = reward_model(family, pooling=pooling)
    model.settle(64)
    return model


def reward_model(family: str = "gpt2", *, pooling: str = "last", fast: bool = True) -> RewardModel:
    """A seeded model without dropout."""
    torch.manual_seed(0)
    model = RewardModel(AutoModel.from_config(CONFIGS[family]()), pooling=pooling, fast=fast)
    return model.eval()


def tokens(count: int, seed: int) -> torch.Tensor:
    """Random words, none of which is a mark."""
    return torch.randint(
        3, VOCABULARY, (count,), generator=torch.Generator().manual_seed(seed * 1000 + count)
    )


def group(shared: int, *lengths: int, seed: int = 0) -> list[torch.Tensor]:
    """Texts with a shared beginning, then so many tokens of their own; each ends with the end."""
    beginning, end = tokens(shared, seed), torch.tensor([END])
    return [
        torch.cat((beginning, tokens(length - 1, seed + number), end))
        for number, length in enumerate(lengths, start=1)
    ]


def groups() -> list[list[torch.Tensor]]:
    """Pairs, one of which has two rejected answers, and a text by itself."""
    return [group(17, 4, 9), group(5, 12, 1, 2, seed=20), group(0, 3, 30, seed=40), group(8, 2)]


def alone(model: RewardModel, batch: list[list[torch.Tensor]]) -> torch.Tensor:
    """The truth: each text by itself, as the backbone reads it."""
    return torch.cat([model.score_alone(text) for texts in batch for text in texts])
