"""Sentences and their intents, as dictionaries."""
import torch
from torch.utils.data import Dataset

PAD = 0


class Intents(Dataset):
    def __init__(self, n, seed):
        g = torch.Generator().manual_seed(seed)
        self.rows = []
        for i in range(n):
            length = int(torch.randint(2, 9, (1,), generator=g))
            ids = torch.randint(5, 40, (length,), generator=g)
            ids[int(torch.randint(0, length, (1,), generator=g))] = 1 + i % 4
            self.rows.append({"input_ids": ids.tolist(), "label": i % 4, "text_id": f"row-{i}"})

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        return self.rows[i]


def collate(rows):
    width = max(len(r["input_ids"]) for r in rows)
    ids = [r["input_ids"] + [PAD] * (width - len(r["input_ids"])) for r in rows]
    mask = [[1] * len(r["input_ids"]) + [0] * (width - len(r["input_ids"])) for r in rows]
    return {
        "input_ids": torch.tensor(ids),
        "attention_mask": torch.tensor(mask),
        "labels": torch.tensor([r["label"] for r in rows]),
        "text_id": [r["text_id"] for r in rows],
    }
