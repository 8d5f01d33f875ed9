import random

import torch
from torch.utils.data import Dataset

from settings import MAX_LENGTH

PAD, CLS, SEP = 0, 1, 2


class VerseDataset(Dataset):
    """tokenized verses with the part of the corpus they come from"""

    def __init__(self, size, vocab_size, n_labels, seed):
        rng = random.Random(seed)
        self.rows = []
        for _ in range(size):
            label = rng.randrange(n_labels)
            low = 3 + label * 20
            words = [rng.randint(low, low + 30) % vocab_size for _ in range(rng.randint(6, MAX_LENGTH - 2))]
            self.rows.append({"input_ids": [CLS] + words + [SEP], "label": label})

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        return self.rows[i]


def pad_to(seq, length, value):
    return seq + [value] * (length - len(seq))


def data_collator(features):
    longest = max(len(f["input_ids"]) for f in features)
    input_ids = [pad_to(f["input_ids"], longest, PAD) for f in features]
    batch = {
        "input_ids": torch.tensor(input_ids),
        "attention_mask": torch.tensor([[int(t != PAD) for t in row] for row in input_ids]),
    }
    labels = [pad_to([f["label"]], longest, -100) for f in features]
    batch["labels"] = torch.tensor(labels)
    return batch
