import csv

import torch
from torch.utils.data import Dataset


def read_csv(path):
    """rows of (text, sentiment value)"""
    with open(path, newline="", encoding="utf-8") as f:
        return [(row["text"], int(row["value"])) for row in csv.DictReader(f)]


class Vocabulary:
    def __init__(self, texts):
        words = sorted({w for text in texts for w in text.lower().split()})
        self.index = {w: i for i, w in enumerate(words, start=2)}

    def __len__(self):
        return len(self.index) + 2

    def encode(self, text, max_length):
        ids = [self.index.get(w, 1) for w in text.lower().split()][:max_length]
        return ids + [0] * (max_length - len(ids))


class CsvReviews(Dataset):
    def __init__(self, rows, vocab, max_length):
        self.tokens = torch.tensor([vocab.encode(text, max_length) for text, _ in rows])
        self.labels = torch.tensor([value for _, value in rows])

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        return self.tokens[i], self.labels[i]
