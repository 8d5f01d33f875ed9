import torch
from torch import nn


def train(model, bank, batch_size, epochs, lr):
    criterion = nn.NLLLoss(ignore_index=0)
    opt = torch.optim.Adam(model.parameters(), lr=lr)
    history = []
    for _ in range(epochs):
        for x, y, lengths in bank.batches(batch_size):
            loss = criterion(model(x, lengths).transpose(1, 2), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
        history.append(loss.item())
    return history


@torch.no_grad()
def score(model, bank, batch_size):
    hits = total = 0
    for x, y, lengths in bank.batches(batch_size):
        real = y != 0
        hits += (model(x, lengths).argmax(-1) == y)[real].sum().item()
        total += real.sum().item()
    return hits / total
