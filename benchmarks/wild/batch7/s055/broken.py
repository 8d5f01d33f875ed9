import argparse

import torch
from torch.utils.data import DataLoader
from transformers import BertConfig

from essays import PAD, EssayPairs, collate
from npcr import NPCR


def main():
    p = argparse.ArgumentParser(description="essay scores from pairs of essays")
    p.add_argument("--epochs", type=int, default=3)
    p.add_argument("--batch", type=int, default=8)
    args = p.parse_args()
    torch.manual_seed(0)
    data = EssayPairs(64)
    config = BertConfig(vocab_size=50, hidden_size=24, num_hidden_layers=1, num_attention_heads=2, intermediate_size=48,
                        max_position_embeddings=48, pad_token_id=PAD, hidden_dropout_prob=0.0,
                        attention_probs_dropout_prob=0.0)
    model = NPCR(config)
    opt = torch.optim.AdamW(model.parameters(), lr=2e-3)
    for epoch in range(args.epochs):
        total = 0.0
        for a, b, gap in DataLoader(data, batch_size=args.batch, shuffle=True, collate_fn=collate):
            loss = torch.nn.functional.mse_loss(model(a, b), gap)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(gap)
        print(f"epoch {epoch} loss {total / len(data):.4f}")
    with torch.no_grad():
        for n in (1, 16):
            a, b, _ = collate([data[i] for i in range(n)])
            print(f"pair 0 among {n}: {model(a, b)[0].item():.4f}")


if __name__ == "__main__":
    main()
