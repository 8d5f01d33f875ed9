import torch
from torch.utils.data import DataLoader, Dataset


class WindowDataset(Dataset):
    def __init__(self, text, tokenizer, max_length, stride):
        ids = tokenizer.encode(text)
        self.inputs, self.targets = [], []
        for i in range(0, len(ids) - 1, stride):
            self.inputs.append(torch.tensor(ids[i:i + max_length]))
            self.targets.append(torch.tensor(ids[i + 1:i + max_length + 1]))

    def __len__(self):
        return len(self.inputs)

    def __getitem__(self, i):
        return self.inputs[i], self.targets[i]


def create_dataloader(text, tokenizer, batch_size, max_length, stride, shuffle):
    data = WindowDataset(text, tokenizer, max_length, stride)
    return DataLoader(data, batch_size=batch_size, shuffle=shuffle)
