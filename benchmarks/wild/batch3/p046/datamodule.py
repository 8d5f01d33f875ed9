import os

import lightning as L
import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset


class LeafFolder(Dataset):
    """One .npy of measurements a leaf; the label is the name of its folder."""

    def __init__(self, root):
        self.samples = []
        for name in sorted(os.listdir(root)):
            for f in sorted(os.listdir(os.path.join(root, name))):
                self.samples.append((os.path.join(root, name, f), int(name)))

    def __len__(self):
        return len(self.samples)

    def __getitem__(self, i):
        path, label = self.samples[i]
        return torch.from_numpy(np.load(path)), label


class LeafData(L.LightningDataModule):
    def __init__(self, folder, hp):
        super().__init__()
        self.folder, self.hp = folder, hp

    def prepare_data(self):
        rng = np.random.RandomState(self.hp.seed)
        centres = rng.normal(size=(self.hp.n_classes, self.hp.n_features))
        for split, n in (("train", self.hp.n_train), ("val", self.hp.n_val)):
            for i in range(n):
                y = i % self.hp.n_classes
                out = os.path.join(self.folder, split, str(y))
                os.makedirs(out, exist_ok=True)
                x = centres[y] + 0.8 * rng.normal(size=self.hp.n_features)
                np.save(os.path.join(out, "%04d.npy" % i), x.astype(np.float32))

    def setup(self, stage=None):
        self.train = LeafFolder(os.path.join(self.folder, "train"))
        self.val = LeafFolder(os.path.join(self.folder, "val"))

    def train_dataloader(self):
        return DataLoader(self.train, batch_size=self.hp.batch_size, shuffle=True)

    def val_dataloader(self):
        return DataLoader(self.val, batch_size=self.hp.batch_size)
