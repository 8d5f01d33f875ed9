import json

import torch
from torch.utils.data import DataLoader

from data import SpamDataset
from model import SpamModel


def load_config(path="config.json"):
    with open(path) as f:
        return json.load(f)


def evaluate(model, loader):
    model.eval()
    hits = total = 0
    with torch.no_grad():
        for batch in loader:
            logits = model(batch)
            hits += ((logits > 0).float() == batch["spam"]).sum().item()
            total += len(logits)
    return hits / total


def main():
    torch.manual_seed(42)
    config = load_config()
    training = config["training"]
    train_set = SpamDataset(96, config["input_features"], seed=1)
    test_set = SpamDataset(32, config["input_features"], seed=2)
    train_loader = DataLoader(train_set, batch_size=training["batch_size"])
    test_loader = DataLoader(test_set, batch_size=training["batch_size"])

    model = SpamModel(config)
    optimizer = torch.optim.Adam(model.parameters(), lr=training["learning_rate"])
    loss_fn = torch.nn.BCEWithLogitsLoss()
    for epoch in range(training["epochs"]):
        model.train()
        running = 0.0
        for batch in train_loader:
            optimizer.zero_grad()
            loss = loss_fn(model(batch), batch["spam"])
            loss.backward()
            optimizer.step()
            running += loss.item()
        print(f"epoch {epoch}: loss {running / len(train_loader):.4f}")
    print(f"accuracy {evaluate(model, test_loader):.4f}")


if __name__ == "__main__":
    main()
