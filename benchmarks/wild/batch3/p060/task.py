import random

import torch
import torch.nn.functional as F

LINES = ["one two buckle my shoe", "three four shut the door", "five six pick up sticks", "seven eight lay them straight"]


def write_rhymes(path, n, seed=1):
    rnd = random.Random(seed)
    with open(path, "w") as f:
        for _ in range(n):
            words = rnd.choice(LINES).split()
            f.write(" ".join(words) + "\n")


class RhymeTask:
    def __init__(self, path):
        with open(path) as f:
            lines = [line.split() for line in f]
        self.symbols = ["</s>"] + sorted({w for line in lines for w in line})
        self.eos = 0
        self.rows = [[self.symbols.index(w) for w in line] for line in lines]

    def batches(self, size):
        rows = torch.tensor(self.rows)
        edge = torch.zeros(len(rows), 1, dtype=torch.long)
        rows = torch.cat([edge, rows, edge], 1)
        for idx in torch.randperm(len(rows)).split(size):
            yield rows[idx]

    def train(self, model, args):
        opt = torch.optim.Adam(model.parameters(), lr=args.lr)
        for _ in range(args.max_epoch):
            total, n = 0.0, 0
            for rows in self.batches(args.batch_size):
                logits = model(rows[:, :-1])
                loss = F.cross_entropy(logits.flatten(0, 1), rows[:, 1:].flatten())
                opt.zero_grad()
                loss.backward()
                opt.step()
                total, n = total + loss.item(), n + 1
            yield total / n

    def prompts(self, which):
        return torch.tensor([[self.eos] + self.rows[i][:1] for i in which])

    def string(self, ids):
        return " ".join(self.symbols[i] for i in ids if i != self.eos)
