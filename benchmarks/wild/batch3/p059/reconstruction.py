import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader


def train(detector, mover, dataset, seed, epochs, batch_size, lr):
    params = list(detector.parameters()) + list(mover.parameters())
    opt = torch.optim.Adam(params, lr=lr)
    loader = DataLoader(dataset, batch_size=batch_size, shuffle=True)
    for _ in range(epochs):
        total = 0.0
        for source, driving in loader:
            moved = mover(source, detector(source), detector(driving))
            loss = F.mse_loss(moved, driving)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item()
        yield total / len(loader)
