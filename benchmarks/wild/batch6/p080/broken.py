import argparse
import json
import os

import torch
from torch.utils.data import DataLoader
from transformers import BertConfig

from commands import CommandData, collate
from joint_bert import JointBERT
from labels import load_labels

HERE = os.path.dirname(os.path.abspath(__file__))


def main():
    parser = argparse.ArgumentParser(description="intents and slots")
    parser.add_argument("--labels", default=os.path.join(HERE, "task_labels.json"))
    parser.add_argument("--slot_loss_coef", type=float, default=1.0)
    parser.add_argument("--train_batch_size", type=int, default=8)
    parser.add_argument("--epochs", type=int, default=2)
    args = parser.parse_args()
    torch.manual_seed(0)
    intents, slots = load_labels(args.labels)
    data = CommandData(48, slots)
    config = BertConfig(vocab_size=40, hidden_size=24, num_hidden_layers=1, num_attention_heads=2,
                        intermediate_size=48, max_position_embeddings=32)
    model = JointBERT(config, len(intents), len(slots), args.slot_loss_coef)
    opt = torch.optim.AdamW(model.parameters(), lr=2e-3)
    loader = DataLoader(data, batch_size=args.train_batch_size, shuffle=True, collate_fn=collate)
    for epoch in range(args.epochs):
        total = 0.0
        for batch in loader:
            loss = model(**batch)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item()
        print(f"epoch {epoch} loss {total / len(loader):.4f}")


if __name__ == "__main__":
    main()
