import random

import torch

THEMES = [["cheap", "flights", "rome", "hotel", "deals"], ["python", "list", "sort", "reverse", "key"],
          ["bread", "recipe", "yeast", "flour", "oven"]]


def write_sessions(path, n, seed=2):
    rnd = random.Random(seed)
    with open(path, "w") as f:
        for _ in range(n):
            theme = rnd.choice(THEMES)
            f.write(" ".join(rnd.sample(theme, 3)) + "\t" + " ".join(rnd.sample(theme, 3)) + "\n")


class SessionReader:
    def __init__(self, path):
        self.vocab = {"<pad>": 0, "<s>": 1, "</s>": 2}
        self.rows = []
        with open(path) as f:
            for line in f:
                a, b = line.rstrip("\n").split("\t")
                self.rows.append((self.ids(a), [1] + self.ids(b) + [2]))

    def ids(self, text):
        return [self.vocab.setdefault(w, len(self.vocab)) for w in text.split()]

    def batches(self, size):
        for i in range(0, len(self.rows), size):
            src, tgt = zip(*self.rows[i:i + size])
            yield torch.tensor(src), torch.tensor(tgt)
