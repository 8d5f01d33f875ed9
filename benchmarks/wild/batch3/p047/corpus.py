import random

from torch.utils.data import Dataset

from config import IGNORE_INDEX

ASK = ["how far is {}", "where is {}", "tell me about {}", "what is the weather in {} today"]
SAY = ["{} is far", "{} lies in the north", "it rains in {}"]
TOWNS = "oslo rome lima cairo perth quito".split()


def write_chats(path, n, seed=0):
    rnd = random.Random(seed)
    with open(path, "w") as f:
        for _ in range(n):
            town = rnd.choice(TOWNS)
            f.write(rnd.choice(ASK).format(town) + "\t" + rnd.choice(SAY).format(town) + "\n")


class ChatFile(Dataset):
    """Prompt and answer by character; only the answer is trained on."""

    def __init__(self, path, max_len):
        with open(path) as f:
            self.pairs = [line.rstrip("\n").split("\t") for line in f]
        chars = sorted({c for pair in self.pairs for side in pair for c in side})
        self.stoi = {c: i + 2 for i, c in enumerate(chars)}
        self.max_len = max_len

    @property
    def n_tokens(self):
        return len(self.stoi) + 2

    def __len__(self):
        return len(self.pairs)

    def __getitem__(self, i):
        ask, say = ([self.stoi[c] for c in side] for side in self.pairs[i])
        ids = (ask + [1] + say)[:self.max_len]
        labels = ([IGNORE_INDEX] * (len(ask) + 1) + say)[:self.max_len]
        return {"input_ids": ids, "attention_mask": [1] * len(ids), "labels": labels}
