import torch
from torch import nn


def train_head(features, labels, cfg):
    head = nn.Sequential(nn.Dropout(0.2), nn.Linear(cfg.feature_dim, 2))
    opt = torch.optim.SGD(head.parameters(), lr=cfg.lr, momentum=0.9)
    criterion = nn.CrossEntropyLoss()
    for _ in range(cfg.head_epochs):
        total = 0.0
        for rows in torch.randperm(len(features)).split(cfg.batch_size):
            loss = criterion(head(features[rows]), labels[rows])
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(rows)
        yield total / len(features)
