import lightning as L
import torch
from torch.utils.data import DataLoader, Dataset


class DADataset(Dataset):
    """utterances and their dialogue acts"""

    def __init__(self, size, config, seed):
        g = torch.Generator().manual_seed(seed)
        self.labels = torch.randint(0, config["num_classes"], (size,), generator=g)
        words = torch.randint(1, 20, (size, config["max_len"]), generator=g)
        self.tokens = words + 12 * self.labels.unsqueeze(1)

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        return {"input_ids": self.tokens[i], "label": self.labels[i]}


class DialogueDataModule(L.LightningDataModule):
    def __init__(self, config):
        super().__init__()
        self.config = config

    def setup(self, stage=None):
        self.train_set = DADataset(self.config["n_train"], self.config, seed=1)
        self.val_set = DADataset(self.config["n_val"], self.config, seed=2)

    def train_dataloader(self):
        return DataLoader(self.train_set, batch_size=self.config["batch_size"], shuffle=True)

    def val_dataloader(self):
        return DataLoader(self.val_set, batch_size=self.config["batch_size"])
