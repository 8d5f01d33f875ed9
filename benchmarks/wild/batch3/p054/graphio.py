import csv
import os
from types import SimpleNamespace

import numpy as np
import torch


def export_graph(folder, n, seed):
    """nodes.csv: id, label, features; edges.csv: pairs of ids. Ids are those of the shop's database."""
    rng = np.random.RandomState(seed)
    ids = np.sort(rng.choice(4 * n, n, replace=False)) + 1
    labels = rng.randint(0, 3, n)
    centres = rng.normal(size=(3, 8))
    with open(os.path.join(folder, "nodes.csv"), "w", newline="") as f:
        w = csv.writer(f)
        for i in range(n):
            feats = centres[labels[i]] + rng.normal(size=8)
            w.writerow([ids[i], labels[i]] + ["%.4f" % v for v in feats])
    with open(os.path.join(folder, "edges.csv"), "w", newline="") as f:
        w = csv.writer(f)
        for i in range(n):
            same = np.flatnonzero(labels == labels[i])
            for j in rng.choice(same, 3):
                w.writerow([ids[i], ids[j]])


def load_graph(folder):
    row_of, feats, labels = {}, [], []
    with open(os.path.join(folder, "nodes.csv")) as f:
        for rec in csv.reader(f):
            row_of[int(rec[0])] = len(row_of)
            labels.append(int(rec[1]))
            feats.append([float(v) for v in rec[2:]])
    with open(os.path.join(folder, "edges.csv")) as f:
        pairs = [(int(a), int(b)) for a, b in csv.reader(f)]
    edge_index = torch.tensor(pairs).t()
    edge_index = torch.cat([edge_index, edge_index.flip(0)], dim=1)
    n = len(labels)
    train_mask = torch.arange(n) % 3 != 0
    return SimpleNamespace(x=torch.tensor(feats), y=torch.tensor(labels), edge_index=edge_index, train_mask=train_mask)
