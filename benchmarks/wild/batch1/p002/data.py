import torch
from torch.utils.data import Dataset


class SpamDataset(Dataset):
    def __init__(self, size, features, seed):
        g = torch.Generator().manual_seed(seed)
        self.columns = {}
        for feature in features:
            if feature["type"] == "text":
                col = torch.randint(1, feature["vocab"], (size, feature["length"]), generator=g)
            else:
                col = torch.rand(size, generator=g)
            self.columns[feature["name"]] = col
        score = self.columns["n_recipients"] + self.columns["n_cc"]
        self.labels = (score > 1.0).float()

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        row = {name: col[i] for name, col in self.columns.items()}
        row["spam"] = self.labels[i]
        return row
