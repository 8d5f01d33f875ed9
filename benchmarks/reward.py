"""A reward model as people write it: the program that `benchmarks.scale` checks and runs."""

import argparse

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset
from transformers import LlamaConfig, LlamaForSequenceClassification

# vocabulary, width, inner width, layers
SIZES = {"small": (1000, 256, 704, 8), "70b": (128256, 8192, 28672, 80)}

flags = argparse.ArgumentParser()
flags.add_argument("--model", choices=SIZES, default="small")
flags.add_argument("--fault", action="store_true", help="compare each reward with each target")
arguments = flags.parse_args()

vocabulary, width, inner, layers = SIZES[arguments.model]
config = LlamaConfig(
    vocab_size=vocabulary,
    hidden_size=width,
    intermediate_size=inner,
    num_hidden_layers=layers,
    num_attention_heads=width // 128,
    num_key_value_heads=max(1, width // 1024),
    num_labels=1,
)
config.pad_token_id = 0
torch.manual_seed(0)
model = LlamaForSequenceClassification(config)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-5)
texts = torch.randint(1, config.vocab_size, (6, 128))
scores = torch.rand(6)

for tokens, targets in DataLoader(TensorDataset(texts, scores), batch_size=4):
    rewards = model(input_ids=tokens).logits  # (B, 1)
    if not arguments.fault:
        rewards = rewards.squeeze(1)  # (B,)
    loss = F.mse_loss(rewards, targets)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
