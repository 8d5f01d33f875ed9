"""Train and evaluate: everything a batch holds goes to the model, but for the row names."""
import argparse

import torch
from torch.utils.data import DataLoader

from data import Intents, collate
from model import IntentModel


def inputs(batch):
    return {name: value for name, value in batch.items() if isinstance(value, torch.Tensor)}


def evaluate(model, loader):
    model.eval()
    wrong = []
    with torch.no_grad():
        for batch in loader:
            guess = model(batch["input_ids"], batch["attention_mask"]).logits.argmax(dim=-1)
            missed = guess != batch["labels"]
            wrong += [name for name, m in zip(batch["text_id"], missed.tolist()) if m]
    return wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--batch_size", default=10, type=int)
    parser.add_argument("--epochs", default=2, type=int)
    parser.add_argument("--lr", default=3e-3, type=float)
    args = parser.parse_args()
    torch.manual_seed(56)
    train = DataLoader(Intents(46, 1), args.batch_size, shuffle=True, collate_fn=collate)
    test = DataLoader(Intents(17, 2), args.batch_size, collate_fn=collate)
    model = IntentModel()
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr)
    for epoch in range(args.epochs):
        model.train()
        for batch in train:
            loss = model(**inputs(batch)).loss
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            optimizer.zero_grad()
        print(f"epoch {epoch} loss {loss.item():.3f} wrong {len(evaluate(model, test))}/17")


if __name__ == "__main__":
    main()
