from collections import OrderedDict

import torch
from torch import nn


def build_autoencoder(n_genes):
    return nn.Sequential(OrderedDict([
        ("encoder", nn.Sequential(
            nn.Linear(n_genes, 64),
            nn.ReLU(),
            nn.Linear(64, 32),
            nn.ReLU(),
            nn.Linear(32, 8),
        )),
        ("decoder", nn.Sequential(
            nn.Linear(8, 48),
            nn.ReLU(),
            nn.Linear(48, 64),
            nn.ReLU(),
            nn.Linear(64, n_genes),
        )),
    ]))


def expression_profiles(n, n_genes, factors=4):
    latent = torch.randn(n, factors)
    loadings = torch.randn(factors, n_genes)
    return torch.tanh(latent @ loadings)


if __name__ == "__main__":
    torch.manual_seed(1)
    profiles = expression_profiles(64, 100)
    model = build_autoencoder(100)
    criterion = nn.SmoothL1Loss()
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3)
    for epoch in range(3):
        for batch in profiles.split(16):
            loss = criterion(model(batch), batch)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print("epoch", epoch + 1, "smooth l1", f"{loss.item():.4f}")
