import json
import random

import torch
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import Dataset

VERBS = {"cause": "triggers", "part-of": "belongs to", "made-of": "consists of"}
NOUNS = "storm flood wheel car wood table smoke fire page book sand glass".split()


def write_examples(path, n, labels, seed=4):
    rnd = random.Random(seed)
    with open(path, "w") as f:
        for _ in range(n):
            label = rnd.choice(labels)
            a, b = rnd.sample(NOUNS, 2)
            tail = " ".join(rnd.sample(NOUNS, rnd.randint(0, 4)))
            text = "The [E1] %s [/E1] %s the [E2] %s [/E2] , %s ." % (a, VERBS[label], b, tail)
            f.write(json.dumps({"text": text, "label": label}) + "\n")


class RelationDataset(Dataset):
    def __init__(self, rows, tokenizer, labels):
        self.items = [(tokenizer(r["text"]), labels.index(r["label"])) for r in rows]

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        ids, label = self.items[i]
        return {"input_ids": ids, "label": label}


def collate(features):
    ids = pad_sequence([torch.tensor(f["input_ids"]) for f in features], batch_first=True)
    return {"input_ids": ids, "attention_mask": (ids != 0).long(),
            "labels": torch.tensor([f["label"] for f in features])}
