import torch.nn as nn


class SharedBackbone(nn.Module):
    def __init__(self, n_features, hidden, tasks):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(n_features, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU())
        self.heads = nn.ModuleDict({task["name"]: nn.Linear(hidden, task["out"]) for task in tasks})

    def forward(self, x):
        h = self.body(x)
        return {name: head(h) for name, head in self.heads.items()}
