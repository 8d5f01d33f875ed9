import yaml

import torch
from torch.utils.data import DataLoader

from dataset import SessionDataset, load_interactions
from narm import NARM


def recall_at_k(scores, target, k):
    top = scores.topk(k, dim=1).indices
    return (top == target.unsqueeze(1)).any(1).float().mean().item()


def main():
    with open("narm.yaml") as f:
        config = yaml.safe_load(f)
    torch.manual_seed(config["seed"])

    sessions = load_interactions(config["n_sessions"], config["catalog_size"], seed=config["seed"])
    n_valid = config["n_valid"]
    train_set = SessionDataset(sessions[:-n_valid], config["MAX_ITEM_LIST_LENGTH"])
    valid_set = SessionDataset(sessions[-n_valid:], config["MAX_ITEM_LIST_LENGTH"], token2id=train_set.token2id)
    print("train %d valid %d" % (len(train_set), len(valid_set)))

    model = NARM(config, train_set.n_items)
    optimizer = torch.optim.Adam(model.parameters(), lr=config["learning_rate"])
    loader = DataLoader(train_set, batch_size=config["train_batch_size"])
    for epoch in range(config["epochs"]):
        total = 0.0
        for batch in loader:
            loss = model.calculate_loss(batch)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item()
        print("epoch %d training, train loss: %.4f" % (epoch, total / len(loader)))

    batch = next(iter(DataLoader(valid_set, batch_size=n_valid)))
    with torch.no_grad():
        scores = model.full_sort_predict(batch)
    print("recall@%d %.4f" % (config["topk"], recall_at_k(scores, batch["item_id"], config["topk"])))


if __name__ == "__main__":
    main()
