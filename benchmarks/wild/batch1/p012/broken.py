import argparse

import torch
import torch.nn.functional as F

from corpus import CharCorpus
from moe import MoEConfig
from transformer import MoELanguageModel


def get_batch(data, block_size, batch_size, generator):
    ix = torch.randint(len(data) - block_size - 1, (batch_size,), generator=generator)
    x = torch.stack([data[i:i + block_size] for i in ix])
    y = torch.stack([data[i + 1:i + block_size + 1] for i in ix])
    return x, y


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=4)
    parser.add_argument("--batch-size", type=int, default=4)
    parser.add_argument("--precision", choices=["fp32", "bf16-mixed"], default="bf16-mixed")
    args = parser.parse_args()

    torch.manual_seed(0)
    corpus = CharCorpus()
    config = MoEConfig(vocab_size=corpus.vocab_size)
    model = MoELanguageModel(config)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    g = torch.Generator().manual_seed(1)
    use_amp = args.precision == "bf16-mixed"
    for step in range(args.steps):
        x, y = get_batch(corpus.data, config.block_size, args.batch_size, g)
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=use_amp):
            logits, aux = model(x)
        loss = F.cross_entropy(logits.float().flatten(0, 1), y.flatten())
        loss = loss + config.aux_coef * aux
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        print(f"step {step} loss {loss.item():.4f} aux {aux.item():.4f}")


if __name__ == "__main__":
    main()
