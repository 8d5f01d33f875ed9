import os

import numpy as np
import torch
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader, Dataset

N_REGIONS, FEATURE = 9, 48


def extract_features(root, split, n, vocab_size):
    rng = np.random.RandomState(len(split))
    basis = np.random.RandomState(99).normal(size=(vocab_size, FEATURE))
    feats, caps = [], []
    for _ in range(n):
        words = rng.randint(1, vocab_size, size=rng.randint(3, 8))
        regions = basis[rng.choice(words, N_REGIONS)] + 0.1 * rng.normal(size=(N_REGIONS, FEATURE))
        feats.append(regions.astype(np.float32))
        caps.append(" ".join(map(str, words)))
    np.save(os.path.join(root, split + "_ims.npy"), np.stack(feats))
    with open(os.path.join(root, split + "_caps.txt"), "w") as f:
        f.write("\n".join(caps))


class PrecompPairs(Dataset):
    def __init__(self, root, split):
        self.images = np.load(os.path.join(root, split + "_ims.npy"))
        with open(os.path.join(root, split + "_caps.txt")) as f:
            self.captions = [[int(w) for w in line.split()] for line in f]

    def __len__(self):
        return len(self.captions)

    def __getitem__(self, i):
        return torch.from_numpy(self.images[i]), torch.tensor(self.captions[i])


def collate(rows):
    images, caps = zip(*rows)
    return torch.stack(images), pad_sequence(caps, batch_first=True), torch.tensor([len(c) for c in caps])


def get_loader(data, batch_size, shuffle):
    return DataLoader(data, batch_size=batch_size, shuffle=shuffle, collate_fn=collate)
